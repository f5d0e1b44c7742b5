/** Cash that is handed over: to the drawer of somebody else, or to the safe. */
import { invalidFields, Problem, records, type Work } from '@hms/service';
import type { z } from 'zod';
import { nameOfCaller } from '../../employees/people.ts';
import {
  SAME_PERSON_APPROVAL,
  SHIFT_NOT_OPEN,
  SHIFT_OF_ANOTHER,
  type Shift,
  type ShownTransfer,
  shifts,
  type Transfer,
  type transferring,
  transfers,
} from './record.ts';
import { showTransfers } from './show.ts';

/** Offers cash of the caller's open shift. @throws Problem VALIDATION_FAILED, SHIFT_NOT_FOUND, SHIFT_OF_ANOTHER, SHIFT_NOT_OPEN */
export async function offerTransfer(
  work: Work,
  fromShiftId: string,
  { amount, note, ...to }: z.output<typeof transferring>,
): Promise<ShownTransfer> {
  const toShiftId = to.toShiftId ?? null;
  if (toShiftId === fromShiftId)
    throw invalidFields([{ field: 'toShiftId', in: 'body', message: 'must be another shift than the one that gives' }]);
  const held = await lockShifts(work, [fromShiftId, ...(toShiftId === null ? [] : [toShiftId])]);
  const from = held.get(fromShiftId);
  if (from?.cashier !== work.caller.sub) throw new Problem(SHIFT_OF_ANOTHER);
  for (const shift of held.values()) demandOpen(shift);
  const offered = await records(work, transfers).insert({ fromShiftId, toShiftId, amount, note });
  noticeShifts(work, offered);
  return show(work, offered);
}

/**
 * Accepts what was handed over: the cashier who gets it, or for the safe somebody who approves shifts.
 * @throws Problem SHIFT_TRANSFER_NOT_FOUND, SHIFT_OF_ANOTHER, SAME_PERSON_APPROVAL, SHIFT_NOT_OPEN, INVALID_STATE
 */
export async function acceptTransfer(work: Work, id: string, version: number | undefined): Promise<ShownTransfer> {
  const { transfer, held } = await lockWithShifts(work, id, version);
  const to = transfer.toShiftId === null ? undefined : held.get(transfer.toShiftId);
  const isGetter = to ? to.cashier === work.caller.sub : work.caller.permissions.has('shifts.approve');
  if (transfer.createdBy === work.caller.sub) throw new Problem(SAME_PERSON_APPROVAL);
  if (!isGetter) throw new Problem(SHIFT_OF_ANOTHER);
  for (const shift of held.values()) demandOpen(shift);
  return decide(work, transfer, 'accepted');
}

/** Refuses it, or takes it back. @throws Problem SHIFT_TRANSFER_NOT_FOUND, SHIFT_OF_ANOTHER, INVALID_STATE */
export async function declineTransfer(work: Work, id: string, version: number | undefined): Promise<ShownTransfer> {
  const { transfer, held } = await lockWithShifts(work, id, version);
  const { caller } = work;
  const people = [transfer.createdBy, ...[...held.values()].map(({ cashier }) => cashier)];
  if (!people.includes(caller.sub) && !caller.permissions.has('shifts.approve')) throw new Problem(SHIFT_OF_ANOTHER);
  return decide(work, transfer, 'declined');
}

/** Transfers from or to a shift that nobody has decided on. */
export async function offeredTransfers({ trx }: Work, shiftId: string): Promise<readonly { readonly id: string }[]> {
  return trx.query(OFFERED, [shiftId]);
}

async function lockWithShifts(work: Work, id: string, version: number | undefined) {
  const own = records(work, transfers);
  const found = await own.find(id);
  if (!found) throw new Problem(transfers.notFound);
  const held = await lockShifts(work, [found.fromShiftId, ...(found.toShiftId === null ? [] : [found.toShiftId])]);
  return { transfer: await own.lock(id, version), held };
}

/** In the order of their ids. */
async function lockShifts(work: Work, ids: readonly string[]): Promise<ReadonlyMap<string, Shift>> {
  const held = new Map<string, Shift>();
  for (const id of [...new Set(ids)].sort()) held.set(id, await records(work, shifts).lock(id));
  return held;
}

async function decide(work: Work, transfer: Transfer, to: 'accepted' | 'declined'): Promise<ShownTransfer> {
  const decided = { decidedBy: work.caller.sub, decidedByName: await nameOfCaller(work) };
  const moved = await records(work, transfers).moveTo(transfer, to, {
    ...decided,
    decidedAt: work.trx.moment.toISOString(),
  });
  noticeShifts(work, transfer);
  return show(work, moved);
}

/** Pages of shifts show transfers. */
function noticeShifts(work: Work, { fromShiftId, toShiftId }: Transfer): void {
  work.changed('shifts', fromShiftId);
  if (toShiftId !== null) work.changed('shifts', toShiftId);
}

function demandOpen({ status }: Shift): void {
  if (status !== 'open') throw new Problem(SHIFT_NOT_OPEN, { details: { status } });
}

async function show(work: Work, transfer: Transfer): Promise<ShownTransfer> {
  const [shown] = await showTransfers(work, [transfer]);
  return shown as ShownTransfer;
}

const OFFERED = `
  SELECT id FROM shift_transfers WHERE (from_shift_id = $1 OR to_shift_id = $1) AND status = 'offered'`;
