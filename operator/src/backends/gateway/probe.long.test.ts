/** When the operator considers a hospital served, with real modules. */
import { moduleEnv } from '@hms/local';
import { createTestHospital, startTestModule, type TestHospital, type TestModule } from '@hms/service/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { platform } from '../../../../test/platform.ts';
import { tenantOf } from '../../hospital/tenant.ts';
import { hospitalObject } from '../../hospital/testing.ts';
import { notServed } from './probe.ts';

const s3 = moduleEnv(platform());
const hms = { name: 'hms', version: '0', title: 'hms', routes: [], constraints: {} };
let module: TestModule;
let mary: TestHospital;

beforeAll(async () => {
  module = await startTestModule({ databaseUrls: platform().databaseUrls, define: () => hms, s3 });
  mary = await createTestHospital(module.operator, module.issuer);
});
afterAll(() => module.close());

/** @param at the module that replaces the gateway. */
async function probe(
  at: TestModule,
  token: string,
  hospitalId = mary.hospital.id,
  { hospital } = mary,
): Promise<string | undefined> {
  const gateway = { hosts: ['mary.example'], origins: [], rateLimits: {} };
  const settings = { baseUrl: 'http://hms.example', domain: 'hms.example' };
  const { origins, ...tenant } = tenantOf(
    hospitalObject({ name: hospital.prefix, spec: { gateway } }),
    hospitalId,
    settings,
  );
  const options = { proxyUrl: at.url, baseUrl: settings.baseUrl, modules: ['hms'] as const };
  // Modules have no CORS rules, which belong to the gateway.
  return notServed(options, { ...tenant, origins: origins.slice(1) }, token);
}

describe('a hospital', () => {
  it('is served when a module answers a token without a role from its schema', async () => {
    expect(await probe(module, await mary.token([]))).toBeUndefined();
  });

  it('is not served when the module refuses its tokens', async () => {
    const other = await startTestModule({ databaseUrls: platform().databaseUrls, define: () => hms, s3 });
    const answer = await probe(other, await mary.token([]));
    await other.close();
    expect(answer).toBe(
      "host mary.example does not serve the hospital's people yet: hms answered a valid token with 401 UNAUTHENTICATED",
    );
  });

  it('is not served when the S3 server refuses the key of the module', async () => {
    const refused = await startTestModule({
      databaseUrls: platform().databaseUrls,
      define: () => hms,
      s3: { ...s3, S3_SECRET_ACCESS_KEY: 'revoked' },
    });
    const mary = await createTestHospital(refused.operator, refused.issuer);
    const answer = await probe(refused, await mary.token([]), mary.hospital.id, mary);
    await refused.close();
    expect(answer).toContain('hms answered a valid token with 503 STORAGE_UNAVAILABLE');
  });

  it('is not served when the module resolves another hospital, or may not use its schema', async () => {
    const token = await mary.token([]);
    expect(await probe(module, token, 'another id')).toContain('answered a valid token with 200');
    await mary.setState('Provisioning');
    module.platform.registry.forget(mary.hospital);
    expect(await probe(module, token)).toContain('503 HOSPITAL_NOT_READY');
    await mary.setState('Active');
    const schema = `h_${mary.hospital.prefix.replaceAll('-', '_')}`;
    await module.operator.raw(`REVOKE USAGE ON SCHEMA ${schema} FROM ${schema}`);
    expect(await probe(module, token)).toContain('500 INTERNAL_ERROR');
    await module.operator.raw(`GRANT USAGE ON SCHEMA ${schema} TO ${schema}`);
    expect(await probe(module, token)).toBeUndefined();
  });
});
