/** The rules of the books, against rows that somebody has bent by hand. */
import { type Invariants, planCheck } from '@hms/domain/payments';
import type { TaskOptions } from '@hms/service';
import { hospitalNames } from '@hms/tenancy';
import { expect, it } from '@jest/globals';
import { InvariantChecks } from './invariant-check.ts';
import {
  accountant,
  begunAt,
  draft,
  INVOICES,
  issued,
  line,
  mary,
  outcome,
  payment,
  success,
  useHospital,
  within,
} from './testing.ts';

useHospital();

const PATH = '/api/payment/reconciliation/invariants';
const broken = async () => {
  const all = await success<Invariants>('GET', PATH, undefined, accountant);
  return all.filter((rule) => rule.broken.length > 0).map(({ rule, broken: names }) => [rule, ...names]);
};

/** Changes rows as nobody can: without constraints. */
const bend = (text: string, values: readonly string[] = []) =>
  payment.operator.transaction(async (trx) => {
    await trx.raw(`SET LOCAL search_path TO ${hospitalNames(mary.hospital.prefix).schema}, extensions`);
    await trx.raw('SET CONSTRAINTS ALL DEFERRED');
    await trx.raw(text, [...values]);
  });

it('hold for what people do', async () => {
  const [one, two] = [await issued(line(1000, { taxBps: 1900 }), line(33)), await issued(line(500))];
  await draft(line(1));
  await draft();
  await success('POST', `${INVOICES}/${one.id}/pay`, { amount: 100 });
  await success('POST', `${INVOICES}/${one.id}/pay`);
  await success('POST', `${INVOICES}/${two.id}/void`, { reason: 'Wrong' });
  expect(await broken()).toEqual([]);
});

it('are broken by a number that is missing', async () => {
  await issued(line(1));
  await bend("UPDATE counters SET value = value + 1 WHERE series = 'invoice'");
  expect(await broken()).toEqual([['invoice numbers', String(new Date().getUTCFullYear())]]);
});

it('are checked in each night, and the metric has what is broken', async () => {
  await issued(line(1));
  await bend("UPDATE counters SET value = value + 1 WHERE series = 'invoice'");
  const checks = new InvariantChecks(payment.platform);
  expect(checks.measure.value()).toBe(0);
  await within(async (work) => checks.task.run(work, {}, undefined));
  expect(checks.measure.value()).toBe(1);
});

it.each([
  ['2026-11-26T22:30:00Z', '2026-11-27T02:00:00.000Z'],
  ['2026-11-27T01:59:00Z', '2026-11-27T02:00:00.000Z'],
  ['2026-11-27T02:00:00Z', '2026-11-28T02:00:00.000Z'],
])('at %s, the coming night is %s', async (now, night) => {
  const planned: TaskOptions[] = [];
  await within(async (work) =>
    planCheck({
      ...work,
      hospital: { ...work.hospital, timezone: 'Africa/Accra' },
      trx: begunAt(work.trx, new Date(now)),
      addTask: (_task, _input, options = {}) => void planned.push(options),
    }),
  );
  expect(planned).toMatchObject([{ runAt: new Date(night), key: `payment-invariants ${night.slice(0, 10)}` }]);
});

it('are for accounting', async () => {
  expect(await outcome('GET', PATH)).toBe('FORBIDDEN');
  expect(await outcome('GET', PATH, undefined, accountant)).toBe(200);
});
