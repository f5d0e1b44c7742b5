/** Files that are written in the background: what is in them, whose they are, and what a cancellation ends. */
import { workFor } from '@hms/service';
import { createTestHospital, type TestHospital, type TestModule } from '@hms/service/testing';
import { hospitalNames } from '@hms/tenancy';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { until } from '../../../../test/support/until.ts';
import { addPasses, startReports } from '../testing/hospital.ts';
import { exportKey, exportRemoval, type ReportExport } from './exports.record.ts';

const PATH = '/api/report/exports';
const DAYS = { from: '2026-01-01', to: '2027-01-03' };

let module: TestModule;
let mary: TestHospital;
let token: string;

beforeAll(async () => {
  module = await startReports();
});
afterAll(() => module.close());
beforeEach(async () => {
  mary = await createTestHospital(module.operator, module.issuer);
  token = await mary.token(['OWNER']);
});

const call = (method: string, path: string, body?: object, as = token) =>
  module.send(method, path, { token: as, ...(body ? { body } : {}) });
const read = async (id: string) => (await call('GET', `${PATH}/${id}`)).data<ReportExport>();
const start = async (more: object = {}) => {
  const answer = await call('POST', PATH, { report: 'visitors', ...DAYS, to: '2026-12-31', ...more });
  expect([answer.status, answer.error]).toEqual([201, undefined]);
  return answer.data<ReportExport>().id;
};
const ends = async (id: string, status: string) => {
  return until(
    'the file',
    () => read(id),
    (one) => one.status === status,
  );
};

it('writes the whole list, with its progress, for who has asked for it only', async () => {
  await addPasses(module, mary, 'Jo', '=1+1');
  const filterNames = { place: 'Ward 1' };
  const id = await start({ hasBom: true, filterNames });
  expect(await ends(id, 'done')).toMatchObject({ rowsDone: 2, rowsTotal: 2, failReason: null, filterNames });
  const { url } = (await call('GET', `${PATH}/${id}/url`)).data<{ readonly url: string }>();
  const file = await fetch(url);
  const text = await file.text();
  expect(text.split('\r\n').map((line) => line.split(',')[2])).toEqual(['visitor', 'Jo', "'=1+1", undefined]);
  expect(file.headers.get('content-disposition')).toContain('visitors-2026-01-01-2026-12-31.csv');
  const other = await mary.token(['OWNER'], { claims: { sub: '0198a5a0-0000-7000-8000-000000000001' } });
  for (const path of [`${PATH}/${id}`, `${PATH}/${id}/url`])
    expect((await call('GET', path, undefined, other)).status).toBe(404);
  expect((await call('GET', PATH, undefined, other)).meta?.total).toBe(0);
  expect((await call('GET', PATH)).meta?.total).toBe(1);
});

it('refuses what is no report, no figure and no group, and what the caller may not see', async () => {
  const refused = async (body: object, as = token) =>
    (await call('POST', PATH, { ...DAYS, ...body }, as)).error.message;
  expect(await refused({ report: 'profit' })).toContain('report must be one of revenue');
  expect(await refused({ report: 'visitors' })).toContain('at most 366 days');
  const year = { report: 'visitors', to: '2026-12-31' };
  expect(await refused({ ...year, measure: 'profit' })).toContain('measure must be one of passes');
  expect(await refused({ ...year, filters: { method: 'CASH' } })).toContain('filters.method must be one of');
  expect(await refused(year, await mary.token(['ACCOUNTANT']))).toContain('reports.operational');
});

it('ends in PostgreSQL within a second when it is cancelled, and leaves no file', async () => {
  const { schema } = hospitalNames(mary.hospital.prefix);
  const waits = async () => {
    const { rows } = await module.operator.raw<{ rows: readonly object[] }>(
      `SELECT 1 FROM pg_locks WHERE relation = '${schema}.visitors'::regclass AND NOT granted`,
    );
    return rows.length > 0;
  };
  await addPasses(module, mary, 'Jo');
  await module.operator.transaction(async (trx) => {
    await trx.raw(`LOCK TABLE ${schema}.visitors IN ACCESS EXCLUSIVE MODE`);
    const id = await start();
    await until('the statement', waits, Boolean);
    expect((await call('POST', `${PATH}/${id}/cancel`)).status).toBe(200);
    const begin = Date.now();
    await until('its end', waits, (one) => !one);
    expect(Date.now() - begin).toBeLessThan(1_000);
    expect((await call('POST', `${PATH}/${id}/cancel`)).error.code).toBe('INVALID_STATE');
    expect((await call('GET', `${PATH}/${id}/url`)).error.code).toBe('INVALID_STATE');
    expect(await module.platform.storage.head(mary.hospital, exportKey(id))).toBeUndefined();
  });
});

it('deletes the file when its time is over', async () => {
  const id = await start();
  await ends(id, 'done');
  // As if a day had passed: this plan replaces the one for then.
  await workFor(module.platform, mary.hospital, 'test', async ({ addTask }) => {
    addTask(exportRemoval, { exportId: id }, { key: id });
  });
  await until(
    'the removal',
    () => call('GET', `${PATH}/${id}`),
    ({ status }) => status === 404,
  );
  expect(await module.platform.storage.head(mary.hospital, exportKey(id))).toBeUndefined();
});
