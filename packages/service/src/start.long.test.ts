/** How a module's process ends while work is under way that never ends. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { listTasks } from '@hms/database';
import { moduleEnv } from '@hms/local';
import { hospitalNames } from '@hms/tenancy';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { platform } from '../../../test/platform.ts';
import { until } from '../../../test/support/until.ts';
import { createTestHospital, startTestModule, type TestHospital, type TestModule } from './testing/index.ts';
import { ROOMS_TABLE, roomsModule } from './testing/rooms.ts';
import { workFor } from './transaction.ts';

const PROCESS = fileURLToPath(new URL('testing/endless-process.ts', import.meta.url));
/** The gateways' own limit of idle connections, in seconds. */
const GATEWAY_IDLE = 60;

let module: TestModule;
let mary: TestHospital;
let child: ChildProcessWithoutNullStreams;
let keepAlive: string | null;
/** What ended how many milliseconds after the signal. */
let ends: Record<'stream' | 'request' | 'process', number>;
let outcome: unknown[];
let answer: PromiseSettledResult<Response>;

beforeAll(async () => {
  module = await startTestModule({ databaseUrls: platform().databaseUrls, define: () => roomsModule });
  mary = await createTestHospital(module.operator, module.issuer);
  await module.operator.transaction(async (trx) => {
    await trx.raw(`SET LOCAL search_path TO ${hospitalNames(mary.hospital.prefix).schema}`);
    await trx.raw(ROOMS_TABLE);
  });
  await workFor(module.platform, mary.hospital, 'test', async (work) =>
    work.addTask({ name: 'test-endless', input: z.object({}), attempts: 3 }, {}),
  );
  const { baseUrl, keycloakUrl } = module.issuer;
  child = spawn(process.execPath, [PROCESS], {
    env: { PORT: '0', ...moduleEnv(platform()), BASE_URL: baseUrl, KEYCLOAK_URL: keycloakUrl },
  });
  const lines: { readonly msg: string; readonly port?: number }[] = [];
  createInterface(child.stdout).on('line', (line) => lines.push(JSON.parse(line)));
  const logged = (message: string) =>
    until(
      message,
      async () => lines.find(({ msg }) => msg === message),
      (line) => line !== undefined,
    );
  const url = `http://127.0.0.1:${(await logged('listening'))?.port}`;
  const headers = { Authorization: `Bearer ${await mary.token(['ADMIN'])}` };
  keepAlive = (await fetch(`${url}/health`)).headers.get('keep-alive');
  const stream = await fetch(`${url}/api/rooms/rooms/changes`, { headers });
  const request = fetch(`${url}/api/rooms/endless`, { method: 'POST', headers });
  await Promise.all([logged('endless request'), logged('endless task')]);

  const started = performance.now();
  const since = () => performance.now() - started;
  child.kill('SIGTERM');
  const [streamEnd, requestEnd, processEnd] = await Promise.all([
    stream.text().then(since, since),
    Promise.allSettled([request]).then(([settled]) => {
      answer = settled;
      return since();
    }),
    Promise.race([once(child, 'exit'), delay(45_000, ['still running'], { ref: false })]).then((how) => {
      outcome = how;
      return since();
    }),
  ]);
  ends = { stream: streamEnd, request: requestEnd, process: processEnd };
}, 120_000);
afterAll(async () => {
  child.kill('SIGKILL');
  await module.close();
});

describe('a process that is told to stop', () => {
  it('ends by itself with 0, three seconds after its grace period at the latest', () => {
    expect(outcome).toEqual([0, null]);
    expect(ends.process).toBeLessThan(30_000);
  });

  it('ends streams at once', () => {
    expect(ends.stream).toBeLessThan(3_000);
  });

  it('gives a request 25 s, and rolls back what it did', async () => {
    expect(ends.request).toBeGreaterThan(24_000);
    expect(ends.request).toBeLessThan(27_500);
    expect(answer.status).toBe('rejected');
    const rows = await module.platform.tenants.inTenant(mary.hospital, (trx) => trx.query('SELECT FROM example_rooms'));
    expect(rows).toEqual([]);
  });

  it('leaves a task that runs on to another process', async () => {
    expect(await listTasks(module.operator, { hospital: mary.hospital.prefix })).toMatchObject([
      { task: 'test-endless', attempts: 1, maxAttempts: 3 },
    ]);
  });
});

it('a process keeps idle connections longer than the gateway does', () => {
  expect(Number(/^timeout=(\d+)$/.exec(keepAlive ?? '')?.[1])).toBeGreaterThan(GATEWAY_IDLE);
});
