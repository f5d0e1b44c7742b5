/** Patients: the table `patients`. */
import { build } from '@hms/database';
import { type ErrorKind, fields, invalidFields, matchTerms, Problem, record, records, type Work } from '@hms/service';
import type { Knex } from 'knex';
import type { z } from 'zod';
import { address, alerts, allergies, bloodGroup, gender } from './clinical.ts';

export { SEVERITIES } from './clinical.ts';

export const patients = record('patients', {
  name: 'patient',
  code: { field: 'patientCode', series: 'patient', letters: ({ settings }) => settings.patientCodeLetters },
  fields: {
    firstName: fields.line(100),
    lastName: fields.line(100),
    phone: fields.phone,
    email: fields.email.nullish(),
    dateOfBirth: fields.day.describe('Day of birth: a date, or a date and time whose day counts as written'),
    gender: gender.nullish(),
    bloodGroup: bloodGroup.nullish(),
    address: address.nullish(),
    allergies: allergies.nullish(),
    alerts: alerts.default([]),
  },
  set: {
    familyId: fields.id.nullable().describe('Null for a patient who left a family'),
    photoId: fields.id.nullable().describe('The document with the photo'),
  },
  sort: ['lastName', 'firstName', 'patientCode', 'dateOfBirth'],
  filters: ['firstName', 'lastName', 'phone', 'email', 'patientCode', 'dateOfBirth', 'familyId'],
  search: { day: 'dateOfBirth' },
  auditReads: true,
  patient: 'id',
  live: true,
});
export type Patient = z.output<typeof patients.item>;
export type NewPatient = z.output<typeof patients.create>;

export const PATIENT_NOT_FOUND: ErrorKind = patients.notFound;
export const PATIENT_DUPLICATE: ErrorKind = {
  status: 409,
  code: 'PATIENT_DUPLICATE',
  message: 'Other patients may be the same person: check details.candidates, or send without rejectDuplicates',
};

/** The patient, without an event in the audit log. @throws Problem PATIENT_NOT_FOUND also for a deleted one. */
export async function presentPatient(work: Work, id: string): Promise<Patient> {
  const patient = await records(work, patients).find(id);
  if (!patient || patient.deletedAt !== undefined) throw new Problem(PATIENT_NOT_FOUND);
  return patient;
}

const OLDEST = '1850-01-01';

/** @throws Problem VALIDATION_FAILED unless the day of birth is 1850 or later, and today in the hospital or earlier. */
export function requireBorn({ hospital }: Work, dateOfBirth: string | undefined, now = new Date()): void {
  if (dateOfBirth === undefined) return;
  const message =
    dateOfBirth > fields.today(hospital.timezone, now)
      ? 'must not be in the future'
      : dateOfBirth < OLDEST
        ? `must not be before ${OLDEST}`
        : undefined;
  if (message) throw invalidFields([{ field: 'dateOfBirth', in: 'body', message }]);
}

/**
 * Up to ten others with the same two of name, phone and day of birth. Until the transaction ends, nobody else creates
 * patients, so no duplicate appears in between.
 */
export async function lookAlikes(
  work: Work,
  { firstName, lastName, phone, dateOfBirth }: NewPatient,
): Promise<readonly Patient[]> {
  const sameName = '(lower(first_name) = lower(?) AND lower(last_name) = lower(?))';
  const others = build
    .from('patients')
    .select('id')
    .whereNull('deleted_at')
    // Any two of the three include the day or the number, and both have an index.
    .whereRaw('(date_of_birth = ? OR phone = ?)', [dateOfBirth, phone])
    .whereRaw(`((date_of_birth = ? AND phone = ?) OR ${sameName})`, [dateOfBirth, phone, firstName, lastName])
    .orderBy('created_at')
    .limit(10);
  const lock = work.trx.query(HOLD_NUMBERS);
  const [, rows] = await Promise.all([lock, work.trx.run<{ id: string }>(others)]);
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) work.audit({ action: 'list', record: 'patients', details: { reason: 'duplicates', ids } });
  return records(work, patients).byIds(ids);
}

/** The row of the counter, as the next patient would lock it, with an unchanged value. */
const HOLD_NUMBERS = `
  INSERT INTO counters (series, value) VALUES ('patient', 0)
  ON CONFLICT (series, period) DO UPDATE SET value = counters.value`;

/** Writes the family of patients. For the code of families only: no version changes, as nobody edited the patient. */
export async function setFamily({ trx }: Work, ids: readonly string[], familyId: string | null): Promise<void> {
  await trx.query('UPDATE patients SET family_id = $2 WHERE id = ANY($1)', [ids, familyId]);
}

/** Ids of the patients that a search finds. */
export function patientsMatching(text: string): Knex.QueryBuilder {
  const found: Knex.QueryBuilder = build.from('patients').select('id');
  matchTerms(found, { text: 'patients.search', day: 'patients.date_of_birth' }, text);
  return found;
}
