/** How large a hospital is, counted by the task on a real PostgreSQL and a real S3 server. */
import {
  connect,
  deleteHospital,
  isCounted,
  listTasks,
  readNewestUsage,
  readUsageDays,
  recordUsage,
  uncountedHospitals,
} from '@hms/database';
import type { Patient } from '@hms/domain/patients';
import { moduleEnv } from '@hms/local';
import { workFor } from '@hms/service';
import { createTestHospital, startTestModule, type TestHospital, type TestModule } from '@hms/service/testing';
import { hospitalNames } from '@hms/tenancy';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Knex } from 'knex';
import { platform } from '../../../../test/platform.ts';
import { FaultProxy } from '../../../../test/support/proxy.ts';
import { until } from '../../../../test/support/until.ts';
import { hmsModule } from '../module.ts';
import { UsagePlanner } from './planner.ts';
import { countRecords, USAGE_TASK, usageTask } from './usage-task.ts';

const NONE = { people: 0, patients: 0, rows: 0, recordBytes: 0, files: 0, fileBytes: 0 };
const { databaseUrls, s3 } = platform();

let proxy: FaultProxy;
let hms: TestModule;
/** Another process of the module. */
let other: TestModule;
/** As the console reads it. */
let db: Knex;
let mary: TestHospital;

beforeAll(async () => {
  proxy = await FaultProxy.before(new URL(s3.endpoint).host);
  const settings = { ...moduleEnv(platform()), S3_ENDPOINT: `http://${proxy.address}` };
  [hms, other] = (await Promise.all(
    [1, 2].map(() => startTestModule({ databaseUrls, define: hmsModule, s3: settings })),
  )) as [TestModule, TestModule];
  db = connect(databaseUrls.console, { poolSize: 1 });
});
beforeEach(async () => {
  await proxy.set('pass');
  mary = await createTestHospital(hms.operator, hms.issuer);
});
afterAll(async () => {
  await Promise.all([hms.close(), other.close(), db.destroy()]);
  await proxy.close();
});

const newest = (of = mary) => readNewestUsage(db, of.hospital.id);
const plan = (by = hms) => new UsagePlanner(by.platform).plan(mary.hospital.prefix);
const tasks = async () =>
  (await listTasks(hms.operator, { hospital: mary.hospital.prefix })).filter(({ task }) => task === USAGE_TASK);
const uncounted = async () =>
  (await uncountedHospitals(hms.platform.db, USAGE_TASK, 100_000)).includes(mary.hospital.prefix);
const count = (options = {}) => workFor(hms.platform, mary.hospital, 'test', (work) => countRecords(work, options));

async function counted() {
  await plan();
  return until(
    'the figures',
    () => newest(),
    (figures) => figures !== null,
  );
}

/** Statements as the owner of the schema. */
const asOwner = (...statements: readonly string[]) =>
  hms.operator.transaction(async (trx) => {
    await trx.raw(`SET LOCAL search_path TO ${hospitalNames(mary.hospital.prefix).schema}, extensions`);
    for (const statement of statements) await trx.raw(statement);
  });

const numbers = (many: number) =>
  `INSERT INTO counters (series, value) SELECT gen_random_uuid(), 1 FROM generate_series(1, ${many})`;

describe('the task', () => {
  it('counts people, patients, rows and files', async () => {
    const [nurse, owner] = [await mary.token(['NURSE']), await mary.token(['OWNER'])];
    const patients = await Promise.all(
      ['Ann', 'Ben', 'Cat', 'Dan'].map(async (firstName, index) => {
        const body = { firstName, lastName: 'Doe', phone: `+35386123456${index}`, dateOfBirth: `199${index}-05-17` };
        return (await hms.send('POST', '/api/hms/patients', { token: nurse, body })).data<Patient>();
      }),
    );
    const [ann, ben, cat] = patients.map(({ id }) => `/api/hms/patients/${id}`);
    expect((await hms.send('DELETE', `${ann}`, { token: owner })).status).toBe(200);
    const merge = { body: { intoId: cat?.split('/').at(-1) }, token: owner };
    expect((await hms.send('POST', `${ben}/merge`, merge)).status).toBe(200);
    for (const email of ['one', 'two', 'three']) {
      const body = { firstName: 'Eve', lastName: 'Byrne', email: `${email}@mary.example`, roles: ['NURSE'] };
      expect((await hms.send('POST', '/api/hms/employees', { token: owner, body })).status).toBe(201);
    }
    await asOwner("UPDATE employees SET status = 'active' WHERE email <> 'one@mary.example'");
    for (const [name, size] of [
      ['a', 10],
      ['b', 32],
    ] as const)
      await hms.platform.storage.put(mary.hospital, `invoices/${name}`, Buffer.alloc(size), {
        contentType: 'text/plain',
      });

    const { rows, recordBytes } = await count();
    const figures = await counted();
    expect(figures).toMatchObject({ people: 2, patients: 2, files: 2, fileBytes: 42 });
    // The task itself is one row: it is completed.
    expect(figures?.rows).toBeGreaterThanOrEqual(rows);
    expect(figures?.rows).toBeLessThan(rows + 10);
    expect(rows).toBeGreaterThan(4 + 3);
    expect(figures?.recordBytes).toBeGreaterThanOrEqual(recordBytes);
    expect(Date.now() - (figures?.countedAt.getTime() ?? 0)).toBeLessThan(60_000);
    expect((await readUsageDays(db, mary.hospital.id, 3)).map(({ figures: of }) => of?.patients)).toEqual([
      undefined,
      undefined,
      2,
    ]);
  });

  it('counts small tables exactly, and takes the estimate of large ones', async () => {
    const before = (await count()).rows;
    await asOwner(numbers(1000), 'ANALYZE counters', numbers(10));
    expect((await count()).rows - before).toBe(1010);
    expect((await count({ estimatedFrom: 500 })).rows - before).toBe(1000);
  });

  it('counts once a day, although two processes plan it at once and again', async () => {
    expect(await uncounted()).toBe(true);
    await Promise.all([plan(hms), plan(other), plan(hms), plan(other)]);
    const first = await until(
      'the figures',
      () => newest(),
      (figures) => figures !== null,
    );
    expect(await uncounted()).toBe(false);
    expect(await isCounted(hms.platform.db, mary.hospital.id)).toBe(true);
    await until('the tasks to end', tasks, ({ length }) => length === 0);
    const again = await newest();
    await plan();
    await until('the tasks to end', tasks, ({ length }) => length === 0);
    expect(await newest()).toEqual(again);
    expect(again?.countedAt.getTime()).toBe(first?.countedAt.getTime());
  });

  // Without the queue, from which the module that everybody's tests share could take the task. Its S3 server works.
  it('fails while S3 is away, so that a folder never looks smaller than it is', async () => {
    const { prepare } = usageTask(hms.platform);
    const job = { hospital: mary.hospital, signal: AbortSignal.timeout(20_000) } as never;
    await proxy.set('refuse');
    await expect(prepare?.(job, {})).rejects.toThrow(/S3/);
    await proxy.set('pass');
    await expect(prepare?.(job, {})).resolves.toEqual({ files: 0, bytes: 0 });
  }, 30_000);

  it('is not added again while it waits for another attempt', async () => {
    const runAt = new Date(Date.now() + 60_000);
    await workFor(hms.platform, mary.hospital, 'test', async (work) =>
      work.addTask(usageTask(hms.platform), {}, { runAt }),
    );
    expect(await uncounted()).toBe(false);
    expect(await newest()).toBeNull();
  });

  it('is for active hospitals, and the figures of a deleted one go with it', async () => {
    await counted();
    await hms.operator.raw('UPDATE platform.hospital_usage SET day = day - 1 WHERE hospital_id = ?', [
      mary.hospital.id,
    ]);
    expect(await uncounted()).toBe(true);
    for (const state of ['Suspended', 'Retained', 'Deleting', 'Provisioning'] as const) {
      await mary.setState(state);
      expect([state, await uncounted(), await newest()]).toEqual([
        state,
        false,
        expect.objectContaining({ people: 0 }),
      ]);
    }
    await deleteHospital(hms.operator, mary.hospital.prefix);
    expect(await newest()).toBeNull();
  });
});

describe('the table', () => {
  it('has what each hospital says of itself, whoever that is', async () => {
    const john = await createTestHospital(hms.operator, hms.issuer);
    const say = ({ hospital }: TestHospital, people: number) =>
      hms.platform.tenants.inTenant(hospital, (trx) => recordUsage(trx, { ...NONE, people }));
    await say(mary, 1);
    await say(john, 2);
    // The first count of a day stays.
    await say(mary, 3);
    expect([(await newest(mary))?.people, (await newest(john))?.people]).toEqual([1, 2]);
  });

  it('takes nothing from a role that is no hospital', async () => {
    const all = async () =>
      (await db.raw<{ rows: object[] }>('SELECT * FROM platform.hospital_usage ORDER BY 1, 2')).rows;
    const mine = async () => (await all()).filter((row) => JSON.stringify(row).includes('987654321'));
    await hms.platform.db.raw('SELECT platform.record_usage(987654321, 0, 0, 0, 0, 0)');
    expect(await mine()).toEqual([]);
  });

  it('is of the last two years', async () => {
    const { id } = mary.hospital;
    for (const [ago, kept] of [
      [731, true],
      [732, false],
    ] as const) {
      const day = `(now() AT TIME ZONE 'UTC')::date - ${ago}`;
      await hms.operator.raw(`INSERT INTO platform.hospital_usage SELECT '${id}', ${day}, now(), 1, 1, 1, 1, 1, 1`);
      await hms.operator.raw(`INSERT INTO platform.hospital_requests SELECT '${id}', ${day}, 1, 0`);
      await hms.platform.tenants.inTenant(mary.hospital, (trx) => recordUsage(trx, NONE));
      const [oldest] = await readUsageDays(db, id, ago + 1);
      expect([ago, oldest?.figures?.people, oldest?.requests]).toEqual(kept ? [ago, 1, 1] : [ago, undefined, 0]);
    }
  });
});
