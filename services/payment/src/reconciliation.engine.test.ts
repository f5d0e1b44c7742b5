/** The rules of the books, against rows that somebody has bent by hand. */
import type { Invariants } from '@hms/domain/payments';
import { hospitalNames } from '@hms/tenancy';
import { expect, it } from '@jest/globals';
import { accountant, draft, INVOICES, issued, line, mary, outcome, payment, success, useHospital } from './testing.ts';

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

it('are for accounting', async () => {
  expect(await outcome('GET', PATH)).toBe('FORBIDDEN');
  expect(await outcome('GET', PATH, undefined, accountant)).toBe(200);
});
