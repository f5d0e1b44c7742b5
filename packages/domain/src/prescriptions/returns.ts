/** What patients bring back. It goes into quarantine, and the prescription stays as it is. */
import { fields, Problem, records, type Work } from '@hms/service';
import { z } from 'zod';
import { reduceCharges } from '../billing/charges/charges.ts';
import { takeBack } from '../stock/stock.ts';
import { DISPENSE_LINE_NOT_FOUND, RETURN_EXCEEDS_DISPENSED } from './errors.ts';
import { dispenses, reason, type ShownDispense } from './record.ts';
import { linesOf, showDispense } from './show.ts';

export const returning = z
  .object({
    lines: z
      .array(z.object({ lineId: fields.id, quantity: z.int().min(1).max(1_000_000).describe('Units') }))
      .min(1)
      .max(100)
      .refine(
        (lines) => new Set(lines.map(({ lineId }) => lineId)).size === lines.length,
        'must not have a line twice',
      ),
    reason,
    version: fields.version,
  })
  .meta({ id: 'DispenseReturn' });

/** @throws Problem DISPENSE_NOT_FOUND, DISPENSE_LINE_NOT_FOUND, RETURN_EXCEEDS_DISPENSED. */
export async function returnDispensed(
  work: Work,
  id: string,
  body: z.output<typeof returning>,
): Promise<ShownDispense> {
  const own = records(work, dispenses);
  const dispense = await own.lock(id, body.version);
  const lines = await linesOf(work, id);
  const returned = body.lines.map(({ lineId, quantity }) => {
    const line = lines.find((one) => one.id === lineId);
    if (!line) throw new Problem(DISPENSE_LINE_NOT_FOUND, { details: { lineId } });
    return { line, quantity };
  });
  const tooMuch = returned.filter(({ line, quantity }) => quantity > line.quantity - line.returned);
  if (tooMuch.length > 0) {
    const details = tooMuch.map(({ line }) => ({ lineId: line.id, left: line.quantity - line.returned }));
    throw new Problem(RETURN_EXCEEDS_DISPENSED, { details: { lines: details } });
  }
  for (const { line, quantity } of returned) {
    await work.trx.query('UPDATE dispense_lines SET returned = returned + $2 WHERE id = $1', [line.id, quantity]);
  }
  const units = returned.map(({ line: { drugId, batchId }, quantity }) => ({ drugId, batchId, quantity }));
  await takeBack(work, units, { dispenseId: id, reason: body.reason });
  const left = returned.map(({ line, quantity }) => [line.id, line.quantity - line.returned - quantity] as const);
  await reduceCharges(work, 'dispense', new Map(left));
  const after = await linesOf(work, id);
  const status = after.every((line) => line.returned === line.quantity) ? 'returned' : 'partially_returned';
  return showDispense(work, await own.moveTo(dispense, status));
}
