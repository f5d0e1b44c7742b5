/** What should be in the drawer by the ledger, and what somebody counted. */
import { sum } from '@hms/money';
import { invalidFields, type Work } from '@hms/service';
import type { z } from 'zod';
import { nameOfCaller } from '../../employees/people.ts';
import { LARGEST_AMOUNT } from '../../prices/prices.ts';
import type { Method } from '../payments/record.ts';
import type { closing, Shift } from './record.ts';

export type Amounts = Readonly<Partial<Record<Method, number>>>;

interface Counted {
  readonly denominations: readonly { readonly face: number; readonly pieces: number }[];
  readonly declared: Amounts;
}

/** What was counted: cash by face value, or as a sum. @throws Problem VALIDATION_FAILED */
export function demandCounted({ denominations, declared = {} }: z.output<typeof closing>): Counted {
  const wrong = (field: string, message: string) => invalidFields([{ field, in: 'body', message }]);
  if (!denominations) {
    if (declared.CASH === undefined) throw wrong('denominations', 'or declared.CASH is required');
    return { denominations: [], declared };
  }
  const pieces = denominations.map(({ face, pieces: many }) => BigInt(face) * BigInt(many));
  const total = pieces.reduce((all, one) => all + one, 0n);
  if (total > BigInt(LARGEST_AMOUNT)) throw wrong('denominations', 'must sum up to 15 digits at most');
  const cash = Number(total);
  if (declared.CASH !== undefined && declared.CASH !== cash)
    throw wrong('declared.CASH', `must be ${cash}, which is the sum of denominations, or be left out`);
  return { denominations: denominations.filter((one) => one.pieces > 0), declared: { ...declared, CASH: cash } };
}

/**
 * Writes a count of a locked shift beside what the ledger says. A method that nobody has counted is as expected.
 * @returns the number of the count, and the difference of all methods.
 */
export async function countShift(
  work: Work,
  shift: Shift,
  { denominations, declared, note, at }: Counted & { readonly note: string | null; readonly at: Date },
): Promise<{ readonly number: number; readonly difference: number }> {
  const expected = await expectedIn(work, shift.id);
  const methods = Object.keys(declared) as Method[];
  const difference = sum(methods.map((method) => (declared[method] ?? 0) - (expected[method] ?? 0)));
  const number = (shift.lastCount ?? 0) + 1;
  const values = [JSON.stringify(denominations), JSON.stringify(declared), JSON.stringify(expected)];
  await work.trx.query(INSERT, [
    ...[shift.id, number, ...values, difference, note, work.caller.sub, await nameOfCaller(work), at.toISOString()],
  ]);
  const after = { number, denominations, declared, expected, difference, note };
  work.audit({ action: 'create', record: 'shift_counts', recordId: shift.id, after });
  return { number, difference };
}

/** What should be there by method: in cash, with the float and what was handed over. */
export async function expectedIn({ trx }: Pick<Work, 'trx'>, shiftId: string): Promise<Amounts> {
  const rows = await trx.query<{ method: Method; amount: number }>(EXPECTED, [shiftId]);
  return Object.fromEntries(rows.map(({ method, amount }) => [method, amount]));
}

/** By shift and method. It is the only place that says what is expected. */
export const EXPECTED_BY_SHIFT = `
  SELECT shift_id, method, sum(amount)::bigint AS amount FROM (
    SELECT id AS shift_id, 'CASH' AS method, opening_float::bigint AS amount FROM shifts
    UNION ALL
    SELECT payment.shift_id, part.method,
      CASE payment.kind WHEN 'payment' THEN part.amount + part.rounding ELSE -(part.amount + part.rounding) END
    FROM payments payment JOIN payment_parts part ON part.payment_id = payment.id
    WHERE payment.shift_id IS NOT NULL AND part.method <> 'ADVANCE'
    UNION ALL
    SELECT from_shift_id, 'CASH', -amount FROM shift_transfers WHERE status = 'accepted'
    UNION ALL
    SELECT to_shift_id, 'CASH', amount FROM shift_transfers WHERE status = 'accepted' AND to_shift_id IS NOT NULL
  ) moved GROUP BY shift_id, method`;

const EXPECTED = `SELECT method, amount FROM (${EXPECTED_BY_SHIFT}) expected WHERE shift_id = $1`;
const INSERT = `
  INSERT INTO shift_counts (
    shift_id, number, denominations, declared, expected, difference, note, counted_by, counted_by_name, counted_at
  )
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;
