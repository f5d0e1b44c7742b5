/** A wave over many schemas on a real PostgreSQL, with the test's own migrations. */
import { randomBytes, randomUUID } from 'node:crypto';
import {
  connect,
  createTenantRole,
  createTenantSchema,
  deleteHospital,
  dropTenantRole,
  dropTenantSchema,
  grantTenantSchema,
  insertHospital,
  type Migration,
  migratePlatform,
  migrateTenant,
  migration,
  openTenantPool,
  ownerMark,
  readTenantVersion,
  setTenantOpen,
  type TenantPool,
} from '@hms/database';
import type { MigrationState } from '@hms/hospitals/platform';
import { DEFAULT_SETTINGS, type HospitalNames, hospitalNames } from '@hms/tenancy';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Knex } from 'knex';
import { Registry } from 'prom-client';
import { platform } from '../../../test/platform.ts';
import { until } from '../../../test/support/until.ts';
import { CallMetrics, Calls } from '../backends/calls.ts';
import { Postgres } from '../backends/database/client.ts';
import { Budget } from '../runtime/budget.ts';
import { NO_TRACING } from '../runtime/tracing.ts';
import { Migrations, type MigrationsOptions, type Turn } from './migrations.ts';

const SLOW = 120_000;
const HOSPITALS = 30;
const OLD = [migration(1, '001_wards.sql', 'CREATE TABLE wards (hospital_id own_hospital_id, name text PRIMARY KEY)')];
/** Fails for a ward without a name, like a migration that meets unexpected data. */
const NEW = [
  ...OLD,
  migration(2, '002_beds.sql', "CREATE TABLE beds (id integer); ALTER TABLE wards ADD CHECK (name <> '')"),
];

const LIMITS = { canaries: 1, parallelism: 4, maxFailures: 1 };

let db: Knex;
let tenants: TenantPool;
let hospitals: HospitalNames[] = [];
const opened: Postgres[] = [];

beforeAll(async () => {
  db = connect(platform().databaseUrls.operator);
  tenants = openTenantPool(platform().databaseUrls.app);
  await migratePlatform(db);
}, SLOW);

beforeEach(async () => {
  const run = randomBytes(4).toString('hex');
  hospitals = Array.from({ length: HOSPITALS }, (_, n) => hospitalNames(`m${run}-${String(n).padStart(2, '0')}`));
  for (const names of hospitals) await createOld(names);
}, SLOW);

afterEach(async () => {
  for (const names of hospitals) {
    await dropTenantSchema(db, names);
    await dropTenantRole(db, names);
    await deleteHospital(db, names.prefix);
  }
  // PostgreSQL has a limited number of connections.
  await Promise.all(opened.splice(0).map((postgres) => postgres.close()));
}, SLOW);

afterAll(async () => {
  await Promise.all([db.destroy(), tenants.end()]);
});

describe('a wave', () => {
  it(
    'migrates every schema to the newest version, the canary first and never more than its limit',
    async () => {
      const wave = new Wave(LIMITS);
      await wave.run();
      expect(await versions()).toEqual(hospitals.map(() => 2));
      expect(await registered()).toEqual(hospitals.map(() => 2));
      expect(wave.most).toBeGreaterThan(1);
      expect(wave.most).toBeLessThanOrEqual(4);
      expect(wave.log.slice(0, 3)).toEqual(['start', 'migrated', 'start']);
    },
    SLOW,
  );

  it(
    'halts at a failed migration, and keeps that hospital usable on its old version',
    async () => {
      const [broken] = hospitals;
      if (!broken) throw new Error('there are no hospitals');
      await db(`${broken.schema}.wards`).insert({ name: '' });
      const wave = new Wave(LIMITS);
      await wave.turn(broken);
      await wave.run();

      expect(await versions()).toEqual(hospitals.map(() => 1));
      expect(wave.migrations.halted).toBe(true);
      expect(await wave.reasonOf(broken)).toMatchObject({
        reason: 'MigrationFailed',
        message: expect.stringMatching(
          /version 1 of 2.*002_beds\.sql: check constraint "wards_name_check" of relation "wards" is violated.*reconcile-requested-at/,
        ),
      });
      const other = await wave.reasonOf(hospitals[5]);
      expect(other).toMatchObject({ reason: 'MigrationHalted', message: expect.stringContaining(broken.prefix) });
      // The modules can still connect, and the migration's first statement is rolled back.
      await tenants.inTenant(broken, async (trx) => {
        await trx.query("INSERT INTO wards (name) VALUES ('Maternity')");
        expect(await trx.query('SELECT name FROM wards')).toHaveLength(2);
        expect(await trx.query("SELECT to_regclass('beds') AS beds")).toEqual([{ beds: null }]);
      });

      await db(`${broken.schema}.wards`).where({ name: '' }).delete();
      await wave.run();
      expect(await versions()).toEqual(hospitals.map(() => 1));
      wave.request = 'mended';
      await wave.run();
      expect(await versions()).toEqual(hospitals.map(() => 2));
      expect(wave.migrations.halted).toBe(false);
    },
    SLOW,
  );

  it(
    'is halted by people, and resumed where it stood',
    async () => {
      const wave = new Wave(LIMITS);
      wave.state = 'Halted';
      await wave.run();
      expect(await versions()).toEqual(hospitals.map(() => 1));
      expect(await wave.reasonOf(hospitals[3])).toMatchObject({
        reason: 'MigrationHalted',
        message: expect.stringMatching(/set spec\.migrations\.state of Platform hms to Running$/),
      });
      wave.state = 'Running';
      wave.migrations.stateChanged();
      await wave.settled();
      expect(await versions()).toEqual(hospitals.map(() => 2));
    },
    SLOW,
  );

  it(
    'starts nothing while it is not known what people have decided',
    async () => {
      const wave = new Wave(LIMITS);
      wave.state = undefined;
      await wave.run();
      expect(wave.log).toEqual([]);
      expect(await wave.reasonOf(hospitals[3])).toMatchObject({ reason: 'MigrationPending' });
    },
    SLOW,
  );

  it(
    'tries all failed hospitals again at one request',
    async () => {
      const broken = hospitals.slice(0, 2);
      for (const { schema } of broken) await db(`${schema}.wards`).insert({ name: '' });
      const wave = new Wave({ canaries: 0, parallelism: 4, maxFailures: 2 });
      for (const names of broken) await wave.turn(names);
      expect(wave.migrations.failed).toEqual([
        { hospital: broken[0]?.prefix, message: expect.stringContaining('002_beds.sql') },
        { hospital: broken[1]?.prefix, message: expect.stringContaining('002_beds.sql') },
      ]);
      for (const { schema } of broken) await db(`${schema}.wards`).where({ name: '' }).delete();
      await wave.run();
      expect(await versions()).toEqual(hospitals.map(() => 1));
      wave.migrations.retryFailed();
      await wave.settled();
      expect(await versions()).toEqual(hospitals.map(() => 2));
    },
    SLOW,
  );

  it(
    'reports a failure without the script and without row data',
    async () => {
      const [broken] = hospitals;
      if (!broken) throw new Error('there are no hospitals');
      await db(`${broken.schema}.wards`).insert({ name: 'Nora Quinn' });
      const numbers = migration(2, '002_numbers.sql', 'ALTER TABLE wards ALTER name TYPE integer USING name::integer');
      const wave = new Wave({ ...LIMITS, migrations: [...OLD, numbers] });
      const { behind } = await wave.turn(broken);
      expect(behind?.message).toContain('002_numbers.sql: invalid input syntax for type integer.');
      expect(behind?.message).not.toMatch(/Nora|ALTER/);
    },
    SLOW,
  );

  it(
    'treats a statement timeout and a changed migration as failures',
    async () => {
      const [slow, changed] = hospitals;
      if (!slow || !changed) throw new Error('there are no hospitals');
      const sleep = migration(2, '002_slow.sql', 'SELECT pg_sleep(10)');
      const short = new Wave({ ...LIMITS, migrations: [...OLD, sleep], statementTimeoutMs: 500 });
      expect((await short.turn(slow)).result).toBe('failed');
      const edited = [migration(1, '001_wards.sql', 'CREATE TABLE other ()'), ...NEW.slice(1)];
      const turn = await new Wave({ ...LIMITS, migrations: edited }).turn(changed);
      expect(turn).toMatchObject({ result: 'failed', version: 1 });
      expect(turn.behind?.message).toContain('001_wards.sql was changed');
    },
    SLOW,
  );

  it(
    'is continued by a new process, which does not repeat finished migrations',
    async () => {
      const stopped = new Wave({ canaries: 1, parallelism: 2, maxFailures: 1 }, 7);
      await stopped.run();
      const half = (await versions()).filter((version) => version === 2);
      expect(half.length).toBeGreaterThanOrEqual(7);
      expect(half.length).toBeLessThan(HOSPITALS);
      const next = new Wave(LIMITS);
      await next.run();
      expect(await versions()).toEqual(hospitals.map(() => 2));
      expect(next.log.filter((entry) => entry === 'start')).toHaveLength(HOSPITALS - half.length);
    },
    SLOW,
  );

  it(
    'runs each migration once when two processes run in parallel',
    async () => {
      const waves = [1, 2].map(() => new Wave({ canaries: 0, parallelism: 4, maxFailures: 1 }));
      await Promise.all(waves.map((wave) => wave.run()));
      expect(await versions()).toEqual(hospitals.map(() => 2));
      expect(waves.flatMap(({ log }) => log).filter((entry) => entry === 'failed')).toEqual([]);
    },
    SLOW,
  );

  it(
    'rolls back the migration of a process that is no longer the leader',
    async () => {
      const [first] = hospitals;
      if (!first) throw new Error('there are no hospitals');
      let leads = true;
      const frozen = new Wave(LIMITS, HOSPITALS, () => {
        if (!leads) throw Object.assign(new Error('not the leader'), { name: 'NotLeader' });
      });
      const schema = await frozen.migrations.read(first, undefined);
      const turn = frozen.migrations.run(first, schema, undefined, async () => {
        leads = false;
      });
      await expect(turn).rejects.toThrow('not the leader');
      expect(await readTenantVersion(db, first)).toBe(1);
    },
    SLOW,
  );

  it(
    'rolls back if the connection ends midway, and migrates at the next attempt',
    async () => {
      const [cut] = hospitals;
      if (!cut) throw new Error('there are no hospitals');
      const long = migration(2, '002_long.sql', 'CREATE TABLE beds (id integer); SELECT pg_sleep(20)');
      const broken = new Wave({ ...LIMITS, migrations: [...OLD, long] }).turn(cut);
      const sleeping = "application_name = 'wave' AND query LIKE '%pg_sleep(20)%'";
      await until(
        'the migration to run',
        () => db.raw<{ rows: unknown[] }>(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${sleeping}`),
        ({ rows }) => rows.length > 0,
      );
      expect((await broken).result).toBe('postponed');
      expect(await readTenantVersion(db, cut)).toBe(1);
      expect((await new Wave(LIMITS).turn(cut)).result).toBe('migrated');
    },
    SLOW,
  );

  it(
    'postpones a migration of a locked table, which is not a failure, and continues with another hospital',
    async () => {
      const [locked] = hospitals;
      if (!locked) throw new Error('there are no hospitals');
      const wave = new Wave(LIMITS);
      await db.transaction(async (trx) => {
        await trx.raw(`LOCK TABLE ${locked.schema}.wards IN ACCESS SHARE MODE`);
        const turn = await wave.turn(locked);
        expect(turn.result).toBe('postponed');
        expect(turn.behind).toMatchObject({
          reason: 'MigrationPending',
          message: expect.stringContaining('canceling statement due to lock timeout'),
        });
      });
      expect(wave.migrations.halted).toBe(false);
      expect((await wave.turn(locked)).result).toBe('migrated');
    },
    SLOW,
  );
});

type WaveOptions = MigrationsOptions['limits'] & {
  readonly migrations?: readonly Migration[];
  readonly statementTimeoutMs?: number;
};

/** One process's wave, driven like the controller does: each hospital takes its turn, and again when it is woken. */
class Wave {
  readonly migrations: Migrations;
  readonly log: string[] = [];
  request: string | undefined;
  state: MigrationState | undefined = 'Running';
  most = 0;
  #running = 0;
  readonly #asking = new Set<Promise<unknown>>();
  readonly #stopAfter: number;

  constructor(
    { migrations = NEW, statementTimeoutMs = 30_000, ...limits }: WaveOptions,
    stopAfter = HOSPITALS,
    fence: () => void = () => undefined,
  ) {
    this.#stopAfter = stopAfter;
    const budget = new Budget({ concurrency: 16, perSecond: 1000 });
    const postgres = new Postgres(
      { url: platform().databaseUrls.operator, applicationName: 'wave', poolSize: 10, statementTimeoutMs },
      new Calls({ backend: 'database', budget, metrics: new CallMetrics(new Registry()), tracing: NO_TRACING, fence }),
    );
    opened.push(postgres);
    this.migrations = new Migrations({
      postgres,
      migrations,
      limits,
      state: () => this.state,
      wake: (prefix) => this.#ask(hospitalNames(prefix)),
    });
  }

  /** Runs until no hospital may proceed. */
  async run(): Promise<void> {
    for (const names of hospitals) this.#ask(names);
    await this.settled();
  }

  /** Waits until no hospital proceeds any more. */
  async settled(): Promise<void> {
    while (this.#asking.size > 0) await Promise.all(this.#asking);
  }

  #ask(names: HospitalNames): void {
    if (this.#stopped()) return;
    const asking: Promise<unknown> = this.turn(names).finally(() => this.#asking.delete(asking));
    this.#asking.add(asking);
  }

  async turn(names: HospitalNames): Promise<Turn> {
    const schema = await this.migrations.read(names, this.request);
    if (!schema.behind) return { ...schema, result: 'waits' };
    let started = false;
    const turn = await this.migrations.run(names, schema, this.request, async () => {
      started = true;
      this.#running += 1;
      this.most = Math.max(this.most, this.#running);
      this.log.push('start');
    });
    if (started) {
      this.#running -= 1;
      this.log.push(turn.result);
    }
    return turn;
  }

  async reasonOf(names: HospitalNames | undefined) {
    if (!names) throw new Error('there is no such hospital');
    return (await this.migrations.read(names, this.request)).behind;
  }

  #stopped(): boolean {
    return this.log.filter((entry) => entry === 'migrated').length >= this.#stopAfter;
  }
}

async function createOld(names: HospitalNames, migrations: readonly Migration[] = OLD): Promise<void> {
  const id = randomUUID();
  // With the mark of a hospital, the platform's operator lets the modules act as its role.
  const mark = ownerMark({ hospitalId: id });
  await createTenantRole(db, names, mark);
  await insertHospital(db, {
    id,
    prefix: names.prefix,
    ownerUid: id,
    displayName: names.prefix,
    issuer: `http://localhost/${names.realm}`,
    state: 'Active',
    timezone: 'UTC',
    currency: 'EUR',
    theme: {},
    portal: 'http://localhost',
    settings: DEFAULT_SETTINGS,
    secondFactor: 'None',
    schemaVersion: 0,
  });
  await db.transaction(async (trx) => {
    await createTenantSchema(trx, names, id, mark);
    await grantTenantSchema(trx, names);
    await migrateTenant(trx, names, migrations);
  });
  await setTenantOpen(db, names, true);
}

function versions(): Promise<number[]> {
  return Promise.all(hospitals.map((names) => readTenantVersion(db, names)));
}

async function registered(): Promise<number[]> {
  const rows: { schema_version: number }[] = await db('platform.hospitals')
    .whereIn(
      'prefix',
      hospitals.map(({ prefix }) => prefix),
    )
    .select('schema_version');
  return rows.map(({ schema_version }) => schema_version);
}
