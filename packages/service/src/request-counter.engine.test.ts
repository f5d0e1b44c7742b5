/** How many requests each hospital makes, as the processes of the modules add them up. */
import { connect, readUsageDays } from '@hms/database';
import { moduleEnv } from '@hms/local';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Knex } from 'knex';
import { z } from 'zod';
import { platform } from '../../../test/platform.ts';
import { createLog } from './log.ts';
import type { ModuleDefinition } from './module.ts';
import { RequestCounter } from './request-counter.ts';
import { route } from './route.ts';
import { createTestHospital, startTestModule, type TestHospital, type TestModule } from './testing/index.ts';

const { databaseUrls } = platform();
const s3 = moduleEnv(platform());
const DAY = 86_400_000;
const log = createLog('test', 'silent');

const module = (): ModuleDefinition => ({
  name: 'example',
  version: '1.0.0',
  title: 'Example',
  routes: (['fine', 'broken'] as const).map((name) =>
    route({
      method: 'GET',
      path: `/api/example/${name}`,
      summary: name,
      access: 'patients.read',
      response: z.object({}),
      handler: async () => {
        if (name === 'broken') throw new Error('broken');
        return { data: {} };
      },
    }),
  ),
});

let processes: readonly TestModule[];
let first: TestModule;
let mary: TestHospital;
let console: Knex;

beforeAll(async () => {
  first = await startTestModule({ databaseUrls, define: module, s3 });
  const { baseUrl, keycloakUrl } = first.issuer;
  const identity = { baseUrl, keycloakUrl };
  processes = [first, await startTestModule({ databaseUrls, define: module, s3, identity })];
  console = connect(databaseUrls.console, { poolSize: 1 });
});
beforeEach(async () => {
  mary = await createTestHospital(first.operator, first.issuer);
});
afterAll(async () => {
  await Promise.all(processes.map((one) => one.close()));
  await console.destroy();
});

/** Requests and failed ones, of yesterday and of today. */
async function counted(hospital = mary): Promise<readonly (readonly [number, number])[]> {
  const days = await readUsageDays(console, hospital.hospital.id, 2);
  return days.map(({ requests, failed }) => [requests, failed]);
}

const flush = () => Promise.all(processes.map(({ platform: { requestCounter } }) => requestCounter.flush()));
const counterOf = (db: Knex, now = Date.now) => new RequestCounter({ db, log, now });

describe('requests', () => {
  it('of two processes add up, for each hospital', async () => {
    const john = await createTestHospital(first.operator, first.issuer);
    const [hers, his] = [await mary.token(['NURSE']), await john.token(['NURSE'])];
    const ask = (path: string, token: string) =>
      Promise.all(processes.map((one) => one.send('GET', `/api/example/${path}`, { token })));
    for (const path of ['fine', 'fine', 'broken']) await ask(path, hers);
    await ask('fine', his);
    await flush();
    expect([await counted(), await counted(john)]).toEqual([
      [
        [0, 0],
        [6, 2],
      ],
      [
        [0, 0],
        [2, 0],
      ],
    ]);
    await ask('fine', hers);
    await flush();
    await flush();
    expect((await counted())[1]).toEqual([8, 2]);
  });

  it('are those of an accepted token, whatever they get, and none of the platform itself', async () => {
    const token = await mary.token(['NURSE']);
    const cases: readonly [string, string | undefined, number][] = [
      ['/api/example/fine', await mary.token(['DISPLAY']), 403],
      ['/api/example/fine', undefined, 401],
      ['/api/example/fine', `${token}x`, 401],
      ['/api/example/fine', await mary.token(['NURSE'], { expiresIn: -60 }), 401],
      ['/api/example/check', token, 200],
      ['/api/example/none', token, 404],
    ];
    for (const [path, sent, status] of cases)
      expect([path, (await first.send('GET', path, sent === undefined ? {} : { token: sent })).status]).toEqual([
        path,
        status,
      ]);
    await flush();
    expect(await counted()).toEqual([
      [0, 0],
      [1, 0],
    ]);
  });

  it('of a process that stops are added', async () => {
    const counter = counterOf(first.platform.db);
    counter.start();
    counter.count(mary.hospital.id, true);
    await counter.end();
    expect((await counted())[1]).toEqual([1, 1]);
  });

  it('are added after an outage, on the day on which they were made', async () => {
    // Its role may not write there. A right that is revoked would be missing to other suites as well.
    const refusing = connect(databaseUrls.console, { poolSize: 1 });
    let db: Knex = refusing;
    let now = Date.now() - DAY;
    const raw = (sql: string, bindings: string[]) => db.raw(sql, bindings);
    const counter = counterOf({ raw } as unknown as Knex, () => now);
    counter.count(mary.hospital.id, false);
    await counter.flush();
    counter.count(mary.hospital.id, true);
    await counter.flush();
    now += DAY;
    counter.count(mary.hospital.id, false);
    await counter.flush();
    await refusing.destroy();
    expect(await counted()).toEqual([
      [0, 0],
      [0, 0],
    ]);
    db = first.platform.db;
    await counter.flush();
    expect(await counted()).toEqual([
      [2, 1],
      [1, 0],
    ]);
  });

  it('of a deleted hospital hold up no other', async () => {
    const counter = counterOf(first.platform.db);
    counter.count('0198a5a0-0000-7000-8000-000000000000', false);
    counter.count(mary.hospital.id, false);
    await counter.flush();
    expect((await counted())[1]).toEqual([1, 0]);
  });

  it('of many processes at once add up without a deadlock', async () => {
    const john = await createTestHospital(first.operator, first.issuer);
    const pair = [mary.hospital.id, john.hospital.id];
    const counters = Array.from({ length: 6 }, () => counterOf(first.platform.db));
    for (let round = 0; round < 10; round++) {
      for (const [index, counter] of counters.entries())
        for (const id of index % 2 === 0 ? pair : pair.toReversed()) counter.count(id, false);
      await Promise.all(counters.map((counter) => counter.flush()));
    }
    expect([(await counted())[1], (await counted(john))[1]]).toEqual([
      [60, 0],
      [60, 0],
    ]);
  });
});
