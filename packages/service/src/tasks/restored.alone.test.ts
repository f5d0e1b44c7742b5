/** Background tasks of a module that runs while an administrator or a backup replaces the schema of the tasks. */
import { setTimeout as delay } from 'node:timers/promises';
import { addTaskOf, connect, migratePlatform, TASKS_SCHEMA } from '@hms/database';
import { hospitalNames } from '@hms/tenancy';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Knex } from 'knex';
import { platform } from '../../../../test/platform.ts';
import { until } from '../../../../test/support/until.ts';
import type { ModuleDefinition } from '../module.ts';
import { ERRANDS_TABLES, errands, errandsModule } from '../testing/errands.ts';
import { createTestHospital, startTestModule, type TestHospital, type TestModule } from '../testing/index.ts';
import { workFor } from '../transaction.ts';
import type { Work } from '../work.ts';

const { databaseUrls } = platform();

/** It adds tasks and runs none. */
let module: TestModule;
let mary: TestHospital;
let admin: Knex;
let worker: TestModule | undefined;

const start = (tasks: ModuleDefinition['tasks'] = []) =>
  startTestModule({ databaseUrls, define: (own) => ({ ...errandsModule(own), tasks }) });

beforeAll(async () => {
  admin = connect(databaseUrls.admin);
  module = await start();
  mary = await createTestHospital(module.operator, module.issuer);
  await module.operator.transaction(async (trx) => {
    await trx.raw(`SET LOCAL search_path TO ${hospitalNames(mary.hospital.prefix).schema}`);
    await trx.raw(ERRANDS_TABLES);
  });
});
afterEach(async () => {
  await worker?.close();
  worker = undefined;
});
afterAll(() => Promise.all([module.close(), admin.destroy()]));

const inHospital = <T>(work: (work: Work) => Promise<T>) => workFor(module.platform, mary.hospital, 'test', work);

const effects = () => inHospital(({ trx }) => trx.query<{ n: number }>('SELECT n FROM effects ORDER BY n'));

async function runs(n: number): Promise<void> {
  await inHospital(async (work) => work.addTask(errands.errand, { n }));
  await until(`task ${n}`, effects, (rows) => rows.some((row) => row.n === n));
}

it('runs tasks whose ids are new, although nobody was told, and not those that have its old ids', async () => {
  worker = await start([errands.errand]);
  await runs(1);
  const own = `SELECT id FROM ${TASKS_SCHEMA}._private_tasks WHERE identifier = ?`;
  const { rows } = await admin.raw<{ rows: { id: number }[] }>(own, [errands.errand.name]);
  try {
    await admin.raw('ALTER ROLE hms_app NOLOGIN');
    await admin.raw("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'hms_app'");
    await admin.raw(`DROP SCHEMA ${TASKS_SCHEMA} CASCADE`);
    await migratePlatform(module.operator);
    const others = "SELECT 'elsewhere-' || n FROM generate_series(1, 50) n";
    await admin.raw(`INSERT INTO ${TASKS_SCHEMA}._private_tasks (identifier) ${others}`);
  } finally {
    await admin.raw('ALTER ROLE hms_app LOGIN');
  }
  const { id, prefix } = mary.hospital;
  const hospital = { role: hospitalNames(prefix).role, hospitalId: id };
  await addTaskOf(module.operator, hospital, `elsewhere-${rows[0]?.id}`, { n: 99 });
  await runs(2);
  expect((await effects()).map(({ n }) => n)).toEqual([1, 2]);
}, 60_000);

it('runs tasks after a start at which it could not read their ids', async () => {
  const ids = `SELECT ON ${TASKS_SCHEMA}._private_tasks`;
  try {
    await admin.raw(`REVOKE ${ids} FROM hms_app`);
    worker = await start([errands.errand]);
    await delay(2_000);
  } finally {
    await admin.raw(`GRANT ${ids} TO hms_app`);
  }
  await runs(3);
}, 60_000);
