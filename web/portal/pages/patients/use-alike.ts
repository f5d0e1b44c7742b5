/** Patients who may be the one whom somebody types. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { FIELD_PAUSE_MS, useAfterPause } from '../../../kit/forms/typing.ts';
import { bodyOf, isWholeNumber, type PatientFields } from './patient.fields.ts';
import { alikeQuery, type Candidate, type TypedPerson } from './patients.queries.ts';

const WHOLE_DAY = /^\d{4}-\d\d-\d\d$/;

/** What is compared, as soon as there is a name with a day of birth or a phone number. */
export function useAlike(typed: PatientFields): readonly Candidate[] {
  const settled = useAfterPause(JSON.stringify(personIn(typed) ?? null), FIELD_PAUSE_MS);
  const person = useMemo(() => JSON.parse(settled) as TypedPerson | null, [settled]);
  const found = useQuery({
    ...alikeQuery(person ?? {}),
    enabled: person !== null,
    placeholderData: keepPreviousData,
  });
  return person === null ? [] : (found.data ?? []);
}

function personIn(typed: PatientFields): TypedPerson | undefined {
  const { firstName, lastName, dateOfBirth, phone, gender } = bodyOf(typed);
  const [day, number] = [WHOLE_DAY.test(dateOfBirth ?? ''), isWholeNumber(phone ?? '')];
  if (!(firstName?.trim() || lastName?.trim()) || !(day || number)) return undefined;
  const names = { firstName: firstName?.trim() || null, lastName: lastName?.trim() || null };
  return { ...names, dateOfBirth: day ? dateOfBirth : null, phone: number ? phone : null, gender };
}
