/** What the hospital tells everybody who waits. */
import { moduleEnv } from '@hms/local';
import { createTestHospital, startTestModule, type TestHospital, type TestModule } from '@hms/service/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { platform } from '../../../../test/platform.ts';
import { hmsModule } from '../module.ts';

const NOTICES = '/api/hms/notices';
let hms: TestModule;
let mary: TestHospital;
let admin: string;

beforeAll(async () => {
  hms = await startTestModule({
    databaseUrls: platform().databaseUrls,
    define: hmsModule,
    // Tasks of other suites' hospitals are this process's as well, and they store files.
    s3: moduleEnv(platform()),
  });
});
afterAll(() => hms.close());
beforeEach(async () => {
  mary = await createTestHospital(hms.operator, hms.issuer);
  admin = await mary.token(['ADMIN']);
});

const call = (method: string, path: string, body?: object, token = admin) =>
  hms.send(method, `${NOTICES}${path}`, { token, ...(body ? { body } : {}) });
const outcome = async (method: string, path: string, body?: object, token = admin) => {
  const { success, status, error } = await call(method, path, body, token);
  return success ? status : error.code;
};
const made = async (body: object) => (await call('POST', '', body)).data<{ readonly id: string }>();

it('are written by administrators, and read by everybody who works there', async () => {
  const { id } = await made({ text: ' Please  wear a mask ', validTo: '2026-12-31' });
  const nurse = await mary.token(['NURSE']);
  expect((await call('GET', `/${id}`, undefined, nurse)).data()).toMatchObject({
    ...{ text: 'Please  wear a mask', validFrom: null, validTo: expect.stringMatching(/^2026-12-31/) },
  });
  expect((await call('GET', '?q=mask', undefined, nurse)).meta).toMatchObject({ total: 1 });
  expect(await outcome('POST', '', { text: 'X' }, nurse)).toBe('FORBIDDEN');
  expect(await outcome('PUT', `/${id}`, { text: 'X' }, nurse)).toBe('FORBIDDEN');
  expect(await outcome('DELETE', `/${id}`, undefined, nurse)).toBe('FORBIDDEN');
  expect(await outcome('GET', '', undefined, await mary.token(['DISPLAY']))).toBe('FORBIDDEN');
  expect(await outcome('DELETE', `/${id}`)).toBe(200);
  expect((await call('GET', '', undefined, nurse)).meta).toMatchObject({ total: 0 });
});

it('belong to one hospital', async () => {
  const { id } = await made({ text: 'Closed on Friday' });
  const other = await (await createTestHospital(hms.operator, hms.issuer)).token(['OWNER']);
  for (const method of ['GET', 'PUT', 'DELETE'])
    expect(await outcome(method, `/${id}`, method === 'PUT' ? { text: 'X' } : undefined, other)).toBe(
      'NOTICE_NOT_FOUND',
    );
});

it('can be for one day, and never end before they begin', async () => {
  const day = '2026-12-24';
  const { id } = await made({ text: 'Closed today', validFrom: day, validTo: day });
  const refused = await call('POST', '', { text: 'X', validFrom: day, validTo: '2026-12-23' });
  expect(refused).toMatchObject({
    ...{ status: 422, error: { code: 'NOTICE_DAYS', details: { fields: [{ field: 'validTo' }] } } },
  });
  expect(await outcome('PUT', `/${id}`, { validFrom: '2026-12-25' })).toBe('NOTICE_DAYS');
  expect(await outcome('PUT', `/${id}`, { validFrom: '2026-12-25', validTo: null })).toBe(200);
  expect(await outcome('PUT', `/${id}`, { validFrom: null, validTo: '2020-01-01' })).toBe(200);
});

it.each<[object, string]>([
  [{}, 'text'],
  [{ text: ' ' }, 'text'],
  [{ text: 'a'.repeat(201) }, 'text'],
  [{ text: 'a\nb' }, 'text'],
  [{ text: 'X', validFrom: '2026-02-30' }, 'validFrom'],
  [{ text: 'X', validTo: 'tomorrow' }, 'validTo'],
])('refuse %j', async (body, field) => {
  const answer = await call('POST', '', body);
  expect(answer).toMatchObject({ status: 400, error: { details: { fields: [{ field }] } } });
});
