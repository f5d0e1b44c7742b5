/** Anybody can check whether a document is genuine, and learns nothing about a person. */
import { createHash } from 'node:crypto';
import { createTestHospital, startTestModule, type TestModule } from '@hms/service/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { platform } from '../../../test/platform.ts';
import { verifyRoute } from './verify.ts';

let auth: TestModule;
const sha256Of = (text: string) => createHash('sha256').update(text).digest('hex');
const verify = (sha256: string) => auth.send('GET', `/api/auth/verify/${sha256}`);

beforeAll(async () => {
  auth = await startTestModule({
    databaseUrls: platform().databaseUrls,
    databaseRole: 'auth',
    define: (own) => ({ name: 'auth', version: '1', title: 'Auth', routes: [verifyRoute(own)] }),
  });
});
afterAll(() => auth.close());

it('says which hospital issued a document and when, and nothing else', async () => {
  const { hospital } = await createTestHospital(auth.operator, auth.issuer);
  const sha256 = sha256Of(`a document of ${hospital.prefix}`);
  expect(await verify(sha256)).toMatchObject({ status: 404, error: { code: 'DOCUMENT_UNKNOWN' } });
  for (let times = 0; times < 2; times += 1) {
    await auth.platform.tenants.inTenant(hospital, (trx) => trx.query('SELECT platform.issue_document($1)', [sha256]));
  }
  const answer = await verify(sha256.toUpperCase());
  expect(answer).toMatchObject({ status: 200 });
  expect(answer.data()).toEqual({ hospital: hospital.displayName, issuedAt: expect.stringMatching(/^\d{4}-.*Z$/) });
});

it.each(['abc', `${sha256Of('x')}0`, `${'g'.repeat(64)}`, '%00'])('refuses %s, which is no hash', async (text) => {
  expect(await verify(text)).toMatchObject({ status: 400, error: { code: 'INVALID_ID' } });
});

it('is not told that a hospital issued a document by anybody but the hospital', async () => {
  const sha256 = sha256Of(`forged ${Math.random()}`);
  await auth.platform.db.raw('SELECT platform.issue_document(?)', [sha256]);
  expect(await verify(sha256)).toMatchObject({ status: 404 });
});
