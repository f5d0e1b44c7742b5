/** What is known of a patient, as a form has it and as the module takes it. */
import { NewPatient } from '@hms/api-client/limits/NewPatient';
import * as z from 'zod/mini';
import { choiceIn, textIn } from '../../../kit/forms/limits.ts';
import { phoneIn } from '../../../kit/phones/phone-limit.ts';
import type { Patient } from './patients.queries.ts';

const { street, city, region, postalCode } = NewPatient.address.parts;

/** What can be said without the server, which decides. */
export const patientFields = z.object({
  firstName: textIn(NewPatient.firstName),
  lastName: textIn(NewPatient.lastName),
  dateOfBirth: z.iso.date('day'),
  gender: choiceIn(NewPatient.gender),
  phone: phoneIn(NewPatient.phone),
  email: textIn(NewPatient.email, 'email'),
  street: textIn(street),
  city: textIn(city),
  region: textIn(region),
  postalCode: textIn(postalCode),
  country: z.string(),
  bloodGroup: choiceIn(NewPatient.bloodGroup),
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
