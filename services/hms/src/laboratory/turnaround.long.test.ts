import type { ShownOrder } from '@hms/domain/lab-orders';
import type { LabTestWithRanges } from '@hms/domain/lab-tests';
import { hospitalNames } from '@hms/tenancy';
import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  activeTest,
  colleague,
  doctor,
  done,
  get,
  hms,
  item,
  mary,
  ORDERS,
  order,
  POTASSIUM,
  resultIds,
  SODIUM,
  useLaboratory,
} from './testing.ts';

useLaboratory();

let potassium: LabTestWithRanges;
beforeEach(async () => {
  potassium = await activeTest({ ...POTASSIUM, turnaroundMinutes: 60 });
});

const read = (query: string) => get(`${ORDERS}/turnaround?${query}`, doctor);
const DAY = 'from=2026-03-01&to=2026-03-02';

/** A verified order whose steps took so many minutes, from 10:00 in Jakarta on March 1. */
async function orderWith(minutes: readonly [collect: number, receive: number, result: number, verify: number]) {
  const placed = await order([potassium]);
  await done(placed, 'collect');
  const entered = await done(placed, 'results', { results: [{ itemId: item(placed).id, value: '4' }] });
  await done(placed, 'verify', { resultIds: resultIds(entered) }, colleague);
  await moveTimes(placed, minutes);
}

const START = Date.parse('2026-03-01T03:00:00Z');
const table = (name: string) => hms.operator(`${hospitalNames(mary.hospital.prefix).schema}.${name}`);

async function moveOrder({ id }: Pick<ShownOrder, 'id'>): Promise<void> {
  await table('lab_orders')
    .where({ id })
    .update({ created_at: new Date(START) });
}

async function moveTimes({ id }: ShownOrder, minutes: readonly number[]): Promise<void> {
  const at = (steps: number) => new Date(START + minutes.slice(0, steps).reduce((a, b) => a + b, 0) * 60_000);
  await moveOrder({ id });
  await table('lab_specimens')
    .where({ order_id: id })
    .update({ collected_at: at(1), received_at: at(2) });
  await table('lab_order_items')
    .where({ order_id: id })
    .update({ resulted_at: at(3), verified_at: at(4) });
}

describe('the turnaround', () => {
  it('has half and nine tenths of each step, and the share that was in time', async () => {
    for (const result of [10, 20, 30, 40, 50]) await orderWith([5, 3, result, 7]);
    const waiting = await order([potassium]);
    await moveOrder(waiting);
    const answer = await read(DAY);
    expect(answer).toMatchObject({ status: 200 });
    const same = (minutes: number) => ({ count: 5, p50: minutes, p90: minutes });
    expect(answer.data()).toMatchObject([
      {
        ...{ testId: potassium.id, code: 'K', ordered: 6, turnaroundMinutes: 60 },
        steps: { collect: same(5), receive: same(3), result: { count: 5, p50: 30, p90: 46 }, verify: same(7) },
        total: { count: 5, p50: 45, p90: 61 },
        // One of five took 65 minutes.
        onTime: 0.8,
      },
    ]);
  });

  it('is apart for each priority', async () => {
    await orderWith([1, 1, 1, 1]);
    await moveOrder(await order([potassium], { priority: 'stat' }));
    const rows = (await read(DAY)).data<{ code: string; priority: string; ordered: number; onTime: number | null }[]>();
    expect(rows.map(({ code, priority, ordered, onTime }) => [code, priority, ordered, onTime])).toEqual([
      ...[['K', 'stat', 1, null] as const, ['K', 'routine', 1, 1] as const],
    ]);
  });

  it('is of the period, the priority, the test and the department', async () => {
    const sodium = await activeTest(SODIUM);
    await orderWith([1, 1, 1, 1]);
    await moveOrder(await order([sodium], { priority: 'stat' }));
    const codes = async (query: string) => (await read(query)).data<{ code: string }[]>().map(({ code }) => code);
    expect(await codes(DAY)).toEqual(['K', 'NA']);
    // The day begins at midnight in Jakarta.
    expect(await codes('from=2026-03-01T03:00:01Z&to=2026-03-02')).toEqual([]);
    expect(await codes(`${DAY}&priority=stat`)).toEqual(['NA']);
    expect(await codes(`${DAY}&testId=${potassium.id}`)).toEqual(['K']);
    expect(await codes(`${DAY}&departmentId=${potassium.id}`)).toEqual([]);
  });

  it.each(['from=2026-03-02&to=2026-03-01', 'from=2026-03-01&to=2026-03-01', 'from=2025-01-01&to=2026-03-01'])(
    'of %s is refused',
    async (query) => {
      expect(await read(query)).toMatchObject({ status: 422, error: { code: 'RANGE_TOO_WIDE' } });
    },
  );
});
