/**
 * The shifts of cashiers: the tables `shifts`, `shift_counts` and `shift_transfers`.
 *
 * What should be in the drawer is always computed from the ledger. Whoever takes money holds the shift until the commit,
 * and whoever closes it waits for them. So each payment is before the close, or in no shift or the next one.
 *
 * Locks are taken in this order, so that two requests can't deadlock: shifts by id, transfers.
 */
import { type DataReply, fields, Problem, type RecordQuery, records, type Work } from '@hms/service';
import type { z } from 'zod';
import { nameOfCaller } from '../../employees/people.ts';
import { countShift, demandCounted } from './counts.ts';
import {
  type approval,
  type closing,
  type dispute,
  type opening,
  SAME_PERSON_APPROVAL,
  SHIFT_HAS_TRANSFERS,
  SHIFT_NOT_OPEN,
  SHIFT_OF_ANOTHER,
  type Shift,
  type ShownShift,
  shifts,
} from './record.ts';
import { showShift, showShifts } from './show.ts';
import { offeredTransfers } from './transfers.ts';

export { expectedIn } from './counts.ts';
export * from './record.ts';
export { acceptTransfer, declineTransfer, offerTransfer } from './transfers.ts';

/** @throws Problem SHIFT_ALREADY_OPEN, COUNTER_TAKEN */
export async function openShift(work: Work, { counter, openingFloat }: z.output<typeof opening>): Promise<ShownShift> {
  const { hospital, caller } = work;
  const openedAt = await clock(work);
  const shift = await records(work, shifts).insert({
    ...{ cashier: caller.sub, cashierName: await nameOfCaller(work), counter, currency: hospital.currency },
    ...{ openingFloat, openedOn: fields.today(hospital.timezone, openedAt), openedAt: openedAt.toISOString() },
  });
  return showShift(work, shift);
}

/** The open shift of the caller, or null. */
export async function currentShift(work: Work): Promise<ShownShift | null> {
  const [found] = await work.trx.query<{ id: string }>(CURRENT, [work.caller.sub]);
  const shift = found && (await records(work, shifts).find(found.id));
  return shift ? showShift(work, shift) : null;
}

/** @throws Problem SHIFT_NOT_FOUND */
export async function readShift(work: Work, id: string): Promise<ShownShift> {
  return showShift(work, await records(work, shifts).read(id));
}

export async function listShifts(work: Work, query: RecordQuery): Promise<DataReply<ShownShift[]>> {
  const { data, ...reply } = await records(work, shifts).list(query);
  return { ...reply, data: await showShifts(work, data) };
}

/**
 * Closes the caller's shift with what was counted, or counts a disputed one again.
 * @throws Problem SHIFT_NOT_FOUND, SHIFT_OF_ANOTHER, SHIFT_NOT_OPEN, SHIFT_HAS_TRANSFERS, VALIDATION_FAILED.
 */
export async function closeShift(work: Work, id: string, body: z.output<typeof closing>): Promise<ShownShift> {
  const counted = demandCounted(body);
  const own = records(work, shifts);
  const shift = await own.lock(id, body.version);
  if (shift.cashier !== work.caller.sub) throw new Problem(SHIFT_OF_ANOTHER);
  if (shift.status !== 'open' && shift.status !== 'disputed')
    throw new Problem(SHIFT_NOT_OPEN, { details: { status: shift.status } });
  if ((await offeredTransfers(work, id)).length > 0) throw new Problem(SHIFT_HAS_TRANSFERS);
  const at = await clock(work);
  const { number, difference } = await countShift(work, shift, { ...counted, note: body.note ?? null, at });
  const closed = await own.moveTo(shift, 'closed', {
    ...{ lastCount: number, difference, note: body.note ?? null },
    ...{ closedAt: shift.closedAt ?? at.toISOString() },
  });
  return showShift(work, closed);
}

/** @throws Problem SHIFT_NOT_FOUND, INVALID_STATE, SAME_PERSON_APPROVAL, STALE_VERSION */
export function approveShift(
  work: Work,
  id: string,
  { note, version }: z.output<typeof approval>,
): Promise<ShownShift> {
  return decide(work, id, { to: 'approved', note: note ?? null, version });
}

/** Asks the cashier to count again. @throws Problem as `approveShift` */
export function disputeShift(
  work: Work,
  id: string,
  { reason, version }: z.output<typeof dispute>,
): Promise<ShownShift> {
  return decide(work, id, { to: 'disputed', note: reason, version });
}

interface Decision {
  readonly to: 'approved' | 'disputed';
  readonly note: string | null;
  readonly version: number | undefined;
}

async function decide(work: Work, id: string, { to, note, version }: Decision): Promise<ShownShift> {
  const own = records(work, shifts);
  const shift: Shift = await own.lock(id, version);
  if (shift.cashier === work.caller.sub) throw new Problem(SAME_PERSON_APPROVAL);
  const decidedByName = await nameOfCaller(work);
  const decided = { decidedBy: work.caller.sub, decidedByName, decidedAt: (await clock(work)).toISOString() };
  return showShift(work, await own.moveTo(shift, to, { ...decided, decisionNote: note }));
}

/** PostgreSQL's clock, after all that this transaction has waited for. Records of the past have their own time. */
async function clock({ trx }: Work): Promise<Date> {
  const [row] = await trx.query<{ now: Date }>(CLOCK);
  if (!row) throw new Error('PostgreSQL has no time');
  return row.now;
}

const CLOCK = `SELECT coalesce(nullif(current_setting('hms.moment', true), '')::timestamptz, clock_timestamp()) AS now`;
const CURRENT = `SELECT id FROM shifts WHERE cashier = $1 AND status = 'open'`;
