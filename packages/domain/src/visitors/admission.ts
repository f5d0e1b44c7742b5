/** Who may come in: the validity of the pass, the visiting hours, the deny list, and how many may come at a time. */
import { build } from '@hms/database';
import { Problem, records, today, type Work } from '@hms/service';
import { samePerson } from '../patients/merges.ts';
import { inZone, weekdayOf } from '../schedules/times.ts';
import {
  OUTSIDE_VISITING_HOURS,
  PASS_EXPIRED,
  PASS_NOT_YET_VALID,
  VISITOR_BANNED,
  VISITOR_LIMIT_REACHED,
  VISITORS_PER_HOUR_REACHED,
  type VisitingHour,
  type Visitor,
  visitingHours,
  visitorBans,
  visitors,
} from './record.ts';

const HOUR = 3_600_000;

/**
 * The patient is locked. @throws Problem PASS_EXPIRED, PASS_NOT_YET_VALID, OUTSIDE_VISITING_HOURS, VISITOR_BANNED,
 * VISITOR_LIMIT_REACHED, VISITORS_PER_HOUR_REACHED
 */
export async function demandAdmitted(work: Work, visitor: Visitor, now: Date): Promise<void> {
  const { validFrom, validTo, patientId, anyTimeReason } = visitor;
  if (Date.parse(validTo) <= now.getTime()) throw new Problem(PASS_EXPIRED);
  if (Date.parse(validFrom) > now.getTime()) throw new Problem(PASS_NOT_YET_VALID, { details: { validFrom } });
  if (anyTimeReason === null) await demandVisitingHours(work, now);
  const patientIds = await samePerson(work, patientId);
  await demandNotBanned(work, patientIds, visitor);
  await demandPlace(work, patientIds);
  await demandPace(work, patientIds, visitor.id);
}

/**
 * The same words in whatever order. A ban with two words or more also finds longer names, such as with a title or a
 * second given name. `same_name` is folded in the same way.
 */
const SAME_NAME = `EXISTS (
  SELECT FROM string_to_array(btrim(regexp_replace(search_text(?), '[[:space:].,;:()/_-]+', ' ', 'g')), ' ') AS given,
    string_to_array(same_name, ' ') AS banned
  WHERE banned <@ given AND (given <@ banned OR cardinality(banned) > 1))`;

type Known = Pick<Visitor, 'name' | 'clearedBanIds'> & { readonly phone?: string | null | undefined };

/**
 * Somebody with the same phone is the same person. Somebody of the same name may be another one, and the desk says so.
 * @param patientIds whom they want to visit. @throws Problem VISITOR_BANNED
 */
export async function demandNotBanned(work: Work, patientIds: readonly string[], known: Known): Promise<void> {
  const { name, phone = null, clearedBanIds } = known;
  const rows = build.from('visitor_bans').whereNull('deleted_at').select('id').orderBy('created_at');
  rows.whereRaw('coalesce(valid_to >= ?, true)', [today(work)]);
  rows.where((either) => void either.whereNull('patient_id').orWhereIn('patient_id', patientIds));
  rows.where((either) => {
    either.where((same) => void same.whereRaw(SAME_NAME, [name]).whereNotIn('id', clearedBanIds));
    if (phone !== null) either.orWhere('phone', phone);
  });
  const found = await work.trx.run<{ id: string }>(rows);
  const bans = await records(work, visitorBans).byIds(found.map(({ id }) => id));
  if (bans.length === 0) return;
  const shown = bans.map((ban) => ({
    ...{ id: ban.id, name: ban.name, reason: ban.reason, validTo: ban.validTo },
    isSamePhone: phone !== null && ban.phone === phone,
  }));
  throw new Problem(VISITOR_BANNED, { details: { bans: shown } });
}

/** Without any visiting hours, people may come at any time. @throws Problem OUTSIDE_VISITING_HOURS */
async function demandVisitingHours(work: Work, now: Date): Promise<void> {
  const clock = inZone(now.getTime(), work.hospital.timezone);
  const rows = build.from('visiting_hours').whereNull('deleted_at').select('id');
  const found = await work.trx.run<{ id: string }>(rows);
  const hours = await records(work, visitingHours).byIds(found.map(({ id }) => id));
  if (hours.length === 0 || isWithin(hours, clock)) return;
  const today = hours
    .filter(({ weekday }) => weekday === weekdayOf(clock.slice(0, 10)))
    .map(({ startTime, endTime }) => ({ startTime, endTime }));
  throw new Problem(OUTSIDE_VISITING_HOURS, { details: { hours: today } });
}

/** Pure. @param clock what it shows, as `YYYY-MM-DDTHH:MM` and more */
export function isWithin(
  hours: readonly Pick<VisitingHour, 'weekday' | 'startTime' | 'endTime'>[],
  clock: string,
): boolean {
  const [weekday, time] = [weekdayOf(clock.slice(0, 10)), clock.slice(11, 16)];
  return hours.some((one) => one.weekday === weekday && one.startTime <= time && time < one.endTime);
}

/** The patient is locked. @throws Problem VISITOR_LIMIT_REACHED that names who is there. */
async function demandPlace(work: Work, patientIds: readonly string[]): Promise<void> {
  const limit = work.hospital.settings.maxVisitorsPerPatient;
  const inside = await visitorsInside(work, patientIds);
  if (inside.length < limit) return;
  throw new Problem(VISITOR_LIMIT_REACHED, { details: { limit, inside } });
}

/**
 * Whoever comes back within the hour has come once. @throws Problem VISITORS_PER_HOUR_REACHED that says when the next one
 * may come
 */
async function demandPace(work: Work, patientIds: readonly string[], visitorId: string): Promise<void> {
  const limit = work.hospital.settings.maxVisitorsPerHour;
  if (limit === 0) return;
  const rows = build.from('visitors').whereNull('deleted_at').whereIn('patient_id', patientIds);
  rows.whereNot('id', visitorId).where('checked_in_at', '>', new Date(work.trx.moment.getTime() - HOUR));
  rows.orderBy('checked_in_at', 'desc').limit(limit).select('checked_in_at');
  const found = await work.trx.run<{ checked_in_at: Date }>(rows);
  const first = found[limit - 1];
  if (!first) return;
  const nextAt = inZone(first.checked_in_at.getTime() + HOUR, work.hospital.timezone);
  throw new Problem(VISITORS_PER_HOUR_REACHED, { details: { limit, nextAt } });
}

/** Who is with locked patients now: nobody deletes those, either. */
export async function visitorsInside(
  work: Work,
  patientIds: readonly string[],
): Promise<readonly { readonly record: 'visitors'; readonly id: string; readonly name: string }[]> {
  const rows = build.from('visitors').whereNull('deleted_at').whereIn('patient_id', patientIds);
  rows.where('status', 'checked_in').orderBy('checked_in_at').select('id');
  const found = await work.trx.run<{ id: string }>(rows);
  const people = await records(work, visitors).byIds(found.map(({ id }) => id));
  return people.map(({ id, name, passNo }) => ({ record: 'visitors', id, name: `${name} (${passNo})` }));
}
