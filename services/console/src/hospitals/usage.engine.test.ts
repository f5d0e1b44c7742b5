/** The usage of hospitals in the console, while the API server is away: the console knows them from PostgreSQL. */
import { randomUUID } from 'node:crypto';
import type { Schemas } from '@hms/api-client';
import { addRequests, openTenantPool, recordUsage, type TenantPool } from '@hms/database';
import { createTestHospital, startTestModule, type TestHospital, type TestModule } from '@hms/service/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { platform } from '../../../../test/platform.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { consoleModule } from '../module.ts';
import { HOST_RULES, unreachableCluster } from '../testing.ts';

type Usage = Schemas['HospitalUsage'];

const FIGURES = { people: 12, patients: 3400, rows: 98_000, recordBytes: 5_000_000_000, files: 7, fileBytes: 1234 };
const { databaseUrls } = platform();

let modules: TestModule;
let tenants: TenantPool;
let cluster: Cluster;
let support: string;
let mary: TestHospital;
let console: TestModule;

beforeAll(async () => {
  tenants = openTenantPool(databaseUrls.app);
  modules = await startTestModule({
    databaseUrls,
    define: () => ({ name: 'example', version: '1.0.0', title: 'Example', routes: [] }),
  });
});
beforeEach(async () => {
  mary = await createTestHospital(modules.operator, modules.issuer);
  const { id, prefix } = mary.hospital;
  await know(prefix, { hospitalId: id });
  await start();
});
afterEach(() => console.close());
afterAll(async () => {
  await modules.operator.withSchema('platform').table('known_objects').whereIn('name', known).delete();
  await Promise.all([modules.close(), tenants.end()]);
});

const known: string[] = [];

async function know(prefix: string, status: object): Promise<void> {
  const metadata = { name: prefix, uid: randomUUID(), creationTimestamp: '2026-01-01T00:00:00Z' };
  const object = JSON.stringify({ metadata, spec: { displayName: prefix }, status });
  await modules.operator
    .withSchema('platform')
    .table('known_objects')
    .insert({ kind: 'Hospital', name: prefix, object });
  known.push(prefix);
}

/** A console that starts while the API server is away. */
async function start(): Promise<void> {
  console = await startTestModule({
    databaseUrls,
    databaseRole: 'console',
    define: (environment) => {
      cluster = unreachableCluster(environment);
      return consoleModule(environment, cluster, HOST_RULES);
    },
  });
  await cluster.start();
  support = await console.issuer.sign('console', { roles: ['PLATFORM_SUPPORT'] });
}

const ask = (hospital: string) => console.send('GET', `/api/console/hospitals/${hospital}/usage`, { token: support });

const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

it('has the newest figures with their age, and 30 days with what is known of each', async () => {
  const { hospital } = mary;
  const { id: hospitalId, prefix } = hospital;
  await tenants.inTenant(hospital, (trx) => recordUsage(trx, { ...FIGURES, patients: 3000 }));
  await modules.operator.raw(
    "UPDATE platform.hospital_usage SET day = day - 10, counted_at = now() - interval '10 days' WHERE hospital_id = ?",
    [hospitalId],
  );
  await tenants.inTenant(hospital, (trx) => recordUsage(trx, FIGURES));
  await addRequests(modules.platform.db, [
    { hospitalId, day: dayAgo(0), requests: 5, failed: 1 },
    { hospitalId, day: dayAgo(29), requests: 7, failed: 0 },
    { hospitalId, day: dayAgo(30), requests: 9, failed: 0 },
  ]);
  for (const key of [prefix, hospitalId]) {
    const answer = await ask(key);
    expect(answer.status).toBe(200);
    const { asOf, figures, days } = answer.data<Usage>();
    expect(figures).toEqual(FIGURES);
    expect(Date.now() - Date.parse(asOf ?? '')).toBeLessThan(60_000);
    expect(days.map(({ day }) => day)).toEqual(Array.from({ length: 30 }, (_, index) => dayAgo(29 - index)));
    expect(days.filter(({ requests }) => requests > 0)).toEqual([
      { day: dayAgo(29), requests: 7, failed: 0, figures: null },
      { day: dayAgo(0), requests: 5, failed: 1, figures: FIGURES },
    ]);
    expect(days[19]).toEqual({ day: dayAgo(10), requests: 0, failed: 0, figures: { ...FIGURES, patients: 3000 } });
  }
});

it('has nothing of a hospital that was not counted yet, nor of one that is not registered yet', async () => {
  const fresh = `t-${randomUUID().slice(0, 13)}`;
  await know(fresh, {});
  await console.close();
  await start();
  for (const key of [mary.hospital.prefix, fresh]) {
    const { asOf, figures, days } = (await ask(key)).data<Usage>();
    expect([asOf, figures, days.length]).toEqual([null, null, 30]);
    expect(days.every((day) => day.requests === 0 && day.figures === null)).toBe(true);
  }
});

it('shows figures of a suspended hospital, however old they are', async () => {
  await tenants.inTenant(mary.hospital, (trx) => recordUsage(trx, FIGURES));
  await modules.operator.raw(
    "UPDATE platform.hospital_usage SET day = day - 99, counted_at = '2026-01-02T03:04:05Z' WHERE hospital_id = ?",
    [mary.hospital.id],
  );
  await mary.setState('Suspended');
  expect((await ask(mary.hospital.prefix)).data<Usage>()).toMatchObject({
    asOf: '2026-01-02T03:04:05.000Z',
    figures: FIGURES,
  });
});

it('knows no other hospital, and is for people of the platform', async () => {
  expect(await ask('t-nobody')).toMatchObject({ status: 404, error: { code: 'HOSPITAL_NOT_FOUND' } });
  const path = `/api/console/hospitals/${mary.hospital.prefix}/usage`;
  expect((await console.send('GET', path)).status).toBe(401);
});
