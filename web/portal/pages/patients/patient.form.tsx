/** The fields of a patient, for the registration and for the record. */
import { SimpleGrid } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { Field, type RecordForm } from '../../../kit/forms/record-form.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { todayIn } from '../../../kit/time/time.ts';
import type { Patient } from './patients.queries.ts';

const text = (longest: number) =>
  z.string().check(z.trim(), z.minLength(1, 'required'), z.maxLength(longest, 'tooLong'));
const isPhone = (value: string) => /^\+[1-9]\d{6,14}$/.test(value.replaceAll(/[\s().-]/g, ''));

/** What can be said without the server, which decides. */
export const patientFields = z.object({
  firstName: text(100),
  lastName: text(100),
  phone: text(40).check(z.refine(isPhone, 'phone')),
  email: z.string().check(
    z.trim(),
    z.maxLength(254, 'tooLong'),
    z.refine((value) => value === '' || value.includes('@'), 'email'),
  ),
  dateOfBirth: z.iso.date('day'),
});
export type PatientFields = z.output<typeof patientFields>;

export const NOBODY: PatientFields = { firstName: '', lastName: '', phone: '', email: '', dateOfBirth: '' };

export function fieldsOf({ firstName, lastName, phone, email, dateOfBirth }: Patient): PatientFields {
  return { firstName, lastName, phone, email: email ?? '', dateOfBirth: dateOfBirth.slice(0, 10) };
}

/** As the module takes them: no text is no address. */
export function bodyOf({ email, ...fields }: PatientFields) {
  return { ...fields, email: email === '' ? null : email };
}

export function PatientFieldset({
  of,
  isReadOnly,
}: {
  readonly of: RecordForm<PatientFields>;
  readonly isReadOnly?: boolean;
}) {
  const { t } = useTranslation();
  const today = todayIn(usePerson().hospital?.timezone);
  const common = { of, readOnly: isReadOnly };
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
      <Field {...common} name="firstName" label={t('patients.firstName')} required autoComplete="off" dir="auto" />
      <Field {...common} name="lastName" label={t('patients.lastName')} required autoComplete="off" dir="auto" />
      <Field
        {...common}
        name="dateOfBirth"
        type="date"
        max={today}
        min="1850-01-01"
        label={t('patients.born')}
        required
      />
      <Field
        {...common}
        name="phone"
        type="tel"
        dir="ltr"
        label={t('patients.phone')}
        placeholder="+353 86 123 4567"
        required
        autoComplete="off"
      />
      <Field {...common} name="email" type="email" dir="ltr" label={t('patients.email')} autoComplete="off" />
    </SimpleGrid>
  );
}
