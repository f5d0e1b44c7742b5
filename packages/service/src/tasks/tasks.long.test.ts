/** Background tasks: none is lost, and none takes effect twice, whatever happens to the processes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { dropTasks, listTasks, retryTasks, TASKS_SCHEMA, TASKS_VERSION, type TaskInfo } from '@hms/database';
import { moduleEnv } from '@hms/local';
import { StorageUnavailable } from '@hms/storage';
import { hospitalNames } from '@hms/tenancy';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { platform } from '../../../../test/platform.ts';
import { until } from '../../../../test/support/until.ts';
import { Problem } from '../errors.ts';
import type { ModuleDefinition } from '../module.ts';
import { ERRANDS_TABLES, errands, errandsModule, STEPS } from '../testing/errands.ts';
import { createTestHospital, startTestModule, type TestHospital, type TestModule } from '../testing/index.ts';
import { workFor } from '../transaction.ts';
import type { TaskOptions, Work } from '../work.ts';
import { NotYet, task } from './task.ts';

const ERRANDS_PROCESS = fileURLToPath(new URL('../testing/errands-process.ts', import.meta.url));
const TASKS = Number(process.env.HMS_TASKS ?? 1_000);
const KILLS_OF_EACH_STEP = 2;

/** It adds tasks and runs none. */
let module: TestModule;
let mary: TestHospital;

const start = (tasks: ModuleDefinition['tasks'] = []) =>
  startTestModule({
    databaseUrls: platform().databaseUrls,
    define: (own) => ({ ...errandsModule(own), tasks }),
    ttl: 0,
  });

beforeAll(async () => {
  module = await start();
});
afterAll(() => module.close());
beforeEach(async () => {
  mary = await createTestHospital(module.operator, module.issuer);
  await asOwner(ERRANDS_TABLES);
});

async function asOwner(statement: string): Promise<void> {
  await module.operator.transaction(async (trx) => {
    await trx.raw(`SET LOCAL search_path TO ${hospitalNames(mary.hospital.prefix).schema}`);
    await trx.raw(statement);
  });
}

const inHospital = <T>(work: (work: Work) => Promise<T>) => workFor(module.platform, mary.hospital, 'test', work);
const effects = () => inHospital(({ trx }) => trx.query<{ n: number }>('SELECT n FROM effects ORDER BY n'));
const tasks = () => listTasks(module.operator, { hospital: mary.hospital.prefix });
const none = (left: readonly TaskInfo[]) => left.length === 0;
const isFailed = ({ state }: TaskInfo) => state === 'failed';

function startProcess(): ChildProcess {
  return spawn(process.execPath, [ERRANDS_PROCESS], {
    env: {
      ...process.env,
      ...moduleEnv(platform()),
      PORT: '0',
      ERRANDS_PROCESS: '1',
      LOG_LEVEL: 'silent',
      BASE_URL: module.issuer.baseUrl,
      KEYCLOAK_URL: module.issuer.keycloakUrl,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

it(`${TASKS} take effect once each, while their processes are killed at every step`, async () => {
  const fatal = STEPS.flatMap((dieAt) => Array.from({ length: KILLS_OF_EACH_STEP }, () => dieAt));
  const every = Math.floor(TASKS / fatal.length);
  const inputs = Array.from({ length: TASKS }, (_, n) => {
    const dieAt = n % every === 0 ? fatal[n / every] : undefined;
    return { n, ...(dieAt === undefined ? {} : { dieAt }) };
  });
  for (let start = 0; start < TASKS; start += 100) {
    await inHospital(async (work) => {
      for (const input of inputs.slice(start, start + 100)) work.addTask(errands.errand, input);
    });
  }
  await expect(
    inHospital(async (work) => {
      work.addTask(errands.errand, { n: -1 });
      throw new Error('rolled back');
    }),
  ).rejects.toThrow('rolled back');

  let deaths = 0;
  let finished = false;
  const keepRunning = async (): Promise<void> => {
    while (!finished) {
      const child = startProcess();
      children.add(child);
      await new Promise((resolve) => child.once('exit', resolve));
      children.delete(child);
      if (child.signalCode === 'SIGKILL') deaths += 1;
    }
  };
  const children = new Set<ChildProcess>();
  const running = [keepRunning(), keepRunning()];
  try {
    await until('all tasks to be finished', tasks, none, 240_000);
  } finally {
    finished = true;
    for (const child of children) child.kill('SIGTERM');
    await Promise.all(running);
  }
  expect((await effects()).map(({ n }) => n)).toEqual(inputs.map(({ n }) => n));
  expect(deaths).toBe(fatal.length);
}, 300_000);

describe('a task', () => {
  let worker: TestModule;

  beforeAll(async () => {
    worker = await start([errands.errand, errands.failing]);
  });
  afterAll(() => worker.close());

  const add = (input: { readonly n: number }, options: TaskOptions = {}) =>
    inHospital(async (work) => work.addTask(errands.errand, input, options));
  const stored = async () => (await effects()).map(({ n }) => n);
  const later = { runAt: new Date(Date.now() + 3_600_000) };

  it('that always fails is visible, can be retried when its cause is gone, and can be dropped', async () => {
    for (const table of ['cause', 'never']) {
      await inHospital(async (work) => work.addTask(errands.failing, { until: table }));
    }
    const failed = await until('two failed tasks', tasks, (all) => all.filter(isFailed).length === 2);
    const { prefix } = mary.hospital;
    expect(failed[0]).toMatchObject({
      hospital: prefix,
      task: 'test-failing',
      attempts: 1,
      lastError: 'there is no table cause',
    });
    await until(
      'the metric',
      async () => (await fetch(`${worker.url}/metrics`)).text(),
      (text) => /hms_tasks\{task="test-failing",state="failed",[^}]*\} [2-9]/.test(text),
    );
    await asOwner('CREATE TABLE cause (); GRANT SELECT ON cause TO PUBLIC');
    const ids = failed.map(({ id }) => id);
    expect([...(await retryTasks(module.operator, ids))].sort()).toEqual(ids);
    const [left] = await until('one failed task', tasks, (all) => all.length === 1 && all.every(isFailed));
    expect(left).toMatchObject({ lastError: 'there is no table never' });
    expect(await dropTasks(module.operator, [left?.id ?? 0])).toEqual([left?.id]);
    expect(await tasks()).toEqual([]);
    expect(await dropTasks(module.operator, [left?.id ?? 0])).toEqual([]);
  });

  /**
   * A task whose every attempt fails with an error. `tried` lets the worker try it once, and returns the attempts that
   * count afterwards, and the pause until the next one in seconds.
   */
  const failing = async (error: Error) => {
    const { input } = errands.errand;
    const fails = task({ name: 'test-fails', input, prepare: () => Promise.reject(error), run: async () => undefined });
    await inHospital(async (work) => work.addTask(fails, { n: 1 }, later));
    const another = await start([fails]);
    const [{ id } = { id: 0 }] = await tasks();
    const jobs = `${TASKS_SCHEMA}._private_jobs`;
    const tried = async (attempts: number, age: string) => {
      await module.operator.raw(
        `UPDATE ${jobs} SET attempts = ?, run_at = now(), created_at = now() - CAST(? AS interval), last_error = NULL
         WHERE id = ?`,
        [attempts, age, id],
      );
      await module.operator.raw('SELECT pg_notify(?, ?)', ['jobs:insert', '{"r":1,"count":1}']);
      const [job] = await until(
        'an attempt',
        async () =>
          (
            await module.operator.raw<{ rows: { attempts: number; pause: number }[] }>(
              `SELECT attempts, extract(epoch FROM run_at - now())::integer AS pause FROM ${jobs}
               WHERE id = ? AND last_error IS NOT NULL AND locked_at IS NULL`,
              [id],
            )
          ).rows,
        ({ length }) => length > 0,
        20_000,
      );
      return job;
    };
    return { tried, close: () => another.close() };
  };

  it.each([
    new Problem({ code: 'ENGINE_UNAVAILABLE', status: 503, message: 'The engine is unavailable' }),
    new StorageUnavailable('the S3 server does not answer', undefined),
  ])('that meets an outage waits for minutes at most, but not for more than two days: $name', async (outage) => {
    const { tried, close } = await failing(outage);
    const afterMinutes = await tried(12, '30 minutes');
    const afterDays = await tried(12, '3 days');
    const last = await tried(15, '3 days');
    await close();
    expect(afterMinutes).toMatchObject({ attempts: 5 });
    expect(afterMinutes?.pause).toBeLessThanOrEqual(150);
    expect(afterDays).toMatchObject({ attempts: 13 });
    expect(afterDays?.pause).toBeGreaterThan(3_600);
    expect(last).toMatchObject({ attempts: 16 });
    expect(await tasks()).toMatchObject([{ state: 'failed' }]);
  });

  it('that needs what is not there yet is tried again within seconds, for ten minutes', async () => {
    const { tried, close } = await failing(new NotYet('somebody else creates it'));
    const soon = await tried(6, '9 minutes');
    const late = await tried(6, '11 minutes');
    await close();
    expect(soon).toMatchObject({ attempts: 2 });
    expect(soon?.pause).toBeLessThanOrEqual(8);
    expect(late).toMatchObject({ attempts: 7 });
  });

  it('with a key replaces the one that waits, in its own hospital only', async () => {
    await add({ n: 1 }, { key: 'k', ...later });
    await add({ n: 2 }, { key: 'k', ...later });
    const anne = await createTestHospital(module.operator, module.issuer);
    await workFor(module.platform, anne.hospital, 'test', async (work) =>
      work.addTask(errands.errand, { n: 3 }, { key: 'k', ...later }),
    );
    expect(await tasks()).toMatchObject([{ state: 'planned' }]);
    await until(
      'the metric',
      async () => (await fetch(`${worker.url}/metrics`)).text(),
      (text) =>
        ['planned"[^}]*} 2', 'waiting"[^}]*} 0'].every((end) =>
          new RegExp(`hms_tasks{task="test-errand",state="${end}`).test(text),
        ),
    );
    expect(await listTasks(module.operator, { hospital: anne.hospital.prefix })).toHaveLength(1);
    await add({ n: 4 }, { key: 'k' });
    await until('its effect', stored, (all) => all.length > 0);
    expect(await stored()).toEqual([4]);
  });

  it.each(['Suspended', 'Retained'] as const)('of a hospital that is %s waits until it is open', async (state) => {
    await mary.setState(state);
    await add({ n: 1 });
    const isPostponed = ([one]: readonly TaskInfo[]) =>
      one !== undefined && one.state === 'waiting' && one.runAt > new Date();
    const [waiting] = await until('a postponed task', tasks, isPostponed);
    expect(waiting).toMatchObject({ attempts: 0, lastError: `the hospital is ${state}` });
    await mary.setState('Active');
    await retryTasks(module.operator, [waiting?.id ?? 0]);
    await until('its effect', stored, (all) => all.length === 1);
  });

  it('of a hospital that was deleted is dropped, also when a new one has its name', async () => {
    await add({ n: 1 }, later);
    const id = '00000000-0000-4000-8000-000000000000';
    const rename = (from: string, to: string) =>
      module.operator.withSchema('platform').from('hospitals').where({ id: from }).update({ id: to });
    await rename(mary.hospital.id, id);
    await retryTasks(
      module.operator,
      (await tasks()).map((one) => one.id),
    );
    await until('no task', tasks, none);
    // The operator would otherwise report a role that belongs to no hospital.
    await rename(id, mary.hospital.id);
    expect(await stored()).toEqual([]);
  });

  it('takes its hospital from the role that adds it', async () => {
    const anne = await createTestHospital(module.operator, module.issuer);
    const forged =
      "SELECT platform.add_task('test-errand', gen_random_uuid(), $1, '{\"n\": 7}', NULL, NULL, NULL, 1::smallint)";
    await inHospital(({ trx }) => trx.query(forged, [anne.hospital.id]));
    await until('no task', tasks, none);
    expect(await listTasks(module.operator, { hospital: anne.hospital.prefix })).toEqual([]);
    expect(await stored()).toEqual([]);
  });

  it('that was tried is not replaced by one with its key, which would end with it', async () => {
    await add({ n: 1 }, { key: 'k', ...later });
    await module.operator.raw('UPDATE graphile_worker._private_jobs SET attempts = 1 WHERE id = ?', [
      (await tasks())[0]?.id ?? 0,
    ]);
    await add({ n: 2 }, { key: 'k', ...later });
    expect(await tasks()).toHaveLength(2);
  });

  it.each([
    ['read', 'SELECT * FROM graphile_worker._private_jobs'],
    ['read through the view', 'SELECT * FROM graphile_worker.jobs'],
    ['added past the function', "SELECT graphile_worker.add_job('test-errand')"],
  ])('is not %s by a role of a hospital', async (_, statement) => {
    await expect(inHospital(({ trx }) => trx.query(statement))).rejects.toThrow('permission denied');
  });

  it('is one of 1000 at most in a transaction, so that one injected statement can not fill the queue', async () => {
    const many = `
      SELECT platform.add_task('test-errand', gen_random_uuid(), $1, '{"n": 8}', NULL, NULL, NULL, 1::smallint)
      FROM generate_series(1, $2)`;
    const { id } = mary.hospital;
    const added = inHospital(async ({ trx }) => {
      expect(await trx.query(many, [id, 1000])).toHaveLength(1000);
      await trx.query(many, [id, 1]);
    });
    await expect(added).rejects.toThrow('a transaction adds at most 1000 tasks');
    expect(await tasks()).toEqual([]);
    await add({ n: 9 });
    await until('its effect', stored, (all) => all.length > 0);
    expect(await stored()).toEqual([9]);
  });

  it('is not added by a role that is no hospital', async () => {
    const forged =
      "SELECT platform.add_task('test-errand', gen_random_uuid(), NULL, '{}', NULL, NULL, NULL, 1::smallint)";
    await expect(module.platform.db.raw(forged)).rejects.toThrow('is not the role of a hospital');
  });
});

it('the schema of the tasks is that of the installed library', async () => {
  const { rows } = await module.operator.raw('SELECT max(id) AS version FROM graphile_worker.migrations');
  expect(rows).toEqual([{ version: TASKS_VERSION }]);
});
