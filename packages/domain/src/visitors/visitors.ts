/**
 * Visitors of patients, the deny list and the visiting hours: the tables `visitors`, `visitor_bans` and
 * `visiting_hours`.
 *
 * A pass is for one patient, and for as often as the visitor comes while it is valid. `admission.ts` says who may come in.
 *
 * Locks are taken in this order, so that two requests can't deadlock: the patient, the visitor. Because the patient is
 * locked, two visitors never both get the last place.
 */
import { randomInt } from 'node:crypto';
import { build } from '@hms/database';
import {
  type DataReply,
  fields,
  invalidFields,
  Problem,
  type RecordQuery,
  records,
  today,
  type Work,
} from '@hms/service';
import type { z } from 'zod';
import { holdSurvivor, lockSurvivor, samePerson } from '../patients/merges.ts';
import { patientNames } from '../patients/names.ts';
import { periodOf } from '../schedules/clock.ts';
import { demandAdmitted, demandNotBanned } from './admission.ts';
import { expireLater } from './expiry.ts';
import {
  type entry,
  type newVisitor,
  PASS_NOT_FOUND,
  type SCAN_STEPS,
  type Scanned,
  type ShownVisitor,
  type scan,
  type Visitor,
  type VisitorBan,
  visitorBans,
  type visitorChanges,
  visitors,
} from './record.ts';

export { visitorsInside } from './admission.ts';
export { expirePass, passExpiry } from './expiry.ts';
export * from './record.ts';

/** A pass holds for so many days at most. */
const MOST_DAYS = 31;
/** It begins so many days ahead at most. */
const MOST_DAYS_AHEAD = 366;
const DAY = 86_400_000;
/** A scanner may read the same pass twice within this time, in ms. */
const SAME_SCAN = 5_000;
/** Without letters that look like digits (Crockford's base 32). */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** @throws Problem PATIENT_NOT_FOUND, VALIDATION_FAILED, VISITOR_BANNED */
export async function createVisitor(work: Work, body: z.output<typeof newVisitor>): Promise<ShownVisitor> {
  const { id: patientId } = await holdSurvivor(work, body.patientId);
  const now = work.trx.moment;
  const begin = body.validFrom ?? { instant: now.toISOString() };
  const day = 'day' in begin ? begin.day : fields.today(work.hospital.timezone, new Date(begin.instant));
  const { from: validFrom, to: validTo } = periodOf(work, begin, body.validTo ?? { day }, 'validTo');
  if (Date.parse(validFrom) - now.getTime() > MOST_DAYS_AHEAD * DAY) {
    const message = `must be at most ${MOST_DAYS_AHEAD} days ahead`;
    throw invalidFields([{ field: 'validFrom', in: 'body', message }]);
  }
  demandPeriod(validFrom, validTo, now);
  const values = { ...body, patientId, validFrom, validTo, scanCode: newScanCode() };
  await demandNotBanned(work, await samePerson(work, patientId), {
    ...values,
    clearedBanIds: body.clearedBanIds ?? [],
  });
  const issued = await records(work, visitors).insert(values);
  expireLater(work, issued);
  return show(work, issued);
}

/** @throws Problem VISITOR_NOT_FOUND, VALIDATION_FAILED, VISITOR_BANNED */
export async function changeVisitor(
  work: Work,
  id: string,
  { validTo, ...changes }: Omit<z.output<typeof visitorChanges>, 'version'>,
  version: number | undefined,
): Promise<ShownVisitor> {
  const own = records(work, visitors);
  const before = await own.lock(id, version);
  const end = validTo && periodOf(work, { instant: before.validFrom }, validTo, 'validTo').to;
  if (end !== undefined) demandPeriod(before.validFrom, end, work.trx.moment);
  const { name = before.name, phone = before.phone } = changes;
  if (name !== before.name || phone !== before.phone)
    await demandNotBanned(work, await samePerson(work, before.patientId), { ...before, name, phone });
  if (end === undefined) return show(work, await own.update(before, changes));
  const after =
    before.status === 'expired'
      ? await own.moveTo(before, before.checkedOutAt === null ? 'expected' : 'checked_out', {
          ...changes,
          validTo: end,
        })
      : await own.update(before, { ...changes, validTo: end });
  expireLater(work, after);
  return show(work, after);
}

/** @throws Problem VISITOR_NOT_FOUND, PATIENT_NOT_FOUND, INVALID_STATE, and those of `demandAdmitted` */
export async function checkIn(
  work: Work,
  id: string,
  { clearedBanIds, version }: z.output<typeof entry>,
): Promise<ShownVisitor> {
  return show(work, await admit(work, await lockWithPatient(work, id, version), clearedBanIds));
}

/** @throws Problem VISITOR_NOT_FOUND, INVALID_STATE */
export async function checkOut(work: Work, id: string, version: number | undefined): Promise<ShownVisitor> {
  return show(work, await leave(work, await records(work, visitors).lock(id, version)));
}

/** Sends a visitor away, who does not come in with this pass any more. @throws Problem VISITOR_NOT_FOUND, INVALID_STATE */
export async function denyVisitor(
  work: Work,
  id: string,
  denyReason: string,
  version: number | undefined,
): Promise<ShownVisitor> {
  const own = records(work, visitors);
  return show(work, await own.moveTo(await own.lock(id, version), 'denied', { denyReason }));
}

/** Lets a visitor in or out, whichever comes next. @throws Problem PASS_NOT_FOUND, and those of `checkIn` */
export async function scanPass(work: Work, { code, clearedBanIds }: z.output<typeof scan>): Promise<Scanned> {
  const rows = build.from('visitors').whereNull('deleted_at').where('scan_code', code.toUpperCase());
  const [found] = await work.trx.run<{ id: string }>(rows.select('id'));
  if (!found) throw new Problem(PASS_NOT_FOUND);
  const before = await lockWithPatient(work, found.id);
  const step = nextStep(before, work.trx.moment.getTime());
  const steps = {
    'check-in': () => admit(work, before, clearedBanIds),
    'check-out': () => leave(work, before),
    none: () => before,
  };
  return { ...(await show(work, await steps[step]())), step };
}

/** @throws Problem VISITOR_NOT_FOUND */
export async function readVisitor(work: Work, id: string): Promise<ShownVisitor> {
  return show(work, await records(work, visitors).read(id));
}

/** One page. */
export async function listVisitors(work: Work, query: RecordQuery): Promise<DataReply<ShownVisitor[]>> {
  const { data, ...reply } = await records(work, visitors).list(query);
  return { ...reply, data: await showAll(work, data) };
}

/** Everybody who is in the hospital now, the first one first. */
export async function listInside(work: Work): Promise<ShownVisitor[]> {
  const { data } = await listVisitors(work, {
    ...{ page: 1, limit: Number.MAX_SAFE_INTEGER, sort: [{ field: 'checkedInAt', descending: false }] },
    ...{ q: undefined, byMatch: false, from: undefined, to: undefined, includeDeleted: false },
    filters: { status: 'checked_in' },
  });
  return data;
}

/** @throws Problem PATIENT_NOT_FOUND, VALIDATION_FAILED */
export async function createBan(work: Work, body: z.output<typeof visitorBans.create>): Promise<VisitorBan> {
  const { patientId, validTo } = body;
  if (validTo && validTo < today(work))
    throw invalidFields([{ field: 'validTo', in: 'body', message: 'must be today or later' }]);
  const held = patientId ? { patientId: (await holdSurvivor(work, patientId)).id } : {};
  return records(work, visitorBans).insert({ ...body, ...held });
}

/** @throws Problem VISITOR_BAN_NOT_FOUND, PATIENT_NOT_FOUND */
export async function changeBan(
  work: Work,
  id: string,
  changes: Omit<z.output<typeof visitorBans.changes>, 'version'>,
  version: number | undefined,
): Promise<VisitorBan> {
  const { patientId } = changes;
  const held = patientId ? { patientId: (await holdSurvivor(work, patientId)).id } : {};
  const own = records(work, visitorBans);
  return own.update(await own.lock(id, version), { ...changes, ...held });
}

/** @param cleared bans of namesakes, of whom the desk says that they are others */
async function admit(work: Work, before: Visitor, cleared: readonly string[] = []): Promise<Visitor> {
  const own = records(work, visitors);
  const clearedBanIds = [...new Set([...before.clearedBanIds, ...cleared])];
  if (before.status !== 'checked_in' && before.status !== 'denied')
    await demandAdmitted(work, { ...before, clearedBanIds }, work.trx.moment);
  const checkedInAt = work.trx.moment.toISOString();
  return own.moveTo(before, 'checked_in', { checkedInAt, checkedOutAt: null, clearedBanIds });
}

async function leave(work: Work, before: Visitor): Promise<Visitor> {
  const checkedOutAt = work.trx.moment.toISOString();
  const after = await records(work, visitors).moveTo(before, 'checked_out', { checkedOutAt });
  if (after.validTo <= checkedOutAt) expireLater(work, after);
  return after;
}

/** Pure. @param now in ms */
function nextStep({ status, checkedInAt, checkedOutAt }: Visitor, now: number): (typeof SCAN_STEPS)[number] {
  const last = status === 'checked_in' ? checkedInAt : checkedOutAt;
  if (last !== null && now - Date.parse(last) < SAME_SCAN) return 'none';
  return status === 'checked_in' ? 'check-out' : 'check-in';
}

async function lockWithPatient(work: Work, id: string, version?: number): Promise<Visitor> {
  const own = records(work, visitors);
  const found = await own.find(id);
  if (!found) throw new Problem(visitors.notFound);
  await lockSurvivor(work, found.patientId);
  return own.lock(id, version);
}

async function show(work: Work, visitor: Visitor): Promise<ShownVisitor> {
  const [shown] = await showAll(work, [visitor]);
  return shown as ShownVisitor;
}

async function showAll(work: Work, all: readonly Visitor[]): Promise<ShownVisitor[]> {
  const named = await patientNames(
    work,
    all.map(({ patientId }) => patientId),
  );
  const now = work.trx.moment.toISOString();
  return all.map((visitor) => ({ ...visitor, isExpired: visitor.validTo <= now, ...named(visitor.patientId) }));
}

/** @throws Problem VALIDATION_FAILED */
function demandPeriod(validFrom: string, validTo: string, now: Date): void {
  const message =
    validTo <= now.toISOString()
      ? 'must be in the future'
      : Date.parse(validTo) - Date.parse(validFrom) > MOST_DAYS * DAY
        ? `must be at most ${MOST_DAYS} days after validFrom`
        : undefined;
  if (message !== undefined) throw invalidFields([{ field: 'validTo', in: 'body', message }]);
}

function newScanCode(): string {
  return `V${Array.from({ length: 9 }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('')}`;
}
