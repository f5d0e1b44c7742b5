/** Placing, changing and cancelling orders. */
import { fields, newId, Problem, records, type Work } from '@hms/service';
import { z } from 'zod';
import { addCharges, cancelCharges } from '../billing/charges/charges.ts';
import { holderOf } from '../employees/employees.ts';
import { employeeWith } from '../employees/people.ts';
import { holdOrdered } from '../lab-tests/lab-tests.ts';
import { MOST_TESTS } from '../lab-tests/record.ts';
import { holdSurvivor } from '../patients/merges.ts';
import { patientNameOf } from '../patients/names.ts';
import { lockOrder, refuseState, settleOrder } from './change.ts';
import { DOCTOR_NOT_ALLOWED, LAB_ITEM_NOT_FOUND, LAB_ORDER_EMPTY, LAB_ORDER_TOO_LARGE } from './errors.ts';
import { type LabOrder, labOrders, labSpecimens } from './record.ts';

const MOST_PANELS = 20;

export const newOrder = labOrders.create
  .extend({
    patientId: fields.id,
    doctorId: fields.id.nullish().describe('The employee who orders. Default: the caller'),
    testIds: fields.ids('test', MOST_TESTS).optional().describe('Single tests'),
    panelIds: fields
      .ids('panel', MOST_PANELS)
      .optional()
      .describe('Panels. A test that is in several of them is ordered once'),
  })
  .meta({ id: 'NewLabOrder' });

export const cancellation = z
  .object({
    reason: fields.line(200),
    itemIds: fields
      .ids('test', MOST_TESTS)
      .optional()
      .describe('Items of the order. Default: all that have no result. Others can not be cancelled'),
    version: fields.version,
  })
  .meta({ id: 'LabCancellation' });

/**
 * Orders tests for a patient. Those that need the same kind of specimen share one, whose number is given at once: its
 * label is printed before the specimen is collected.
 * @throws Problem LAB_ORDER_EMPTY, LAB_ORDER_TOO_LARGE, PATIENT_NOT_FOUND, DOCTOR_NOT_ALLOWED, and those of the tests.
 */
export async function placeOrder(work: Work, body: z.output<typeof newOrder>): Promise<LabOrder> {
  const { testIds = [], panelIds = [], priority, clinicalNote } = body;
  if (testIds.length + panelIds.length === 0) throw new Problem(LAB_ORDER_EMPTY);
  const doctorId = await doctorOf(work, body.doctorId);
  const patient = await holdSurvivor(work, body.patientId);
  const patientId = patient.id;
  const tests = await holdOrdered(work, { testIds, panelIds });
  if (tests.length > MOST_TESTS) throw new Problem(LAB_ORDER_TOO_LARGE);

  const orderId = newId();
  const specimens = [...Map.groupBy(tests, ({ test }) => test.specimenType.toLowerCase()).values()].map((some) => {
    return { id: newId(), type: some[0]?.test.specimenType, testIds: some.map(({ test }) => test.id) };
  });
  const items = tests.map(({ test, panelId }, position) => {
    const specimen = specimens.find(({ testIds: of }) => of.includes(test.id));
    const { id: test_id, code, name, loinc, price } = test;
    const row = { id: newId(), test_id, code, name, loinc, panel_id: panelId, specimen_id: specimen?.id, position };
    return { row, price };
  });
  const left = { toCollect: specimens.length, toReceive: 0, toResult: 0, toVerify: 0, toAcknowledge: 0 };
  const [order] = await Promise.all([
    records(work, labOrders).insert(
      { priority, clinicalNote, patientId, patientName: patientNameOf(patient), doctorId, ...left },
      orderId,
    ),
    ...specimens.map(({ id, type }) => records(work, labSpecimens).insert({ orderId, patientId, type }, id)),
    work.trx.query(INSERT_ITEMS, [orderId, JSON.stringify(items.map(({ row }) => row))]),
    addCharges(
      work,
      items.map(({ row: { id: sourceId, name }, price }) => ({
        ...{ patientId, sourceType: 'lab', sourceId, itemGroup: 'laboratory', description: name },
        ...{ unitPrice: price ?? null, quantity: 1, taxBps: 0 },
      })),
    ),
  ]);
  work.audit({
    action: 'create',
    record: 'lab_order_items',
    patientId,
    after: { orderId, tests: tests.map(({ test }) => test.code) },
  });
  return order;
}

/** Changes what the laboratory is told. @throws Problem INVALID_STATE once all results are verified. */
export async function changeOrder(
  work: Work,
  id: string,
  changes: z.output<typeof labOrders.changes>,
  version: number | undefined,
): Promise<LabOrder> {
  const own = records(work, labOrders);
  const before = await own.lock(id, version);
  if (before.verifiedAt !== null || before.status === 'cancelled') {
    refuseState(before.status, `An order that is ${before.status} can't be changed`);
  }
  return own.update(before, changes);
}

/** Cancels tests that have no result, each with the reason, and specimens that nobody needs then. */
export async function cancelOrder(
  work: Work,
  id: string,
  { reason, itemIds }: z.output<typeof cancellation>,
  version: number | undefined,
): Promise<LabOrder> {
  const { order, items, specimens } = await lockOrder(work, id, version);
  const waiting = items.filter(({ cancelledAt, result }) => cancelledAt === null && result === null);
  if (itemIds?.some((one) => !items.some((item) => item.id === one))) throw new Problem(LAB_ITEM_NOT_FOUND);
  const cancelled = itemIds?.map((one) => waiting.find((item) => item.id === one)) ?? waiting;
  if (cancelled.length === 0 || cancelled.includes(undefined)) {
    refuseState(order.status, 'Only tests without a result can be cancelled, and only once');
  }
  const ids = cancelled.flatMap((item) => item?.id ?? []);
  await work.trx.query(CANCEL_ITEMS, [ids, reason]);
  await cancelCharges(work, 'lab', ids);
  for (const recordId of ids) {
    const after = { status: 'cancelled', reason };
    work.audit({ action: 'transition', record: 'lab_order_items', recordId, patientId: order.patientId, after });
  }
  const isNeeded = (specimenId: string) =>
    items.some((item) => item.specimenId === specimenId && item.cancelledAt === null && !ids.includes(item.id));
  const unused = specimens.filter(
    ({ id: one, status }) => status !== 'rejected' && status !== 'cancelled' && !isNeeded(one),
  );
  await Promise.all(unused.map((specimen) => records(work, labSpecimens).moveTo(specimen, 'cancelled')));
  const isWhole = items.every(({ id: one, cancelledAt }) => cancelledAt !== null || ids.includes(one));
  return settleOrder(work, order, isWhole ? { cancelReason: reason } : {});
}

/** Whether anybody ever ordered a locked test. */
export async function isOrdered({ trx }: Work, testId: string): Promise<boolean> {
  return (await trx.query('SELECT FROM lab_order_items WHERE test_id = $1 LIMIT 1', [testId])).length > 0;
}

/** The named employee, or the caller's own. Null if the caller's account is no employee's. */
async function doctorOf(work: Work, named: string | null | undefined): Promise<string | null> {
  const id = named ?? (await holderOf(work, work.caller.sub));
  if (id === undefined) return null;
  // The caller's own permission was checked already.
  if (named && !(await employeeWith(work, named, 'lab-orders.write'))) throw new Problem(DOCTOR_NOT_ALLOWED);
  return id;
}

const CANCEL_ITEMS = 'UPDATE lab_order_items SET cancelled_at = moment(), cancel_reason = $2 WHERE id = ANY($1)';

const INSERT_ITEMS = `
  INSERT INTO lab_order_items (id, order_id, test_id, code, name, loinc, panel_id, specimen_id, position)
  SELECT id, $1, test_id, code, name, loinc, panel_id, specimen_id, position
  FROM jsonb_to_recordset($2::jsonb) AS item(id uuid, test_id uuid, code text, name text, loinc text, panel_id uuid,
    specimen_id uuid, position smallint)`;
