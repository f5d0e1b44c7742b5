/**
 * How an order changes: its row is locked, something happens to its parts, and then its state follows from them.
 *
 * Locks are taken in this order, so that two requests can't deadlock: the patient, the tests by id, orders by id, the
 * counters. Whoever has locked an order may change all its parts.
 */
import { INVALID_STATE, Problem, records, type Work } from '@hms/service';
import { LAB_RESULT_CHANGED, LAB_RESULT_NOT_FOUND } from './errors.ts';
import { factsOf, type Item, type Parts, partsOfOne } from './parts.ts';
import { type LabOrder, labOrders } from './record.ts';
import { labReport } from './report-task.ts';
import { orderState } from './state.ts';

export interface LockedOrder extends Parts {
  readonly order: LabOrder;
}

/** @throws Problem LAB_ORDER_NOT_FOUND, STALE_VERSION. */
export async function lockOrder(work: Work, id: string, version: number | undefined): Promise<LockedOrder> {
  const order = await records(work, labOrders).lock(id, version);
  return { order, ...(await partsOfOne(work, order)) };
}

/** The item with this current result. @throws Problem LAB_RESULT_CHANGED for a former version, LAB_RESULT_NOT_FOUND. */
export async function itemOf({ trx }: Work, { order, items }: LockedOrder, resultId: string): Promise<Item> {
  const item = items.find(({ result }) => result?.id === resultId);
  if (item) return item;
  const former = await trx.query('SELECT FROM lab_results WHERE id = $1 AND order_id = $2', [resultId, order.id]);
  throw new Problem(former.length > 0 ? LAB_RESULT_CHANGED : LAB_RESULT_NOT_FOUND);
}

/** Writes the state of a locked order after a change of its parts, and requests the report when it is complete. */
export async function settleOrder(
  work: Work,
  before: LabOrder,
  values: Partial<Pick<LabOrder, 'revision' | 'amendedAt' | 'cancelReason'>> = {},
): Promise<LabOrder> {
  const own = records(work, labOrders);
  const parts = await partsOfOne(work, before);
  const { status, ...left } = orderState(parts.items.map(factsOf), parts.specimens);
  const changes = { ...left, ...timesOf(parts, before), ...values };
  const after =
    status === before.status ? await own.update(before, changes) : await own.moveTo(before, status, changes);
  const { id: orderId, revision } = after;
  if (isComplete(after) && (revision !== before.revision || !isComplete(before)))
    work.addTask(labReport, { orderId, revision }, { key: orderId });
  return after;
}

/** Whether every result is verified, so that there is something to report. */
export function isComplete({ status, toVerify }: LabOrder): boolean {
  return (status === 'verified' || status === 'amended') && toVerify === 0;
}

/** @param from the status. @param message what is not allowed, and what to do. @throws Problem INVALID_STATE. */
export function refuseState(from: string, message: string, allowed: readonly string[] = []): never {
  throw new Problem(INVALID_STATE, { message, details: { from, allowed } });
}

/** PostgreSQL's clock, which all times of records come from. */
export async function now({ trx }: Work): Promise<Date> {
  const [row] = await trx.query<{ now: Date }>('SELECT moment() AS now');
  if (!row) throw new Error('PostgreSQL has no time');
  return row.now;
}

/** When an order has reached each step, from its parts. */
function timesOf({ items, specimens }: Parts, { verifiedAt }: LabOrder) {
  const live = items.filter(({ cancelledAt }) => cancelledAt === null);
  const used = specimens.filter(({ status }) => status !== 'rejected' && status !== 'cancelled');
  const of = (column: 'resultedAt' | 'verifiedAt' | 'cancelledAt', some: readonly Item[]) =>
    lastOf(some.map((item) => item[column]?.toISOString() ?? null));
  const received = used.flatMap(({ receivedAt }) => receivedAt ?? []).sort();
  return {
    collectedAt: lastOf(used.map(({ collectedAt }) => collectedAt)),
    receivedAt: received[0] ?? null,
    resultedAt: of('resultedAt', live),
    // A later correction does not change when the results were first known.
    verifiedAt: verifiedAt ?? of('verifiedAt', live),
    cancelledAt: live.length === 0 ? of('cancelledAt', items) : null,
  };
}

/** The last of the times, or null if one is missing. */
function lastOf(times: readonly (string | null)[]): string | null {
  return times.includes(null) ? null : (times.toSorted().at(-1) ?? null);
}
