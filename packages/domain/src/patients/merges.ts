/**
 * Merging two patients who are one person.
 *
 * The merged patient stays, with its code and its records, and refers to the survivor. Whatever is asked of either is
 * answered from the records of both, and what is new belongs to the survivor. As nothing moves, a separation restores
 * exactly what there was. A survivor may be merged in turn, so merges form a tree. `mergedIntoId` is the parent, and
 * `survivorId` the root.
 */
import { type ErrorKind, holdNumbers, Problem, records, type Work } from '@hms/service';
import type { Knex } from 'knex';
import { type Patient, patients } from './record.ts';
import { notePatientStep } from './steps.ts';

export const MERGE_SELF: ErrorKind = {
  status: 422,
  code: 'MERGE_SELF',
  message: 'A patient can’t be merged with itself: send the id of the other one as intoId',
};
export const PATIENT_ALREADY_MERGED: ErrorKind = {
  status: 409,
  code: 'PATIENT_ALREADY_MERGED',
  message: 'One of the two is merged already: use the patient in details.survivorId, or separate them first',
};
export const PATIENT_NOT_MERGED: ErrorKind = {
  status: 409,
  code: 'PATIENT_NOT_MERGED',
  message: 'The patient is not merged into another one',
};
export const PATIENT_MERGED: ErrorKind = {
  status: 409,
  code: 'PATIENT_MERGED',
  message: 'The patient is merged: change the one in details.survivorId, or separate them first',
};

/**
 * The active patient whose record it is. The audit log has no event.
 * @throws Problem PATIENT_NOT_FOUND also for a deleted one.
 */
export async function survivorOf(work: Work, id: string): Promise<Patient> {
  const found = present(await records(work, patients).find(id));
  return found.survivorId === null ? found : survivorOf(work, found.survivorId);
}

/** As `survivorOf`. Until the transaction ends, the survivor is neither merged nor deleted, so it can get new records. */
export async function holdSurvivor(work: Work, id: string): Promise<Patient> {
  const { id: survivorId } = await survivorOf(work, id);
  const [held] = await work.trx.query<{ survivor_id: string | null }>(HOLD, [survivorId]);
  // Somebody merged it meanwhile.
  if (typeof held?.survivor_id === 'string') return holdSurvivor(work, held.survivor_id);
  return present(await records(work, patients).find(survivorId));
}

/** As `survivorOf`, locked for a change until the transaction ends. */
export async function lockSurvivor(work: Work, id: string): Promise<Patient> {
  const { id: survivorId } = await survivorOf(work, id);
  const locked = await records(work, patients).lock(survivorId);
  // Somebody merged it meanwhile.
  return locked.survivorId === null ? locked : lockSurvivor(work, locked.id);
}

/** As `lockSurvivor`, of two survivors. They are locked in the order of their ids, so that two requests can't deadlock. */
export async function lockSurvivors(work: Work, one: string, other: string): Promise<readonly [Patient, Patient]> {
  const own = records(work, patients);
  const locked = new Map<string, Patient>();
  for (const id of [...new Set([one, other])].sort()) locked.set(id, await own.lock(id));
  const [first, second] = [locked.get(one), locked.get(other)];
  if (!first || !second) throw new Error('a patient was not locked');
  if (first.survivorId === null && second.survivorId === null) return [first, second];
  // Somebody merged one of them meanwhile.
  return lockSurvivors(work, (await survivorOf(work, one)).id, (await survivorOf(work, other)).id);
}

/** The patient for a change of its own fields. @throws Problem PATIENT_NOT_FOUND, STALE_VERSION, PATIENT_MERGED. */
export async function lockActive(work: Work, id: string, version?: number): Promise<Patient> {
  const patient = await records(work, patients).lock(id, version);
  if (patient.survivorId !== null) throw merged(PATIENT_MERGED, patient);
  return patient;
}

/** Ids of the survivor and of everybody who was merged into it, by the id of any of them. */
export async function samePerson({ trx }: Work, id: string): Promise<readonly string[]> {
  const rows = await trx.query<{ id: string }>(SAME_PERSON, [id]);
  return rows.map((row) => row.id);
}

/** Patients who are one person: the survivor and everybody who was merged into it. */
export interface Person {
  readonly ids: readonly string[];
  /** The family in which the survivor is. */
  readonly familyId: string | null;
}

/** The person who each patient is, by the id of the patient. */
export async function personsOf({ trx }: Work, ids: readonly string[]): Promise<ReadonlyMap<string, Person>> {
  const rows = await trx.query<Person & { id: string }>(PERSONS, [[...new Set(ids)]]);
  return new Map(rows.map(({ id, ...person }) => [id, person]));
}

/** Who each patient is now: the survivor, if they were merged. By the id of the patient. The audit log has no event. */
export async function peopleById(work: Work, ids: readonly string[]): Promise<ReadonlyMap<string, Patient>> {
  const own = records(work, patients);
  const found = await own.byIds([...new Set(ids)]);
  const survivors = await own.byIds([...new Set(found.flatMap(({ survivorId }) => survivorId ?? []))]);
  return new Map(found.map((one) => [one.id, survivors.find(({ id }) => id === one.survivorId) ?? one]));
}

/** Rows of the survivor and of everybody who was merged into it, for a filter of rows with a column `patient_id`. */
export function ofSamePerson(rows: Knex.QueryBuilder, id: string): void {
  rows.whereRaw(`patient_id IN (${SAME_PERSON.replace('$1', '?')})`, [id]);
}

/** Patients who were merged into this one, or into one of those. */
export async function mergedWith(work: Work, id: string): Promise<readonly Patient[]> {
  const others = (await samePerson(work, id)).filter((one) => one !== id);
  return records(work, patients).byIds(others);
}

/**
 * Merges a patient into another one.
 * @param version of the patient that is merged.
 * @returns the merged patient.
 * @throws Problem MERGE_SELF, PATIENT_NOT_FOUND, STALE_VERSION, PATIENT_ALREADY_MERGED.
 */
export async function mergePatient(work: Work, id: string, intoId: string, version?: number): Promise<Patient> {
  if (id === intoId) throw new Problem(MERGE_SELF);
  await holdMerges(work);
  const own = records(work, patients);
  // In the order of their ids, so that two requests can't deadlock.
  const locked = await Promise.all([id, intoId].sort().map((one) => own.lock(one, one === id ? version : undefined)));
  const done = locked.find(({ survivorId }) => survivorId !== null);
  if (done) throw merged(PATIENT_ALREADY_MERGED, done);
  const before = locked.find((one) => one.id === id) as Patient;
  const after = await own.moveTo(before, 'merged', { mergedIntoId: intoId, survivorId: intoId });
  await work.trx.query(MERGED, [id, intoId]);
  await work.trx.query(COUNT_MERGED, [[id, intoId]]);
  await notePatientStep(work, 'merged', id, intoId);
  tellSurvivor(work, intoId, { mergedId: id });
  return { ...after, hasMerged: false };
}

/** Separates a patient from the one into which it was merged. @throws Problem as for a change, PATIENT_NOT_MERGED. */
export async function unmergePatient(work: Work, id: string, version?: number): Promise<Patient> {
  await holdMerges(work);
  const own = records(work, patients);
  const before = await own.lock(id, version);
  if (before.mergedIntoId === null) throw new Problem(PATIENT_NOT_MERGED);
  const after = await own.moveTo(before, 'active', { mergedIntoId: null, survivorId: null });
  const survivorId = before.survivorId ?? before.mergedIntoId;
  await work.trx.query(FOLLOW, [id]);
  const counted = await work.trx.query<{ id: string; has_merged: boolean }>(COUNT_MERGED, [[id, survivorId]]);
  await notePatientStep(work, 'separated', id, before.mergedIntoId);
  tellSurvivor(work, survivorId, { separatedId: id });
  return { ...after, hasMerged: counted.find((one) => one.id === id)?.has_merged ?? false };
}

/**
 * Until the transaction ends, nobody else merges or separates patients of the hospital. Each writes all patients of a tree,
 * which another one could have changed or locked meanwhile.
 */
async function holdMerges(work: Work): Promise<void> {
  await holdNumbers(work, 'merge');
}

/** The log and the pages of the survivor show what became part of it, or no longer is. */
function tellSurvivor(work: Work, id: string, details: object): void {
  work.audit({ action: 'update', record: 'patients', recordId: id, patientId: id, details });
  work.changed('patients', id);
}

function present(found: Patient | undefined): Patient {
  if (!found || found.deletedAt !== undefined) throw new Problem(patients.notFound);
  return found;
}

function merged(kind: ErrorKind, { id, patientCode, survivorId }: Patient): Problem {
  return new Problem(kind, { details: { patientId: id, patientCode, survivorId } });
}

const HOLD = 'SELECT survivor_id FROM patients WHERE id = $1 FOR SHARE';

/** Those who were merged into the patient earlier have the new survivor too. */
const MERGED = `
  UPDATE patients SET survivor_id = $2 WHERE survivor_id = $1`;

/** After each change of survivors. */
const COUNT_MERGED = `
  UPDATE patients SET has_merged = EXISTS (SELECT FROM patients other WHERE other.survivor_id = patients.id)
  WHERE id = ANY ($1) RETURNING id, has_merged`;

const SAME_PERSON = `
  WITH root AS (SELECT COALESCE(survivor_id, id) AS id FROM patients WHERE id = $1)
  SELECT id FROM root UNION SELECT patients.id FROM patients, root WHERE survivor_id = root.id`;

const PERSONS = `
  SELECT asked.id, root.family_id AS "familyId",
    ARRAY (SELECT root.id UNION ALL SELECT id FROM patients WHERE survivor_id = root.id) AS ids
  FROM patients asked JOIN patients root ON root.id = coalesce(asked.survivor_id, asked.id)
  WHERE asked.id = ANY ($1)`;

/** Those who were merged into a patient that is active again follow it. */
const FOLLOW = `
  WITH RECURSIVE part AS (
    SELECT id FROM patients WHERE merged_into_id = $1
    UNION SELECT patients.id FROM patients JOIN part ON patients.merged_into_id = part.id
  )
  UPDATE patients SET survivor_id = $1 WHERE id IN (SELECT id FROM part)`;
