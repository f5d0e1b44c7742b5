/** Every figure a second time, of 90 days in three zones. In one of them the clock changes at midnight. */
import type { TestModule } from '@hms/service/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { REPORTS } from './reports/reports.ts';
import { expectNaive, expectRecords, type Subject } from './testing/agreement.ts';
import { seededHospital, startReports } from './testing/hospital.ts';

const SLOW = 300_000;
/** The last of 90 days, in the evening. */
const NOW = new Date('2026-05-10T18:00:00Z');

let module: TestModule;

beforeAll(async () => {
  module = await startReports();
});
afterAll(() => module.close());

describe.each(['Africa/Cairo', 'Asia/Kathmandu', 'America/Santiago'])('in %s', (timezone) => {
  let subject: Subject;

  beforeAll(async () => {
    const hospital = await seededHospital(module, { timezone, now: NOW, days: 90, patients: 120 });
    subject = { module, hospital, token: await hospital.token(['OWNER']), from: '2026-02-10', to: '2026-05-11' };
  }, SLOW);

  it.each(REPORTS.map((report) => [report.name, report] as const))(
    '%s',
    async (_, report) => {
      expect(await expectNaive(subject, report)).toBeGreaterThan(0);
      expect(await expectRecords(subject, report)).toBeGreaterThan(0);
    },
    SLOW,
  );
});
