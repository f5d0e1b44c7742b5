/** What is known of a patient, as a form has it and as the module takes it. */
import * as z from 'zod/mini';
import { isPhone } from '../../../kit/phones/phones.ts';
import type { Patient } from './patients.queries.ts';

const upTo = (longest: number) => z.string().check(z.trim(), z.maxLength(longest, 'tooLong'));
const required = (longest: number) => upTo(longest).check(z.minLength(1, 'required'));

export const GENDERS = ['female', 'male', 'other', 'unknown'] as const;
export const BLOOD_GROUPS = ['A+', 'A-', 'B+', 'B-', 'AB+', 'AB-', 'O+', 'O-'] as const;
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
