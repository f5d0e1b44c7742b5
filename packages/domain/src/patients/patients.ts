/** Patients: the table `patients`. */
import { invalidFields, today, type Work } from '@hms/service';
import { momentOf } from '../schedules/times.ts';

export { SEVERITIES } from './clinical.ts';
export {
  type Candidate,
  candidate,
  candidatesFor,
  candidatesForNew,
  PATIENT_DUPLICATE,
  typedPerson,
} from './duplicates.ts';
export { patientFeed } from './feed.ts';
export { languageFor } from './language.ts';
export {
  lockActive,
  MERGE_SELF,
  mergedWith,
  mergePatient,
  PATIENT_ALREADY_MERGED,
  PATIENT_MERGED,
  PATIENT_NOT_MERGED,
  samePerson,
  survivorOf,
  unmergePatient,
} from './merges.ts';
export { patientNameOf } from './names.ts';
export { type NewPatient, PATIENT_NOT_FOUND, type Patient, patients } from './record.ts';
export { notePatientStep } from './steps.ts';
export { allowUnknown, changesWithUnknown, demandKnown } from './unknown.ts';
export { warningsOf } from './warnings.ts';

const OLDEST = '1850-01-01';

/** @throws Problem VALIDATION_FAILED unless the day of birth is 1850 or later, and today in the hospital or earlier. */
export function requireBorn(work: Work, dateOfBirth: string | null | undefined): void {
  const message = !dateOfBirth ? undefined : bornProblem(work, dateOfBirth);
  if (message !== undefined) throw invalidFields([{ field: 'dateOfBirth', in: 'body', message }]);
}

interface Born {
  readonly dateOfBirth?: string | null | undefined;
  readonly timeOfBirth?: string | null | undefined;
}

/** @throws Problem VALIDATION_FAILED for a time of birth without its day, or in the future. */
export function requireBornAt({ trx, hospital }: Work, { dateOfBirth, timeOfBirth }: Born): void {
  if (!timeOfBirth) return;
  const refuse = (message: string) => invalidFields([{ field: 'timeOfBirth', in: 'body', message }]);
  if (!dateOfBirth) throw refuse('needs a day of birth: send dateOfBirth too, or leave out timeOfBirth');
  if (momentOf(dateOfBirth.slice(0, 10), timeOfBirth, hospital.timezone) > trx.moment.getTime()) {
    throw refuse('must not be in the future');
  }
}

/**
 * The changes of a patient. A time of birth is forgotten together with its day.
 * @throws Problem VALIDATION_FAILED as for `requireBornAt`.
 */
export function birthChanges<Changes extends Born>(work: Work, before: Born, changes: Changes): Changes {
  const { dateOfBirth = before.dateOfBirth } = changes;
  const isForgotten = dateOfBirth === null && changes.timeOfBirth === undefined;
  const known = isForgotten ? { ...changes, timeOfBirth: null } : changes;
  const { timeOfBirth = before.timeOfBirth } = known;
  if (changes.dateOfBirth !== undefined || changes.timeOfBirth !== undefined) {
    requireBornAt(work, { dateOfBirth, timeOfBirth });
  }
  return known;
}

/** What is wrong with a day of birth, or undefined. */
export function bornProblem(work: Work, dateOfBirth: string): string | undefined {
  if (dateOfBirth > today(work)) return 'must not be in the future';
  return dateOfBirth < OLDEST ? `must not be before ${OLDEST}` : undefined;
}

export interface Registration {
  readonly id: string;
  readonly code: string;
  /** In which they are now. Null: in none. */
  readonly familyId: string | null;
  /** `YYYY-MM-DD`. Null: unknown. */
  readonly dateOfBirth: string | null;
  readonly registeredAt: Date;
  readonly isDeleted: boolean;
}

/** The patients whom these accounts have registered, in the order of their codes. */
export function registeredBy({ trx }: Work, accountIds: readonly string[]): Promise<readonly Registration[]> {
  return trx.query<Registration>(REGISTERED_BY, [accountIds]);
}

const REGISTERED_BY = `
  SELECT id, patient_code AS code, family_id AS "familyId", created_at AS "registeredAt",
    date_of_birth::text AS "dateOfBirth",
    deleted_at IS NOT NULL AS "isDeleted"
  FROM patients WHERE created_by = ANY($1) ORDER BY length(patient_code), patient_code`;

/** How many patients there are, without those who are deleted or merged into another one. */
export async function countPatients({ trx }: Pick<Work, 'trx'>): Promise<number> {
  const [row] = await trx.query<{ count: number }>(
    "SELECT count(*) FROM patients WHERE status = 'active' AND deleted_at IS NULL",
  );
  return row?.count ?? 0;
}

/** Numbers such as `HSP-000123` by id, also of deleted patients. */
export async function patientCodes({ trx }: Work, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const found = await trx.query<{ id: string; patient_code: string }>(
    'SELECT id, patient_code FROM patients WHERE id = ANY($1)',
    [ids],
  );
  return new Map(found.map(({ id, patient_code }) => [id, patient_code]));
}

/** Writes the family of patients. For the code of families only: no version changes, as nobody edited the patient. */
export async function setFamily(work: Work, ids: readonly string[], familyId: string | null): Promise<void> {
  await work.trx.query('UPDATE patients SET family_id = $2 WHERE id = ANY($1)', [ids, familyId]);
  for (const id of ids) work.changed('patients', id);
}
