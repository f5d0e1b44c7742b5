/**
 * The stock of the pharmacy: the tables `stock_batches`, `stock_movements`, `stock_counts`, `stock_count_lines` and
 * `stock_warnings`.
 *
 * A batch is a number of a manufacturer at a location. What patients return is a batch of its own, which stays
 * quarantined until somebody releases the units into the batch from which they came, or discards them.
 *
 * Locks are taken in this order, so that two requests can't deadlock: the count, the drugs by id, the batches by id.
 */
import { fields, Problem, records, today, type Work } from '@hms/service';
import { z } from 'zod';
import { holdActive, lockDrug } from '../drugs/drugs.ts';
import { isExpired } from './allocation.ts';
import { batchIn, byIds, lockBatches } from './locks.ts';
import { createBatch, type Movement, move } from './movements.ts';
import {
  BATCH_DIFFERS,
  BATCH_EXPIRED,
  BATCH_RECALLED,
  BATCH_RETURNED,
  type Batch,
  batches,
  EXPIRY_IN_PAST,
  MOST_UNITS,
  quantity,
  reason,
  SAME_LOCATION,
} from './record.ts';
import { planStockCheck } from './warnings.ts';

export { type Allocated, allocate, availableOf } from './allocation.ts';
export { counted, countLine, countLines, decideCount, recordCount, rejection, submitCount } from './counts.ts';
export { drugLevel, levelQuery, readLevels } from './levels.ts';
export { batchIn } from './locks.ts';
export { movementsOf, returnedUnits } from './movements.ts';
export {
  BATCH_DIFFERS,
  BATCH_EXISTS,
  BATCH_EXPIRED,
  BATCH_NOT_FOUND,
  BATCH_RECALLED,
  BATCH_RETURNED,
  type Batch,
  batches,
  COUNT_EMPTY,
  COUNT_NOT_FOUND,
  counts,
  EXPIRY_IN_PAST,
  INSUFFICIENT_STOCK,
  movement,
  SAME_LOCATION,
  SAME_PERSON_APPROVAL,
  STOCK_TOO_LARGE,
  type StockCount,
} from './record.ts';
export { listBatches, listCounts, readBatch, readCount, shownBatch, shownCount } from './show.ts';
export {
  checkStock,
  type NewWarnings,
  readStockWarnings,
  stockCheck,
  stockWarningMail,
  stockWarnings,
  warningsOf,
} from './warnings.ts';

export const newBatch = batches.create.extend({ quantity: quantity.describe('Units received') }).meta({
  id: 'NewStockBatch',
});
export const batchChanges = batches.changes.omit({ drugId: true }).meta({ id: 'StockBatchChanges' });
export const receipt = z
  .object({ quantity, reason: reason.optional(), version: fields.version })
  .meta({ id: 'StockReceipt' });
export const adjustment = z
  .object({
    quantity: z
      .int()
      .min(-MOST_UNITS)
      .max(MOST_UNITS)
      .refine((value) => value !== 0, 'must not be 0')
      .describe('Units to add, or to take away if negative'),
    reason,
    version: fields.version,
  })
  .meta({ id: 'StockAdjustment' });
export const transfer = z
  .object({
    quantity,
    location: fields.line(40).describe('Where the units are kept from now on'),
    reason: reason.optional(),
    version: fields.version,
  })
  .meta({ id: 'StockTransfer' });
export const discarding = z.object({ quantity, reason, version: fields.version }).meta({ id: 'StockDiscarding' });
export const withReason = z.object({ reason, version: fields.version }).meta({ id: 'StockReason' });

/** Receives the first units of a batch. @throws Problem DRUG_NOT_FOUND, DRUG_INACTIVE, EXPIRY_IN_PAST, BATCH_EXISTS. */
export async function receiveBatch(
  work: Work,
  { quantity: received, ...values }: z.output<typeof newBatch>,
): Promise<Batch> {
  await holdActive(work, [values.drugId]);
  if (isExpired(values, today(work))) throw new Problem(EXPIRY_IN_PAST);
  await requireNotRecalled(work, values);
  planStockCheck(work);
  return createBatch(work, values, { kind: 'received', quantity: received });
}

/**
 * Corrects what is written on a batch.
 * @throws Problem BATCH_NOT_FOUND, BATCH_RECALLED, BATCH_RETURNED, BATCH_EXISTS, BATCH_EXPIRED.
 */
export async function changeBatch(
  work: Work,
  id: string,
  changes: Omit<z.output<typeof batchChanges>, 'version'>,
  version: number | undefined,
): Promise<Batch> {
  const own = records(work, batches);
  const { drugId } = await own.read(id);
  // So that nobody recalls its new number meanwhile.
  await lockDrug(work, drugId);
  const batch = await own.lock(id, version);
  // A recall is by the number.
  requireUsable(batch);
  if (changes.batchNo !== undefined) await requireNotRecalled(work, { drugId, batchNo: changes.batchNo });
  const isLater = changes.expiresOn !== undefined && changes.expiresOn > batch.expiresOn.slice(0, 10);
  if (isLater && isExpired(batch, today(work))) throw new Problem(BATCH_EXPIRED);
  return own.update(batch, changes);
}

/** All parts of a batch: those at other locations, and what patients have returned. */
export async function partsOf(
  { trx }: Work,
  { drugId, batchNo }: Pick<Batch, 'drugId' | 'batchNo'>,
): Promise<readonly { readonly id: string; readonly status: string }[]> {
  return trx.query<{ id: string; status: string }>(PARTS_OF, [drugId, batchNo]);
}

/** Receives more units of a batch. @throws Problem BATCH_NOT_FOUND, BATCH_RECALLED, BATCH_RETURNED, EXPIRY_IN_PAST. */
export async function receiveMore(work: Work, id: string, body: z.output<typeof receipt>): Promise<Batch> {
  const batch = await lockBatch(work, id, body.version);
  requireUsable(batch);
  if (isExpired(batch, today(work))) throw new Problem(EXPIRY_IN_PAST);
  return move(work, batch, { kind: 'received', quantity: body.quantity, reason: body.reason });
}

/** Corrects what is on hand. @throws Problem BATCH_NOT_FOUND, BATCH_RECALLED, BATCH_RETURNED, INSUFFICIENT_STOCK. */
export async function adjust(work: Work, id: string, body: z.output<typeof adjustment>): Promise<Batch> {
  const batch = await lockBatch(work, id, body.version);
  requireUsable(batch);
  return move(work, batch, { kind: 'adjusted', quantity: body.quantity, reason: body.reason });
}

/**
 * Moves units to another location, which keep their last day and their state.
 * @returns the batch from which they were taken.
 * @throws Problem BATCH_NOT_FOUND, BATCH_RECALLED, BATCH_RETURNED, INSUFFICIENT_STOCK, SAME_LOCATION, BATCH_DIFFERS,
 * BATCH_EXISTS.
 */
export async function transferUnits(work: Work, id: string, body: z.output<typeof transfer>): Promise<Batch> {
  const own = records(work, batches);
  const { drugId, batchNo } = await own.read(id);
  // So that nobody recalls the batch, or begins it at that location, meanwhile.
  await lockDrug(work, drugId);
  const [there] = await work.trx.query<{ id: string }>(AT, [drugId, batchNo, body.location]);
  if (there?.id === id) throw new Problem(SAME_LOCATION);
  const locked = await lockBatches(work, there ? [id, there.id] : [id]);
  const from = await own.lock(id, body.version);
  requireUsable(from);
  const { status, statusReason, costPrice } = from;
  const expiresOn = from.expiresOn.slice(0, 10);
  const to = there && batchIn(locked, there.id);
  // Somebody may have corrected its location just now, too.
  const isThere = to?.location.toLowerCase() === body.location.toLowerCase();
  if (to && !(isThere && to.status === status && to.expiresOn === from.expiresOn)) {
    const { location } = to;
    throw new Problem(BATCH_DIFFERS, {
      details: { batches: [{ id: to.id, location, status: to.status, expiresOn: to.expiresOn.slice(0, 10) }] },
    });
  }
  // Units are taken before they are put elsewhere: fewer may be on hand.
  const moved = { kind: 'transferred', quantity: body.quantity, reason: body.reason, otherBatchId: id } as const;
  if (from.onHand < body.quantity) return move(work, from, { ...moved, quantity: -body.quantity });
  const put = to
    ? await move(work, to, moved)
    : await createBatch(
        work,
        { drugId, batchNo: from.batchNo, location: body.location, expiresOn, status, statusReason, costPrice },
        moved,
      );
  return move(work, from, { ...moved, quantity: -body.quantity, otherBatchId: put.id });
}

/** Destroys units, of whatever state. @throws Problem BATCH_NOT_FOUND, INSUFFICIENT_STOCK. */
export async function discard(work: Work, id: string, body: z.output<typeof discarding>): Promise<Batch> {
  const batch = await lockBatch(work, id, body.version);
  return move(work, batch, { kind: 'discarded', quantity: -body.quantity, reason: body.reason });
}

/** Keeps a batch from being dispensed. @throws Problem BATCH_NOT_FOUND, INVALID_STATE. */
export async function quarantine(work: Work, id: string, body: z.output<typeof withReason>): Promise<Batch> {
  const batch = await lockBatch(work, id, body.version);
  return records(work, batches).moveTo(batch, 'quarantined', { statusReason: body.reason });
}

/**
 * Lets a quarantined batch be dispensed again. Returned units go to the batch from which they came.
 * @returns the batch that has the units now.
 * @throws Problem BATCH_NOT_FOUND, INVALID_STATE.
 */
export async function release(work: Work, id: string, body: z.output<typeof withReason>): Promise<Batch> {
  const own = records(work, batches);
  const { returnedFromId } = await own.read(id);
  if (returnedFromId === null) {
    return own.moveTo(await lockBatch(work, id, body.version), 'active', { statusReason: null });
  }
  const locked = await lockBatches(work, [id, returnedFromId]);
  const [returned, origin] = [batchIn(locked, id), batchIn(locked, returnedFromId)];
  if (origin.status === 'recalled') throw new Problem(BATCH_RECALLED);
  if (returned.onHand === 0) return origin;
  const moved = { kind: 'released', reason: body.reason } as const;
  await move(work, returned, { ...moved, quantity: -returned.onHand });
  return move(work, origin, { ...moved, quantity: returned.onHand });
}

/**
 * Recalls a batch for good, wherever units of it are.
 * @returns all of its parts.
 * @throws Problem BATCH_NOT_FOUND, STALE_VERSION, INVALID_STATE if it is recalled already.
 */
export async function recall(work: Work, id: string, body: z.output<typeof withReason>): Promise<readonly Batch[]> {
  const own = records(work, batches);
  const { drugId, batchNo } = await own.read(id);
  // So that nobody receives units of it at another location meanwhile.
  await lockDrug(work, drugId);
  const parts = await work.trx.query<{ id: string }>(PARTS, [drugId, batchNo]);
  const locked = [...(await byIds(work, parts)).values()];
  await own.lock(id, body.version);
  const left = locked.filter((batch) => batch.id === id || batch.status !== 'recalled');
  return Promise.all(left.map((batch) => own.moveTo(batch, 'recalled', { statusReason: body.reason })));
}

/** Locks all batches of these drugs that have units. @returns the batches by drug. */
export async function lockStock(
  work: Work,
  drugIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Batch[]>> {
  const locked = await work.trx.query<{ id: string }>(STOCK, [drugIds]);
  return Map.groupBy((await byIds(work, locked)).values(), ({ drugId }) => drugId);
}

/** The same batches without locks, to show what would be taken. */
export async function stockOf(work: Work, drugIds: readonly string[]): Promise<ReadonlyMap<string, readonly Batch[]>> {
  const rows = await work.trx.query<{ id: string }>(IN_STOCK, [drugIds]);
  return Map.groupBy((await byIds(work, rows)).values(), ({ drugId }) => drugId);
}

/** Takes units out of a locked batch for a patient. */
export function takeOut(work: Work, batch: Batch, quantity: number, dispenseId: string): Promise<Batch> {
  return move(work, batch, { kind: 'dispensed', quantity: -quantity, dispenseId });
}

/** Units that come back, and the batch from which they were dispensed. */
interface Returned {
  readonly drugId: string;
  readonly batchId: string;
  readonly quantity: number;
}

/** Takes units back from a patient, into quarantine. */
export async function takeBack(
  work: Work,
  returned: readonly Returned[],
  movement: { readonly dispenseId: string; readonly reason: string },
): Promise<void> {
  // So that nobody else begins a batch of returned units meanwhile.
  for (const drugId of [...new Set(returned.map((one) => one.drugId))].sort()) await lockDrug(work, drugId);
  const ids = returned.map(({ batchId }) => batchId);
  const locked = await byIds(work, await work.trx.query<{ id: string }>(WITH_RETURNED, [ids]));
  const kept = new Map([...locked.values()].map((batch) => [batch.returnedFromId, batch]));
  for (const { batchId, quantity } of returned) {
    const given = { kind: 'returned', quantity, ...movement } as const;
    const before = kept.get(batchId);
    kept.set(batchId, await (before ? move(work, before, given) : keep(work, batchIn(locked, batchId), given)));
  }
}

/** Begins a batch of returned units. */
function keep(
  work: Work,
  { id, drugId, batchNo, location, expiresOn, status }: Batch,
  movement: Movement,
): Promise<Batch> {
  const values = { drugId, batchNo, location, expiresOn: expiresOn.slice(0, 10), returnedFromId: id };
  const kept = status === 'recalled' ? 'recalled' : 'quarantined';
  return createBatch(work, { ...values, status: kept, statusReason: movement.reason ?? null }, movement);
}

/** Whether a locked drug has or had stock. */
export async function hasBatches({ trx }: Work, drugId: string): Promise<boolean> {
  return (await trx.query('SELECT FROM stock_batches WHERE drug_id = $1 LIMIT 1', [drugId])).length > 0;
}

function lockBatch(work: Work, id: string, version: number | undefined): Promise<Batch> {
  return records(work, batches).lock(id, version);
}

async function requireNotRecalled(work: Work, number: Pick<Batch, 'drugId' | 'batchNo'>): Promise<void> {
  const parts = await partsOf(work, number);
  if (parts.some(({ status }) => status === 'recalled')) throw new Problem(BATCH_RECALLED);
}

function requireUsable({ status, returnedFromId }: Batch): void {
  if (returnedFromId !== null) throw new Problem(BATCH_RETURNED);
  if (status === 'recalled') throw new Problem(BATCH_RECALLED);
}

const IN_STOCK = 'SELECT id FROM stock_batches WHERE drug_id = ANY($1) AND on_hand > 0 ORDER BY id';
const STOCK = `${IN_STOCK} FOR UPDATE`;
const AT = `
  SELECT id FROM stock_batches
  WHERE drug_id = $1 AND lower(batch_no) = lower($2) AND lower(location) = lower($3) AND returned_from_id IS NULL`;
const PARTS_OF = 'SELECT id, status FROM stock_batches WHERE drug_id = $1 AND lower(batch_no) = lower($2)';
const PARTS = `
  SELECT id FROM stock_batches WHERE drug_id = $1 AND lower(batch_no) = lower($2) ORDER BY id FOR UPDATE`;
const WITH_RETURNED = `
  SELECT id FROM stock_batches WHERE id = ANY($1) OR returned_from_id = ANY($1) ORDER BY id FOR UPDATE`;
