import { fields, listQuery } from '@hms/service';
import { z } from 'zod';

const name = fields.line(100);
const dateOfBirth = fields.day.describe('Day of birth: a date, or a date and time whose day counts as written');

export const newPatient = z.object({
  firstName: name,
  lastName: name,
  phone: fields.phone,
  email: fields.email.nullish(),
  dateOfBirth,
  rejectDuplicates: z
    .boolean()
    .optional()
    .describe(
      'Refuse with 409 PATIENT_DUPLICATE when two of name, phone and day of birth are those of another patient',
    ),
});
export type NewPatient = z.output<typeof newPatient>;

/** An absent field is unchanged. Null clears an optional field. */
export const patientChanges = z.object({
  firstName: name.optional(),
  lastName: name.optional(),
  phone: fields.phone.optional(),
  email: fields.email.nullish(),
  dateOfBirth: dateOfBirth.optional(),
  version: fields.version,
});
export type PatientChanges = z.output<typeof patientChanges>;

export const patientQuery = listQuery({
  sort: ['createdAt', 'updatedAt', 'lastName', 'firstName', 'patientCode', 'dateOfBirth'],
  defaultSort: '-createdAt',
  filters: {
    firstName: name,
    lastName: name,
    phone: fields.line(40),
    email: fields.line(254),
    patientCode: fields.line(40),
    dateOfBirth,
    familyId: fields.id.describe('Members of this family'),
  },
});
export type PatientQuery = z.output<typeof patientQuery>;

export const patient = z.object({
  id: z.uuid(),
  hospitalId: z.uuid(),
  patientCode: z.string(),
  familyId: z.uuid().nullable().describe('Null for a patient who left a family'),
  firstName: z.string(),
  lastName: z.string(),
  phone: z.string(),
  email: z.string().nullable(),
  dateOfBirth: z.string().describe('The day of birth at midnight UTC'),
  createdAt: fields.timestamp,
  updatedAt: fields.timestamp,
  version: z.int(),
  deletedAt: fields.timestamp.optional().describe('Only on a deleted patient'),
});
export type Patient = z.output<typeof patient>;
