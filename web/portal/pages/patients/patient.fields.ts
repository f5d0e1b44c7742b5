/** What is known of a patient, as a form has it and as the module takes it. */
import { NewPatient } from '@hms/api-client/limits/NewPatient';
import * as z from 'zod/mini';
import { choiceIn, textIn } from '../../../kit/forms/limits.ts';
import { phoneIn } from '../../../kit/phones/phone-limit.ts';
import type { Patient } from './patients.queries.ts';

const { street, city, region, postalCode } = NewPatient.address.parts;

/** What nobody may be able to tell yet. */
export const UNKNOWABLE = NewPatient.unknown.choices;

const fields = z.object({
  firstName: textIn(NewPatient.firstName),
  lastName: textIn(NewPatient.lastName),
  dateOfBirth: z.string().check(z.refine((value) => value === '' || z.iso.date().safeParse(value).success, 'day')),
  timeOfBirth: textIn(NewPatient.timeOfBirth),
  gender: choiceIn(NewPatient.gender),
  phone: phoneIn(NewPatient.phone),
  email: textIn(NewPatient.email, 'email'),
  language: choiceIn(NewPatient.language),
  street: textIn(street),
  city: textIn(city),
  region: textIn(region),
  postalCode: textIn(postalCode),
  country: z.string(),
  bloodGroup: choiceIn(NewPatient.bloodGroup),
  unknown: z.array(z.enum(UNKNOWABLE)),
});

/** What can be said without the server, which decides. */
export const patientFields = UNKNOWABLE.reduce<typeof fields>(
  (checked, name) =>
    checked.check(
      z.refine((values: PatientFields) => values[name] !== '' || values.unknown.includes(name), {
        path: [name],
        error: 'unknowable',
        // Beside the problems of other fields.
        when: () => true,
      }),
    ),
  fields,
);
export type PatientFields = z.output<typeof fields>;

const NO_ADDRESS = { street: '', city: '', region: '', postalCode: '', country: '' };

export const NOBODY: PatientFields = {
  ...{ firstName: '', lastName: '', phone: '', email: '', language: '', gender: '', bloodGroup: '' },
  ...{ dateOfBirth: '', timeOfBirth: '' },
  ...NO_ADDRESS,
  unknown: [],
};

export function fieldsOf({ address, ...patient }: Patient): PatientFields {
  const { firstName, lastName, phone, email, language, dateOfBirth, timeOfBirth, gender, bloodGroup, unknown } =
    patient;
  return {
    ...{ firstName: firstName ?? '', lastName: lastName ?? '', phone: phone ?? '', email: email ?? '' },
    ...{ dateOfBirth: dateOfBirth?.slice(0, 10) ?? '', timeOfBirth: timeOfBirth ?? '', unknown },
    ...{ language: language ?? '', gender: gender ?? '', bloodGroup: bloodGroup ?? '' },
    ...NO_ADDRESS,
    ...address,
  };
}

/** What nobody can tell yet. Somebody else may have saved a value while this form said that there is none. */
export function unknownOf(values: PatientFields) {
  return values.unknown.filter((name) => values[name] === '');
}

/** Whether the time of birth matters: reference ranges of newborns need it. One that is there can be corrected. */
export function asksTimeOfBirth(
  { dateOfBirth, timeOfBirth }: Pick<PatientFields, 'dateOfBirth' | 'timeOfBirth'>,
  today: string,
): boolean {
  const age = (Date.parse(today) - Date.parse(dateOfBirth)) / 86_400_000;
  return dateOfBirth !== '' && (timeOfBirth !== '' || (age >= 0 && age <= 28));
}

/** As the module takes them: an empty text is none. */
export function bodyOf(values: PatientFields) {
  const {
    firstName,
    lastName,
    phone,
    email,
    language,
    dateOfBirth,
    timeOfBirth,
    gender,
    bloodGroup,
    unknown: _,
    ...parts
  } = values;
  const unknown = unknownOf(values);
  const known = (name: (typeof UNKNOWABLE)[number]) => (unknown.includes(name) ? null : values[name]);
  const given = Object.entries(parts).filter(([, part]) => part !== '');
  return {
    ...{ firstName: known('firstName'), lastName: known('lastName'), phone: known('phone'), email: email || null },
    ...{ dateOfBirth: known('dateOfBirth'), unknown },
    timeOfBirth: unknown.includes('dateOfBirth') ? null : timeOfBirth || null,
    ...{ language: language || null, gender: gender || null, bloodGroup: bloodGroup || null },
    address: given.length > 0 ? (Object.fromEntries(given) as Partial<typeof parts>) : null,
  };
}

/** Whether a number is complete, in international form. */
export function isWholeNumber(phone: string): boolean {
  return /^\+[1-9]\d{6,14}$/.test(phone);
}
