/** Counting the stock: what is there is compared with what should be, and another person approves the differences. */
import { fields, INVALID_STATE, Problem, records, type Work } from '@hms/service';
import { z } from 'zod';
import { drugsById } from '../drugs/drugs.ts';
import { namesOfAccounts } from '../employees/people.ts';
import { batchIn, lockBatches } from './locks.ts';
import { move } from './movements.ts';
import {
  BATCH_NOT_FOUND,
  COUNT_EMPTY,
  counts,
  MOST_UNITS,
  reason,
  SAME_PERSON_APPROVAL,
  type StockCount,
} from './record.ts';

const MOST_LINES = 500;

export const counted = z
  .object({
    lines: z
      .array(z.object({ batchId: fields.id, counted: z.int().min(0).max(MOST_UNITS).describe('Units that are there') }))
      .min(1)
      .max(MOST_LINES)
      .refine(
        (lines) => new Set(lines.map(({ batchId }) => batchId)).size === lines.length,
        'must not have a batch twice',
      )
      .describe('Replace what was counted of these batches before'),
    version: fields.version,
  })
  .meta({ id: 'StockCounted' });
export const rejection = z.object({ reason, version: fields.version }).meta({ id: 'StockCountRejection' });

export const countLine = z
  .object({
    batchId: z.uuid(),
    drugId: z.uuid(),
    drugName: z.string(),
    unit: z.string(),
    batchNo: z.string(),
    location: z.string(),
    expected: z.int().describe('On hand at the moment of counting'),
    counted: z.int(),
    difference: z.int().describe('What the approval adds to the batch, or takes away'),
    countedBy: z.string().describe('Account of the person'),
    countedByName: z.string().nullable(),
    countedAt: fields.timestamp,
  })
  .meta({ id: 'StockCountLine' });
type CountLine = z.output<typeof countLine>;

/** Records what was counted. @throws Problem COUNT_NOT_FOUND, BATCH_NOT_FOUND, INVALID_STATE unless the count is open. */
export async function recordCount(work: Work, id: string, body: z.output<typeof counted>): Promise<StockCount> {
  const own = records(work, counts);
  const count = await own.lock(id, body.version);
  requireStatus(count, 'open');
  const held = await work.trx.query(HOLD, [body.lines.map(({ batchId }) => batchId)]);
  if (held.length < body.lines.length) throw new Problem(BATCH_NOT_FOUND);
  await work.trx.query(STORE, [id, JSON.stringify(body.lines), work.caller.sub]);
  // Its version goes up, so that nobody submits what they have not seen.
  return own.update(count, {});
}

/** @throws Problem COUNT_NOT_FOUND, INVALID_STATE, COUNT_EMPTY. */
export async function submitCount(work: Work, id: string, version: number | undefined): Promise<StockCount> {
  const own = records(work, counts);
  const count = await own.lock(id, version);
  if (count.status === 'open' && (await linesOf(work, id)).length === 0) throw new Problem(COUNT_EMPTY);
  return own.moveTo(count, 'submitted', { submittedBy: work.caller.sub, submittedAt: await now(work) });
}

/**
 * Approves a count, which corrects the stock by the differences, or rejects it.
 * @param rejected why. Undefined if it is approved.
 * @throws Problem COUNT_NOT_FOUND, INVALID_STATE, SAME_PERSON_APPROVAL, INSUFFICIENT_STOCK.
 */
export async function decideCount(
  work: Work,
  id: string,
  version: number | undefined,
  rejected?: string,
): Promise<StockCount> {
  const own = records(work, counts);
  const count = await own.lock(id, version);
  const lines = await linesOf(work, id);
  const counters = [count.submittedBy, ...lines.map(({ countedBy }) => countedBy)];
  const decided = { decidedBy: work.caller.sub, decidedAt: await now(work) };
  if (rejected !== undefined) return own.moveTo(count, 'rejected', { ...decided, rejectReason: rejected });
  requireStatus(count, 'submitted');
  if (counters.includes(work.caller.sub)) throw new Problem(SAME_PERSON_APPROVAL);
  const wrong = lines.filter(({ difference }) => difference !== 0);
  const locked = await lockBatches(
    work,
    wrong.map(({ batchId }) => batchId),
  );
  for (const { batchId, difference } of wrong) {
    await move(work, batchIn(locked, batchId), { kind: 'counted', quantity: difference, countId: id });
  }
  return own.moveTo(count, 'approved', decided);
}

/** What was counted, by drug and batch. */
export async function countLines(work: Work, id: string): Promise<CountLine[]> {
  await records(work, counts).read(id);
  return linesOf(work, id);
}

async function linesOf(work: Work, id: string): Promise<CountLine[]> {
  const rows = await work.trx.query<LineRow>(LINES, [id]);
  const [drugs, names] = await Promise.all([
    drugsById(
      work,
      rows.map(({ drugId }) => drugId),
    ),
    namesOfAccounts(
      work,
      rows.map(({ countedBy }) => countedBy),
    ),
  ]);
  return rows.map((row) => {
    const { name: drugName = '', unit = '' } = drugs.get(row.drugId) ?? {};
    const countedByName = names.get(row.countedBy) ?? null;
    return { ...row, drugName, unit, countedByName, countedAt: row.countedAt.toISOString() };
  });
}

interface LineRow extends Omit<CountLine, 'drugName' | 'unit' | 'countedByName' | 'countedAt'> {
  readonly countedAt: Date;
}

function requireStatus({ status }: StockCount, wanted: StockCount['status']): void {
  if (status === wanted) return;
  throw new Problem(INVALID_STATE, {
    message: `The count is ${status}, and must be ${wanted}`,
    details: { from: status, allowed: counts.states?.[status] ?? [] },
  });
}

/** PostgreSQL's clock, which all times of records come from. */
async function now({ trx }: Work): Promise<Date> {
  const [row] = await trx.query<{ now: Date }>('SELECT moment() AS now');
  if (!row) throw new Error('PostgreSQL has no time');
  return row.now;
}

const HOLD = 'SELECT FROM stock_batches WHERE id = ANY($1) ORDER BY id FOR SHARE';
const STORE = `
  INSERT INTO stock_count_lines (count_id, batch_id, expected, counted, counted_by)
  SELECT $1, batch.id, batch.on_hand, line.counted, $3
  FROM jsonb_to_recordset($2::jsonb) AS line("batchId" uuid, counted integer) JOIN stock_batches batch ON batch.id = "batchId"
  ON CONFLICT (count_id, batch_id) DO UPDATE
  SET expected = excluded.expected, counted = excluded.counted, counted_by = excluded.counted_by, counted_at = moment()`;
const LINES = `
  SELECT batch_id AS "batchId", drug_id AS "drugId", batch_no AS "batchNo", location, expected, counted,
    counted - expected AS difference, counted_by AS "countedBy", counted_at AS "countedAt"
  FROM stock_count_lines line JOIN stock_batches batch ON batch.id = line.batch_id
  WHERE count_id = $1 ORDER BY drug_id, batch_no, location`;
