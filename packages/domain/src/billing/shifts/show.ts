/** Shifts as they are shown: with their counts and what was handed over. */
import { records, type Work } from '@hms/service';
import type { z } from 'zod';
import {
  type Shift,
  type ShownShift,
  type ShownTransfer,
  shifts,
  type shownCount,
  type Transfer,
  transfers,
} from './record.ts';

export async function showShift(work: Work, shift: Shift): Promise<ShownShift> {
  const [shown] = await showShifts(work, [shift]);
  return shown as ShownShift;
}

export async function showShifts(work: Work, all: readonly Shift[]): Promise<ShownShift[]> {
  if (all.length === 0) return [];
  const ids = all.map(({ id }) => id);
  const [counts, handed] = await Promise.all([
    work.trx.query<CountRow>(COUNTS, [ids]),
    work.trx.query<{ id: string }>(TRANSFERS, [ids]),
  ]);
  const shown = await showTransfers(work, await records(work, transfers).byIds(handed.map(({ id }) => id)));
  const sorted = shown.toSorted((one, other) => one.id.localeCompare(other.id));
  const countsOf = Map.groupBy(counts, ({ shiftId }) => shiftId);
  return all.map((shift) => ({
    ...shift,
    counts: (countsOf.get(shift.id) ?? []).map(({ shiftId: _, countedAt, ...count }) => ({
      ...count,
      countedAt: countedAt.toISOString(),
    })),
    transfers: sorted.filter(({ fromShiftId, toShiftId }) => fromShiftId === shift.id || toShiftId === shift.id),
  }));
}

export async function showTransfers(work: Work, all: readonly Transfer[]): Promise<ShownTransfer[]> {
  const ids = all.flatMap(({ fromShiftId, toShiftId }) =>
    toShiftId === null ? [fromShiftId] : [fromShiftId, toShiftId],
  );
  const found = new Map((await records(work, shifts).byIds([...new Set(ids)])).map((shift) => [shift.id, shift]));
  return all.map((transfer) => {
    const from = found.get(transfer.fromShiftId);
    const to = transfer.toShiftId === null ? undefined : found.get(transfer.toShiftId);
    return {
      ...transfer,
      ...{ fromShiftNo: from?.shiftNo ?? '', fromCashierName: from?.cashierName ?? null },
      ...{ toShiftNo: to?.shiftNo ?? null, toCashierName: to?.cashierName ?? null },
    };
  });
}

interface CountRow extends Omit<z.output<typeof shownCount>, 'countedAt'> {
  readonly shiftId: string;
  readonly countedAt: Date;
}

const COUNTS = `
  SELECT shift_id AS "shiftId", number, denominations, declared, expected, difference, note, counted_by AS "countedBy",
    counted_by_name AS "countedByName", counted_at AS "countedAt"
  FROM shift_counts WHERE shift_id = ANY ($1) ORDER BY shift_id, number`;
const TRANSFERS = `SELECT id FROM shift_transfers WHERE from_shift_id = ANY ($1) OR to_shift_id = ANY ($1)`;
