/** Which hospitals are counted, and when. Alone, because it plans for all hospitals of the database. */
import { connect, listTasks, readNewestUsage } from '@hms/database';
import { moduleEnv } from '@hms/local';
import { createTestHospital, startTestModule, type TestHospital, type TestModule } from '@hms/service/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Knex } from 'knex';
import { platform } from '../../../../test/platform.ts';
import { until } from '../../../../test/support/until.ts';
import { hmsModule } from '../module.ts';
import { UsagePlanner } from './planner.ts';
import { USAGE_TASK } from './usage-task.ts';

const { databaseUrls } = platform();
const s3 = moduleEnv(platform());

let first: TestModule;
let second: TestModule;
let db: Knex;

beforeAll(async () => {
  first = await startTestModule({ databaseUrls, define: hmsModule, s3 });
  second = await startTestModule({ databaseUrls, define: hmsModule, s3 });
  db = connect(databaseUrls.console, { poolSize: 1 });
});
afterAll(() => Promise.all([first.close(), second.close(), db.destroy()]));

const figuresOf = ({ hospital }: TestHospital) => readNewestUsage(db, hospital.id);

it('all active hospitals are counted once, by two processes that look at the same time', async () => {
  const hospitals = await Promise.all(
    Array.from({ length: 3 }, () => createTestHospital(first.operator, first.issuer)),
  );
  const [suspended, ...active] = hospitals as [TestHospital, TestHospital, TestHospital];
  await suspended.setState('Suspended');
  const planners = [first, second].map(({ platform: of }) => new UsagePlanner(of));
  for (const planner of planners) planner.start(0);
  await until(
    'the figures',
    async () => {
      // There may be more of them than are planned at a time.
      await Promise.all(planners.map((planner) => planner.run()));
      return Promise.all(active.map(figuresOf));
    },
    (figures) => figures.every((one) => one !== null),
  );
  await Promise.all(planners.map((planner) => planner.end()));
  const own = new Set(hospitals.map(({ hospital }) => hospital.prefix));
  const tasks = async () =>
    (await listTasks(first.operator)).filter(({ task, hospital }) => task === USAGE_TASK && own.has(hospital));
  await until('the tasks to end', tasks, ({ length }) => length === 0);
  expect(await figuresOf(suspended)).toBeNull();
  const before = await Promise.all(active.map(figuresOf));
  await Promise.all(planners.map((planner) => planner.run()));
  expect(await tasks()).toEqual([]);
  expect(await Promise.all(active.map(figuresOf))).toEqual(before);
});
