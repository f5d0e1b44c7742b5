/** Specimens: collected, received by the laboratory, rejected and collected again. */
import { fields, newId, Problem, records, type Work } from '@hms/service';
import { z } from 'zod';
import { type LockedOrder, lockOrder, now, refuseState, settleOrder } from './change.ts';
import { COLLECTION_TIME_INVALID, LAB_SPECIMEN_NOT_FOUND } from './errors.ts';
import { accessionNoIn, type LabOrder, type LabSpecimen, labSpecimens } from './record.ts';

const MOST_SPECIMENS = 100;
/** A specimen may be collected before somebody enters the order, in an emergency or at home. In milliseconds. */
const EARLIEST_MS = 7 * 24 * 3_600_000;
/** Clocks of handheld devices differ. */
const CLOCK_SKEW_MS = 60_000;

const chosen = fields.ids('specimen', MOST_SPECIMENS).optional();

export const collection = z
  .object({
    specimenIds: chosen.describe('Default: all that are expected'),
    collectedAt: fields.instant.optional().describe('Default: now'),
    version: fields.version,
  })
  .meta({ id: 'LabCollection' });
export const receipt = z
  .object({ specimenIds: chosen.describe('Default: all that are collected'), version: fields.version })
  .meta({ id: 'LabReceipt' });
export const rejection = z
  .object({
    specimenId: fields.id,
    reason: fields.line(200).describe('Such as `Haemolysed`'),
    version: fields.version,
  })
  .meta({ id: 'LabRejection' });

/** @throws Problem LAB_SPECIMEN_NOT_FOUND, COLLECTION_TIME_INVALID, INVALID_STATE. */
export async function collect(
  work: Work,
  id: string,
  { specimenIds, collectedAt }: z.output<typeof collection>,
  version: number | undefined,
): Promise<LabOrder> {
  const locked = await lockOrder(work, id, version);
  const specimens = choose(locked, 'expected', specimenIds);
  const time = await now(work);
  const at = collectedAt ?? time.toISOString();
  if (!isPlausible(locked.order, at, time)) throw new Problem(COLLECTION_TIME_INVALID);
  const own = records(work, labSpecimens);
  const values = { collectedAt: at, collectedBy: work.caller.sub };
  await Promise.all(specimens.map((specimen) => own.moveTo(specimen, 'collected', values)));
  return settleOrder(work, locked.order);
}

/** The specimens have arrived at the laboratory. @throws Problem LAB_SPECIMEN_NOT_FOUND, INVALID_STATE. */
export async function receive(
  work: Work,
  id: string,
  { specimenIds }: z.output<typeof receipt>,
  version: number | undefined,
): Promise<LabOrder> {
  const locked = await lockOrder(work, id, version);
  await markReceived(work, choose(locked, 'collected', specimenIds));
  return settleOrder(work, locked.order);
}

/** Marks those that are only collected. Whoever enters a result has the specimen. */
export async function markReceived(work: Work, specimens: readonly LabSpecimen[]): Promise<void> {
  const own = records(work, labSpecimens);
  const receivedAt = (await now(work)).toISOString();
  await Promise.all(specimens.map((specimen) => own.moveTo(specimen, 'received', { receivedAt })));
}

/**
 * Rejects a specimen. Another one with a number of its own is expected in its place, so that nobody can confuse the two.
 * Results of the rejected one no longer count.
 * @throws Problem LAB_SPECIMEN_NOT_FOUND, INVALID_STATE also if a result of it is verified.
 */
export async function reject(
  work: Work,
  id: string,
  { specimenId, reason }: z.output<typeof rejection>,
  version: number | undefined,
): Promise<LabOrder> {
  const { order, items, specimens } = await lockOrder(work, id, version);
  const specimen = specimens.find((one) => one.id === specimenId);
  if (!specimen) throw new Problem(LAB_SPECIMEN_NOT_FOUND);
  const tests = items.filter((item) => item.specimenId === specimenId && item.cancelledAt === null);
  if (tests.some(({ verifiedAt }) => verifiedAt !== null)) {
    refuseState(order.status, 'A result of this specimen is verified: amend it instead of rejecting the specimen');
  }
  const own = records(work, labSpecimens);
  const rejectedAt = (await now(work)).toISOString();
  const replacement = newId();
  const { orderId, patientId, type } = specimen;
  await own.moveTo(specimen, 'rejected', { rejectedAt, rejectedBy: work.caller.sub, rejectReason: reason });
  await own.insert({ orderId, patientId, type, replacesId: specimenId }, replacement);
  await work.trx.query(MOVE_ITEMS, [specimenId, replacement]);
  return settleOrder(work, order);
}

/** The order of a scanned specimen. @throws Problem LAB_SPECIMEN_NOT_FOUND. */
export async function orderOfSpecimen({ trx }: Work, accessionNo: string): Promise<string> {
  const [found] = await trx.query<{ order_id: string }>(BY_ACCESSION_NO, [[accessionNoIn(accessionNo)]]);
  if (!found) throw new Problem(LAB_SPECIMEN_NOT_FOUND);
  return found.order_id;
}

/** Ids of orders by the numbers of their specimens. */
export async function ordersOfSpecimens(
  { trx }: Work,
  accessionNos: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await trx.query<{ accession_no: string; order_id: string }>(BY_ACCESSION_NO, [accessionNos]);
  return new Map(rows.map(({ accession_no, order_id }) => [accession_no, order_id]));
}

const BY_ACCESSION_NO = 'SELECT accession_no, order_id FROM lab_specimens WHERE accession_no = ANY($1)';

const MOVE_ITEMS = `
  UPDATE lab_order_items SET specimen_id = $2, result_id = NULL, resulted_at = NULL
  WHERE specimen_id = $1 AND cancelled_at IS NULL`;

/** @param ids default: all in that state. Others are refused when they are moved. */
function choose(
  { order, specimens }: LockedOrder,
  status: LabSpecimen['status'],
  ids: readonly string[] | undefined,
): readonly LabSpecimen[] {
  const found = ids?.map((id) => specimens.find((one) => one.id === id));
  if (found?.includes(undefined)) throw new Problem(LAB_SPECIMEN_NOT_FOUND);
  const all = found?.flatMap((one) => one ?? []) ?? specimens.filter((one) => one.status === status);
  if (all.length === 0) refuseState(order.status, `No specimen of the order is ${status}`);
  return all;
}

/** Whether something of an order can have happened then: not in the future, and not more than 7 days before the order. */
export function isPlausible({ createdAt }: Pick<LabOrder, 'createdAt'>, at: string, now: Date): boolean {
  const time = Date.parse(at);
  return time <= now.getTime() + CLOCK_SKEW_MS && time >= Date.parse(createdAt) - EARLIEST_MS;
}
