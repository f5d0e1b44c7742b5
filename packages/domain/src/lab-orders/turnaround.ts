/** How long each step takes, by test and priority. */

import { build } from '@hms/database';
import { fields, type Moment, moment, Problem, RANGE_TOO_WIDE, restrictTime, type Work } from '@hms/service';
import type { Knex } from 'knex';
import { z } from 'zod';
import { testsById } from '../lab-tests/lab-tests.ts';
import { testsOfDepartment } from '../lab-tests/record.ts';

/** A year. */
const MOST_DAYS = 366;
const DAY_MS = 86_400_000;

/** The most urgent first. */
const PRIORITIES = ['stat', 'urgent', 'routine'] as const;

export const turnaroundQuery = z.object({
  from: moment.describe('Ordered at this time or later; a date starts at midnight in the hospital'),
  to: moment.describe('Ordered before this time'),
  testId: fields.id.optional(),
  departmentId: fields.id.optional().describe('The department that does the tests'),
  priority: z.enum(PRIORITIES).optional(),
});

const step = z
  .object({
    count: z.int().describe('Tests that have reached the end of the step'),
    p50: z.number().nullable().describe('Minutes within which half of them took the step'),
    p90: z.number().nullable().describe('Minutes within which nine of ten took the step'),
  })
  .meta({ id: 'LabTurnaroundStep' });

export const turnaround = z
  .object({
    testId: z.uuid(),
    code: z.string(),
    name: z.string(),
    priority: z.enum(PRIORITIES),
    ordered: z.int().describe('Tests that were ordered in the period, without cancelled ones'),
    steps: z
      .object({
        collect: step.describe('From the order to the collection of the specimen'),
        receive: step.describe('From the collection until the laboratory has the specimen'),
        result: step.describe('From there to the first result'),
        verify: step.describe('From the first result to its verification'),
        report: step.describe('From the verification to the first report of the order'),
      })
      .describe('Of the last specimen, if one was rejected'),
    total: step.describe('From the order to the verification'),
    turnaroundMinutes: z.int().describe('What the catalogue expects of the total'),
    onTime: z.number().nullable().describe('Share of the verified ones that took no longer, from 0 to 1'),
  })
  .meta({ id: 'LabTurnaround' });
type Turnaround = z.output<typeof turnaround>;

/** Each test that was ordered in the period, by code and priority. @throws Problem RANGE_TOO_WIDE. */
export async function readTurnaround(
  work: Work,
  { from, to, testId, departmentId, priority }: z.output<typeof turnaroundQuery>,
): Promise<Turnaround[]> {
  const days = (dateOf(to).getTime() - dateOf(from).getTime()) / DAY_MS;
  if (days <= 0 || days > MOST_DAYS) throw new Problem(RANGE_TOO_WIDE);
  const rows: Knex.QueryBuilder = build
    .from('lab_order_items as item')
    .join('lab_orders as o', 'o.id', 'item.order_id')
    .join('lab_specimens as specimen', 'specimen.id', 'item.specimen_id')
    .whereNull('item.cancelled_at')
    .groupBy('item.test_id', 'o.priority')
    .select('item.test_id', 'o.priority', build.raw('count(*)::int AS ordered'));
  restrictTime(rows, 'o.created_at', { from, to }, work.hospital.timezone);
  if (testId !== undefined) rows.where('item.test_id', testId);
  if (departmentId !== undefined) rows.whereIn('item.test_id', testsOfDepartment(departmentId));
  if (priority !== undefined) rows.where('o.priority', priority);
  for (const [name, [begin, end]] of Object.entries(STEPS)) rows.select(build.raw(stepSql(name, begin, end)));
  const found = await work.trx.run<Row>(rows);
  const tests = await testsById(
    work,
    found.map(({ test_id }) => test_id),
  );
  const onTime = await work.trx.run<Key & { readonly on_time: number }>(onTimeOf(rows, tests));
  const shares = new Map(onTime.map((one) => [keyOf(one), one.on_time]));
  return found
    .flatMap(({ test_id, priority: own, ordered, ...measured }): Turnaround[] => {
      const test = tests.get(test_id);
      if (!test) return [];
      const { code, name, turnaroundMinutes } = test;
      const of = (step: keyof typeof STEPS) => stepOf(measured, step);
      const steps = {
        ...{ collect: of('collect'), receive: of('receive'), result: of('result') },
        ...{ verify: of('verify'), report: of('report') },
      };
      const share = shares.get(keyOf({ test_id, priority: own })) ?? null;
      const whole = { total: of('total'), turnaroundMinutes, onTime: share };
      return [{ testId: test_id, code, name, priority: own, ordered, steps, ...whole }];
    })
    .sort((one, other) => (one.code === other.code ? rankOf(one) - rankOf(other) : one.code < other.code ? -1 : 1));
}

/** Columns with the beginning and the end of each step. */
const STEPS = {
  collect: ['o.created_at', 'specimen.collected_at'],
  receive: ['specimen.collected_at', 'specimen.received_at'],
  result: ['specimen.received_at', 'item.resulted_at'],
  verify: ['item.resulted_at', 'item.verified_at'],
  report: ['item.verified_at', 'o.reported_at'],
  total: ['o.created_at', 'item.verified_at'],
} as const;

interface Key {
  readonly test_id: string;
  readonly priority: (typeof PRIORITIES)[number];
}

const keyOf = ({ test_id, priority }: Key) => `${test_id} ${priority}`;
const rankOf = ({ priority }: Turnaround) => PRIORITIES.indexOf(priority);

interface Row extends Key {
  readonly ordered: number;
  readonly [measured: string]: unknown;
}

/** Null until the end is reached. A specimen may have been collected before the order was entered: that took no time. */
function minutes(begin: string, end: string): string {
  return `(CASE WHEN ${end} < ${begin} THEN 0 ELSE extract(epoch FROM ${end} - ${begin}) / 60 END)`;
}

function stepSql(name: string, begin: string, end: string): string {
  const at = (share: number) =>
    `round((percentile_cont(${share}) WITHIN GROUP (ORDER BY ${minutes(begin, end)}))::numeric, 1)::float8`;
  return `count(${end})::int AS ${name}_count, ${at(0.5)} AS ${name}_p50, ${at(0.9)} AS ${name}_p90`;
}

function onTimeOf(rows: Knex.QueryBuilder, tests: Awaited<ReturnType<typeof testsById>>): Knex.QueryBuilder {
  const [begin, end] = STEPS.total;
  const expected = JSON.stringify(
    Object.fromEntries([...tests.values()].map(({ id, turnaroundMinutes }) => [id, turnaroundMinutes])),
  );
  const share = `round(avg((${minutes(begin, end)} <= (?::jsonb ->> item.test_id::text)::int)::int), 3)::float8`;
  return rows
    .clone()
    .clearSelect()
    .whereNotNull(end)
    .select('item.test_id', 'o.priority', build.raw(`${share} AS on_time`, [expected]));
}

function stepOf(measured: Readonly<Record<string, unknown>>, name: string) {
  const number = (column: string) => (measured[`${name}_${column}`] ?? null) as number | null;
  return { count: number('count') ?? 0, p50: number('p50'), p90: number('p90') };
}

/** Only for the width of a period: a day begins at another time in each zone. */
function dateOf(at: Moment): Date {
  return new Date('instant' in at ? at.instant : at.day);
}
