/** Batches that a transaction has locked, in an order in which two requests can't deadlock. */
import { Problem, records, type Work } from '@hms/service';
import { BATCH_NOT_FOUND, type Batch, batches } from './record.ts';

/** Locks batches in the order of their ids. */
export async function lockBatches(work: Work, ids: readonly string[]): Promise<ReadonlyMap<string, Batch>> {
  return byIds(work, await work.trx.query<{ id: string }>(LOCK, [ids]));
}

/** Batches by id, from rows that a statement has locked. */
export async function byIds(work: Work, rows: readonly { readonly id: string }[]): Promise<ReadonlyMap<string, Batch>> {
  const found = await records(work, batches).byIds(rows.map(({ id }) => id));
  return new Map(found.map((batch) => [batch.id, batch]));
}

/** @throws Problem BATCH_NOT_FOUND */
export function batchIn(found: ReadonlyMap<string, Batch>, id: string): Batch {
  const batch = found.get(id);
  if (!batch) throw new Problem(BATCH_NOT_FOUND);
  return batch;
}

const LOCK = 'SELECT id FROM stock_batches WHERE id = ANY($1) ORDER BY id FOR UPDATE';
