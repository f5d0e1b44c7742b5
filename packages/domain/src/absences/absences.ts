/**
 * When doctors are away: the table `absences`. Nobody works during an absence, whatever schedules say.
 *
 * Locks are taken in this order, so that two requests can't deadlock: the doctor, the absence.
 */
import { build } from '@hms/database';
import {
  declareConstraints,
  type ErrorKind,
  fields,
  invalidFields,
  Problem,
  record,
  records,
  type Work,
} from '@hms/service';
import { z } from 'zod';
import { employees, holdDoctor } from '../employees/employees.ts';
import { type Point, periodOf, point, type StoredPeriod } from '../schedules/clock.ts';
import type { Period } from '../schedules/times.ts';

export const absences = record('absences', {
  name: 'absence',
  fields: {
    doctorId: fields.id,
    from: fields.instant.describe('Away from this moment'),
    to: fields.instant.describe('Until before this moment'),
    kind: z.enum(['leave', 'sick', 'training', 'other']),
    reason: fields.line(200).nullish(),
  },
  sort: ['from'],
  defaultSort: 'from',
  filters: ['doctorId', 'kind'],
  moreFilters: {
    since: {
      schema: fields.instant.describe('Only those that end after this moment'),
      where: (rows, at) => void rows.where('to', '>', at as string),
    },
  },
  live: true,
});
export type Absence = z.output<typeof absences.item>;

const from = point.describe('A date begins with its day. A date and time without an offset is that of the hospital');
const to = point.optional().describe('A date ends with its day. Default: the day of `from`, if that is a date');

export const newAbsence = absences.create.extend({ from, to }).meta({ id: 'NewAbsence' });
export const absenceChanges = absences.changes
  .omit({ doctorId: true })
  .extend({ from: from.optional(), to })
  .meta({ id: 'AbsenceChanges' });

export const ABSENCE_OVERLAP: ErrorKind = {
  status: 422,
  code: 'ABSENCE_OVERLAP',
  message: 'The doctor has another absence then: details.absence has it. Change that one instead',
};
declareConstraints({ absences_doctor: ABSENCE_OVERLAP });

/** @throws Problem EMPLOYEE_NOT_FOUND, NOT_A_DOCTOR, VALIDATION_FAILED, ABSENCE_OVERLAP */
export async function createAbsence(work: Work, body: z.output<typeof newAbsence>): Promise<Absence> {
  await holdDoctor(work, body.doctorId);
  const period = awayIn(work, body.from, body.to ?? body.from);
  await demandFree(work, body.doctorId, period);
  return records(work, absences).insert({ ...body, ...period });
}

/** @throws Problem ABSENCE_NOT_FOUND, VALIDATION_FAILED, ABSENCE_OVERLAP */
export async function changeAbsence(
  work: Work,
  id: string,
  changes: Omit<z.output<typeof absenceChanges>, 'version'>,
  version: number | undefined,
): Promise<Absence> {
  const own = records(work, absences);
  const found = await own.find(id);
  if (!found) throw new Problem(absences.notFound);
  await records(work, employees).lock(found.doctorId);
  const before = await own.lock(id, version);
  const period = awayIn(work, changes.from ?? { instant: before.from }, changes.to ?? { instant: before.to });
  await demandFree(work, before.doctorId, period, id);
  return own.update(before, { ...changes, ...period });
}

/** Five years. A longer one is a year that was mistyped. */
const MOST_DAYS = 1_830;
const DAY = 86_400_000;

/** @throws Problem VALIDATION_FAILED */
function awayIn(work: Work, first: Point, last: Point): StoredPeriod {
  const period = periodOf(work, first, last, 'to');
  if (Date.parse(period.to) - Date.parse(period.from) <= MOST_DAYS * DAY) return period;
  throw invalidFields([{ field: 'to', in: 'body', message: `must be at most ${MOST_DAYS} days after from` }]);
}

/** The absences of doctors that touch a period, in milliseconds since 1970. */
export async function absencesOf(
  { trx }: Work,
  doctorIds: readonly string[],
  period: Period,
): Promise<readonly (Period & { readonly doctorId: string })[]> {
  const found = await trx.query<{ doctorId: string; from: Date; to: Date }>(
    `SELECT doctor_id AS "doctorId", "from", "to" FROM absences
     WHERE doctor_id = ANY($1) AND tstzrange("from", "to") && tstzrange($2, $3) AND deleted_at IS NULL
     ORDER BY "from", id`,
    [doctorIds, new Date(period.from), new Date(period.to)],
  );
  return found.map((row) => ({ doctorId: row.doctorId, from: row.from.getTime(), to: row.to.getTime() }));
}

/** @param exceptId the absence that is changed. @throws Problem ABSENCE_OVERLAP that names the other absence. */
async function demandFree(work: Work, doctorId: string, { from, to }: StoredPeriod, exceptId?: string): Promise<void> {
  const rows = build.from('absences').whereNull('deleted_at').where('doctor_id', doctorId).select('id');
  rows.whereRaw('tstzrange("from", "to") && tstzrange(?, ?)', [from, to]);
  if (exceptId !== undefined) rows.whereNot('id', exceptId);
  const [other] = await work.trx.run<{ id: string }>(rows.orderBy('from').limit(1));
  const found = other && (await records(work, absences).find(other.id));
  if (!found) return;
  const { id, from: begin, to: end } = found;
  throw new Problem(ABSENCE_OVERLAP, { details: { absence: { id, from: begin, to: end } } });
}
