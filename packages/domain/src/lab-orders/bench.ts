/** What people at the bench see beside an order: how much waits, what a value is compared with, and how it is flagged. */
import { fields, Problem, records, type Work } from '@hms/service';
import { z } from 'zod';
import { range, rangeFor } from '../lab-tests/ranges.ts';
import { FLAGS, judge, readValue, UNFLAGGED } from '../lab-tests/values.ts';
import { samePerson } from '../patients/merges.ts';
import { LAB_ITEM_NOT_FOUND } from './errors.ts';
import { type Item, partsOfOne } from './parts.ts';
import { type LabOrder, type LabSpecimen, labOrders, TODOS, type Todo } from './record.ts';
import { type Catalogue, catalogueOf, testOf } from './results.ts';
import { subjectOf } from './subject.ts';

const MOST_VALUES = 100;
const TODO_NAMES = Object.keys(TODOS) as Todo[];

const waiting = z.int().min(0);
export const orderCounts = z
  .object({
    collect: waiting.describe('Orders with specimens to be collected'),
    receive: waiting.describe('Orders with specimens to be received by the laboratory'),
    result: waiting.describe('Orders with results to be entered'),
    verify: waiting.describe('Orders with results to be verified'),
    acknowledge: waiting.describe('Orders with critical results to be acknowledged'),
    escalated: waiting.describe('Those of them that nobody has answered in time'),
  } satisfies Readonly<Record<Todo | 'escalated', z.ZodType>>)
  .meta({ id: 'LabOrderCounts' });

const previous = z
  .object({
    orderId: z.uuid(),
    orderNo: z.string(),
    value: z.string(),
    unit: z.string().nullable(),
    flag: z.enum(FLAGS).nullable(),
    collectedAt: fields.timestamp,
  })
  .meta({ id: 'LabPreviousResult' });

export const comparison = z
  .object({
    needsSecondVerifier: z.boolean().describe('Whether another person than the one who entered a result verifies it'),
    items: z.array(
      z
        .object({
          itemId: z.uuid(),
          range: range.nullable().describe('The range for the patient at the collection, or now'),
          previous: previous
            .nullable()
            .describe('The verified result of the same test that was collected last before this one'),
        })
        .meta({ id: 'LabItemComparison' }),
    ),
  })
  .meta({ id: 'LabOrderComparison' });

export const typedValues = z
  .object({
    values: z
      .array(z.object({ itemId: fields.id, value: fields.line(500) }))
      .min(1)
      .max(MOST_VALUES),
  })
  .meta({ id: 'LabTypedValues' });

export const judgement = z
  .object({
    itemId: z.uuid(),
    flag: z.enum(FLAGS).nullable(),
    unflagged: z.enum(UNFLAGGED).nullable().describe('Why there is no flag'),
    isCritical: z.boolean(),
    problem: z.string().nullable().describe('Why the value would be refused. Then there is no flag'),
  })
  .meta({ id: 'LabJudgement' });

/** How many orders each kind of work waits for. */
export async function countOrders({ trx }: Work): Promise<z.output<typeof orderCounts>> {
  const counts = TODO_NAMES.map((name) => `count(*) FILTER (WHERE ${TODOS[name]} > 0)::int AS ${name}`);
  counts.push('count(*) FILTER (WHERE escalation > 0)::int AS escalated');
  const [row] = await trx.query<Record<Todo | 'escalated', number>>(
    `SELECT ${counts.join(', ')} FROM lab_orders WHERE is_open AND deleted_at IS NULL`,
  );
  if (!row) throw new Error('PostgreSQL counted nothing');
  return row;
}

/** What each value of an order is compared with. @throws Problem LAB_ORDER_NOT_FOUND. */
export async function compareOrder(work: Work, id: string): Promise<z.output<typeof comparison>> {
  const read = await readParts(work, id);
  const people = await samePerson(work, read.catalogue.patient.id);
  const former = new Map(
    (await work.trx.query<PreviousRow>(PREVIOUS, [id, people])).map(({ item_id, ...rest }) => [item_id, rest]),
  );
  return {
    needsSecondVerifier: work.hospital.settings.requireSecondVerifier,
    items: read.items.map((item) => {
      const before = former.get(item.id);
      return {
        itemId: item.id,
        range: rangeOf(work, read, item) ?? null,
        previous: before ? { ...before, collectedAt: before.collectedAt.toISOString() } : null,
      };
    }),
  };
}

/** Flags values while somebody types them, as they will be flagged. @throws Problem LAB_ORDER_NOT_FOUND, LAB_ITEM_NOT_FOUND. */
export async function judgeValues(
  work: Work,
  id: string,
  { values }: z.output<typeof typedValues>,
): Promise<z.output<typeof judgement>[]> {
  const read = await readParts(work, id);
  return values.map(({ itemId, value }) => {
    const item = read.items.find((one) => one.id === itemId);
    if (!item) throw new Problem(LAB_ITEM_NOT_FOUND);
    const test = testOf(read.catalogue, item);
    const written = readValue(test, value);
    if ('problem' in written)
      return { itemId, flag: null, unflagged: null, isCritical: false, problem: written.problem };
    return { itemId, ...judge(test, written.value, rangeOf(work, read, item)), problem: null };
  });
}

interface ReadParts {
  readonly order: LabOrder;
  readonly items: readonly Item[];
  readonly specimens: readonly LabSpecimen[];
  readonly catalogue: Catalogue;
}

async function readParts(work: Work, id: string): Promise<ReadParts> {
  const order = await records(work, labOrders).read(id);
  const parts = await partsOfOne(work, order);
  return { order, ...parts, catalogue: await catalogueOf(work, { order, ...parts }) };
}

function rangeOf({ trx, hospital }: Work, { catalogue, specimens }: ReadParts, { testId, specimenId }: Item) {
  const collectedAt = specimens.find(({ id }) => id === specimenId)?.collectedAt ?? trx.moment.toISOString();
  return rangeFor(catalogue.ranges.get(testId) ?? [], subjectOf(catalogue.patient, collectedAt, hospital.timezone));
}

interface PreviousRow {
  readonly item_id: string;
  readonly orderId: string;
  readonly orderNo: string;
  readonly value: string;
  readonly unit: string | null;
  readonly flag: (typeof FLAGS)[number] | null;
  readonly collectedAt: Date;
}

const PREVIOUS = `
  SELECT DISTINCT ON (own.id) own.id AS item_id, o.id AS "orderId", o.order_no AS "orderNo", r.value, r.unit, r.flag,
    s.collected_at AS "collectedAt"
  FROM lab_order_items own
    JOIN lab_specimens mine ON mine.id = own.specimen_id
    JOIN lab_order_items item ON item.test_id = own.test_id AND item.order_id <> own.order_id
    JOIN lab_orders o ON o.id = item.order_id
    JOIN lab_specimens s ON s.id = item.specimen_id
    JOIN lab_results r ON r.id = item.result_id
    JOIN lab_verifications v ON v.result_id = r.id
  WHERE own.order_id = $1 AND o.patient_id = ANY($2) AND item.cancelled_at IS NULL
    AND s.collected_at < COALESCE(mine.collected_at, moment())
  ORDER BY own.id, s.collected_at DESC`;
