/** The fields of a patient, for the registration and for the record. */
import { SimpleGrid } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { DayField } from '../../../kit/forms/day-field.tsx';
import { Choice, Field, type RecordForm } from '../../../kit/forms/record-form.tsx';
import { countries } from '../../../kit/i18n/countries.ts';
import { PhoneField } from '../../../kit/phones/phone-field.tsx';
import { isPhone } from '../../../kit/phones/phones.ts';
import { usePerson } from '../../../kit/session/use-session.ts';
import { todayIn } from '../../../kit/time/time.ts';
import type { Patient } from './patients.queries.ts';

const upTo = (longest: number) => z.string().check(z.trim(), z.maxLength(longest, 'tooLong'));
const required = (longest: number) => upTo(longest).check(z.minLength(1, 'required'));

const GENDERS = ['female', 'male', 'other', 'unknown'] as const;
const BLOOD_GROUPS = ['A+', 'A-', 'B+', 'B-', 'AB+', 'AB-', 'O+', 'O-'] as const;
/** An empty choice is none. */
const oneOf = <Value extends string>(values: readonly Value[]) => z.enum(['', ...values]);

/** What can be said without the server, which decides. */
export const patientFields = z.object({
  firstName: required(100),
  lastName: required(100),
  dateOfBirth: z.iso.date('day'),
  gender: oneOf(GENDERS),
  phone: required(40).check(z.refine(isPhone, 'phone')),
  email: upTo(254).check(z.refine((value) => value === '' || value.includes('@'), 'email')),
  street: upTo(200),
  city: upTo(100),
  region: upTo(100),
  postalCode: upTo(20),
  country: z.string(),
  bloodGroup: oneOf(BLOOD_GROUPS),
});
export type PatientFields = z.output<typeof patientFields>;

const NO_ADDRESS = { street: '', city: '', region: '', postalCode: '', country: '' };

export const NOBODY: PatientFields = {
  ...{ firstName: '', lastName: '', phone: '', email: '', dateOfBirth: '', gender: '', bloodGroup: '' },
  ...NO_ADDRESS,
};

export function fieldsOf({ address, ...patient }: Patient): PatientFields {
  const { firstName, lastName, phone, email, dateOfBirth, gender, bloodGroup } = patient;
  return {
    ...{ firstName, lastName, phone, email: email ?? '', dateOfBirth: dateOfBirth.slice(0, 10) },
    ...{ gender: gender ?? '', bloodGroup: bloodGroup ?? '' },
    ...NO_ADDRESS,
    ...address,
  };
}

/** As the module takes them: an empty text is none. */
export function bodyOf(values: PatientFields) {
  const { firstName, lastName, phone, email, dateOfBirth, gender, bloodGroup, ...parts } = values;
  const given = Object.entries(parts).filter(([, part]) => part !== '');
  return {
    ...{ firstName, lastName, phone, email: email || null, dateOfBirth },
    ...{ gender: gender || null, bloodGroup: bloodGroup || null },
    address: given.length > 0 ? (Object.fromEntries(given) as Partial<typeof parts>) : null,
  };
}

export function PatientFieldset({
  of,
  isReadOnly,
}: {
  readonly of: RecordForm<PatientFields>;
  readonly isReadOnly?: boolean;
}) {
  const { t, i18n } = useTranslation();
  // The form renders at each key.
  const countryNames = useMemo(() => countries(i18n.language), [i18n.language]);
  const today = todayIn(usePerson().hospital?.timezone);
  const common = { of, readOnly: isReadOnly, autoComplete: 'off' };
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
      <Field {...common} name="firstName" label={t('patients.firstName')} required dir="auto" autoFocus={!isReadOnly} />
      <Field {...common} name="lastName" label={t('patients.lastName')} required dir="auto" />
      <DayField
        {...common}
        name="dateOfBirth"
        max={today}
        min="1850-01-01"
        label={t('patients.dateOfBirth')}
        required
      />
      <Choice
        {...common}
        name="gender"
        label={t('patients.gender')}
        data={GENDERS.map((value) => ({ value, label: t(`patients.genders.${value}`) }))}
      />
      <PhoneField of={of} readOnly={isReadOnly} name="phone" label={t('patients.phone')} required />
      <Field {...common} name="email" type="email" dir="ltr" label={t('patients.email')} />
      <Field {...common} name="street" label={t('patients.street')} dir="auto" />
      <Field {...common} name="city" label={t('patients.city')} dir="auto" />
      <Field {...common} name="postalCode" label={t('patients.postalCode')} dir="ltr" />
      <Field {...common} name="region" label={t('patients.region')} dir="auto" />
      <Choice {...common} name="country" label={t('patients.country')} data={countryNames} />
      <Choice
        {...common}
        name="bloodGroup"
        label={t('patients.bloodGroup')}
        dir="ltr"
        data={BLOOD_GROUPS.map((value) => ({ value, label: value.replace('-', '−') }))}
      />
    </SimpleGrid>
  );
}
