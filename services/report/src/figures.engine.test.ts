/** Every figure a second time, and the lists behind them, in days in which the clock changes. */
import type { TestModule } from '@hms/service/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Figures } from './figures.ts';
import { REPORTS } from './reports/reports.ts';
import { expectNaive, expectRecords, expectSums, type Subject } from './testing/agreement.ts';
import { seededHospital, startReports } from './testing/hospital.ts';

let module: TestModule;
let subject: Subject;

beforeAll(async () => {
  module = await startReports();
  const now = new Date('2026-04-01T22:00:00Z');
  const hospital = await seededHospital(module, { timezone: 'Europe/Dublin', now, days: 12, patients: 120 });
  subject = { module, hospital, token: await hospital.token(['OWNER']), from: '2026-03-21', to: '2026-04-02' };
}, 120_000);
afterAll(() => module.close());

it.each(REPORTS.map((report) => [report.name, report] as const))('%s', async (_, report) => {
  expect(await expectNaive(subject, report)).toBeGreaterThan(0);
  expect(await expectRecords(subject, report)).toBeGreaterThan(0);
});

it.each(['revenue', 'collections'])('%s by department has those of tests and of items', async (name) => {
  const { from, to, token } = subject;
  const query = `from=${from}&to=${to}&groupBy=department`;
  const { groups, total } = (await module.send('GET', `/api/report/${name}?${query}`, { token })).data<Figures>();
  const measure = Object.keys(total.values)[0] ?? '';
  const found = new Map(groups.map(({ keys, labels, values }) => [labels?.[0] ?? keys[0], values[measure] ?? 0]));
  for (const department of ['General medicine', 'Cardiology', 'Laboratory'])
    expect([department, (found.get(department) ?? 0) > 0]).toEqual([department, true]);
  expect([...found.values()].reduce((sum, one) => sum + one, 0)).toBe(total.values[measure]);
});

it.each(REPORTS.filter(({ of }) => of === 'period').map((report) => [report.name, report] as const))(
  '%s, whose groups add up in the period before, too',
  async (_, report) => {
    // These days are in two weeks, and those before in three. A month of 31 days is before one of 30.
    for (const to of ['2026-04-13', '2026-05-01'])
      expect(await expectSums(subject, report, { from: '2026-04-01', to })).toBeGreaterThan(0);
  },
);
