/** A new release, whose operator migrates hospitals in a wave while the modules of the release before serve them. */
import { TENANT_SCHEMA_VERSION } from '@hms/database';
import { PLATFORM_NAME, PLATFORMS_PATH, type PlatformObject } from '@hms/hospitals/platform';
import { PATCH } from '@hms/kubernetes';
import { freePorts } from '@hms/local';
import { hospitalNames } from '@hms/tenancy';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { platform } from '../platform.ts';
import { call, tokenOf } from '../support/gateway.ts';
import {
  annotate,
  applyHospital,
  eventsOf,
  freshPrefix,
  kubernetes,
  readHospital,
  whenCondition,
  whenFirstReady,
} from '../support/hospitals.ts';
import { ModuleProcess } from '../support/module-process.ts';
import { nextRelease, type Release } from '../support/release.ts';
import { until } from '../support/until.ts';
import { Scene, SETTING_MS } from './scene.ts';

const SLOW = 240_000;
const FIRST = TENANT_SCHEMA_VERSION + 1;
const SECOND = TENANT_SCHEMA_VERSION + 2;
const THIRD = TENANT_SCHEMA_VERSION + 3;
const PATIENT = { firstName: 'Ann', lastName: 'Byrne', phone: '+35311111111', dateOfBirth: '1980-01-01' };
const names = Array.from({ length: 4 }, freshPrefix).sort();
const limits = { MIGRATION_CANARIES: '1', MIGRATION_PARALLELISM: '2', MIGRATION_MAX_FAILURES: '1' };
let scene: Scene;
let port: number;
const releases: Release[] = [];

beforeAll(async () => {
  scene = await Scene.set();
  port = (await freePorts()).operator;
  await Promise.all(names.map((name) => applyHospital(name)));
  await Promise.all(names.map(whenFirstReady));
}, SETTING_MS);

afterAll(async () => {
  await scene?.strike();
  for (const release of releases) release.remove();
}, SLOW);

function build(migrations: readonly string[]): Release {
  const release = nextRelease(TENANT_SCHEMA_VERSION, migrations);
  releases.push(release);
  return release;
}

async function rollOut(release: Release): Promise<void> {
  await scene.operator.stop('SIGTERM');
  await scene.operator.start({ ...limits, PORT: String(port) }, release.operatorMain);
}

const versions = async () => (await Promise.all(names.map(readHospital))).map(({ status }) => status?.schemaVersion);
const metrics = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
const allEvents = async () => (await Promise.all(names.map(eventsOf))).flat();

/** Uses the previous release like a person. @returns the status of a patient's creation. */
async function work(name: string): Promise<number> {
  const token = await tokenOf(name, 'DOCTOR');
  return (await call('POST', '/api/hms/patients', { token, body: PATIENT })).status;
}

// The new code needs the column. The old code, which serves meanwhile, must not be affected.
const ADD = `ALTER TABLE patients ADD COLUMN ward text NOT NULL DEFAULT 'none', ADD COLUMN middle_name text`;
const DEMAND = `ALTER TABLE patients ADD CONSTRAINT patients_ward_known CHECK (ward <> 'unknown')`;
const REFUSED = `ALTER TABLE patients ADD CONSTRAINT patients_ward_not_refused CHECK (ward <> 'refused')`;

describe('a module of a new release', () => {
  it(
    'serves hospitals whose schema is one version behind, and its new field as soon as they are migrated',
    async () => {
      const release = build([ADD]);
      const patients = 'packages/domain/src/patients/record.ts';
      const lastName = 'lastName: fields.line(100),';
      release.edit(patients, lastName, `${lastName} middleName: since(${FIRST}, fields.line(100).nullish()),`);
      release.edit(patients, 'record }', 'record, since }');
      const { 'hms-2': port } = await freePorts();
      const module = new ModuleProcess('hms', port, platform(), release.services);
      const [name = ''] = names;
      const token = await tokenOf(name, 'DOCTOR');
      const create = async (more: object) => {
        const response = await fetch(`http://127.0.0.1:${port}/api/hms/patients`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
          body: JSON.stringify({ ...PATIENT, ...more }),
        });
        const { data } = (await response.json()) as { data?: { middleName: string | null } };
        return { status: response.status, middleName: data?.middleName };
      };
      const ready = () =>
        fetch(`http://127.0.0.1:${port}/ready`).then(
          ({ ok }) => ok,
          () => false,
        );
      await until('the module to be ready', ready, Boolean);
      expect(await create({})).toEqual({ status: 201, middleName: null });
      expect(await create({ middleName: 'Mary' })).toMatchObject({ status: 503 });
      await rollOut(release);
      const migrated = { status: 201, middleName: 'Mary' };
      await until(
        'the new field',
        () => create({ middleName: 'Mary' }),
        ({ status }) => status === 201,
        60_000,
      );
      expect(await create({ middleName: 'Mary' })).toEqual(migrated);
      await module.stop();
    },
    SLOW,
  );
});

describe('the operator of a new release', () => {
  it(
    'migrates every hospital with an event for each, while the modules of the previous release serve them',
    async () => {
      await until('all to be migrated', versions, (all) => all.every((version) => version === FIRST), 60_000);
      const hasEvents = (reason: string, count: number) =>
        until(
          `${count} events ${reason}`,
          allEvents,
          (all) => all.filter((one) => one.reason === reason).length === count,
        );
      await hasEvents('MigrationStarted', names.length);
      await hasEvents('Migrated', names.length);
      await hasEvents('MigrationFinished', 1);
      expect(await metrics()).toContain(`hms_schema_version_hospitals{version="${FIRST}"} ${names.length}`);
      expect(await metrics()).toContain(`hms_migrations_total{result="migrated"} ${names.length}`);
      expect(await Promise.all(names.map(work))).toEqual(names.map(() => 201));
    },
    SLOW,
  );

  it(
    'halts the wave at a hospital whose data fails, which is still served, and continues when that is fixed',
    async () => {
      const setWard = async (ward: string) => {
        for (const name of names) {
          await scene.engines.db.raw('UPDATE ??.patients SET ward = ?', [hospitalNames(name).schema, ward]);
        }
      };
      await setWard('unknown');
      await rollOut(build([ADD, DEMAND]));
      const [failed] = await until(
        'a migration to fail',
        async () => (await allEvents()).filter(({ reason }) => reason === 'MigrationFailed'),
        ({ length }) => length > 0,
        60_000,
      );
      const canary = failed?.involvedObject.name ?? '';
      await whenCondition(canary, 'DatabaseReady', ({ reason }) => reason === 'MigrationFailed');
      for (const name of names.filter((one) => one !== canary)) {
        await whenCondition(name, 'DatabaseReady', ({ reason }) => reason === 'MigrationHalted');
      }
      expect(await metrics()).toContain('hms_migrations_halted 1');
      expect(await versions()).toEqual(names.map(() => FIRST));
      expect(await Promise.all(names.map(work))).toEqual(names.map(() => 201));
      expect(await readPlatform()).toMatchObject({
        migrations: { newest: SECOND, all: names.length, done: 0, waiting: names.length - 1, running: [] },
        failed: [canary],
        migrated: { status: 'False', reason: 'MigrationHalted' },
      });
      await setWard('none');
      await annotate(canary, { 'hms.dev/reconcile-requested-at': 'fixed' });
      await until('all to be migrated', versions, (all) => all.every((version) => version === SECOND), 60_000);
      expect(await metrics()).toContain('hms_migrations_halted 0');
      expect(await Promise.all(names.map(work))).toEqual(names.map(() => 201));
    },
    SLOW,
  );

  it(
    'migrates none while people halt it, also after a crash, and all once they resume it and ask it to try again',
    async () => {
      await changePlatform({ spec: { migrations: { state: 'Halted' } } });
      await rollOut(build([ADD, DEMAND, REFUSED]));
      for (const name of names)
        await whenCondition(name, 'DatabaseReady', ({ reason }) => reason === 'MigrationHalted', 60_000);
      await scene.operator.stop('SIGKILL');
      await scene.operator.start({ ...limits, PORT: String(port) }, releases.at(-1)?.operatorMain);
      await until(
        'the next operator to report the halt',
        readPlatform,
        ({ migrations, migrated }) => migrations?.newest === THIRD && migrated?.reason === 'MigrationHalted',
        60_000,
      );
      expect(await versions()).toEqual(names.map(() => SECOND));
      expect(await metrics()).toContain('hms_migrations_halted 0');

      await scene.engines.db.raw('UPDATE ??.patients SET ward = ?', [hospitalNames(names[0] ?? '').schema, 'refused']);
      await changePlatform({ spec: { migrations: { state: 'Running' } } });
      await until(
        'a migration to fail',
        readPlatform,
        ({ failed, migrated }) => failed.length === 1 && migrated?.reason === 'MigrationHalted',
        60_000,
      );
      await scene.engines.db.raw('UPDATE ??.patients SET ward = ?', [hospitalNames(names[0] ?? '').schema, 'none']);
      await changePlatform({ metadata: { annotations: { 'hms.dev/reconcile-requested-at': 'fixed' } } });
      await until('all to be migrated', versions, (all) => all.every((version) => version === THIRD), 60_000);
      await until(
        'the platform to say so',
        readPlatform,
        ({ migrated, requestedAt }) => migrated?.status === 'True' && requestedAt === 'fixed',
      );
    },
    SLOW,
  );
});

function changePlatform(body: object): Promise<unknown> {
  return kubernetes().request('PATCH', `${PLATFORMS_PATH}/${PLATFORM_NAME}`, { contentType: PATCH.merge, body });
}

async function readPlatform() {
  const { status } = await kubernetes().request<PlatformObject>('GET', `${PLATFORMS_PATH}/${PLATFORM_NAME}`);
  return {
    migrations: status?.migrations,
    failed: (status?.migrations?.failed ?? []).map(({ hospital }) => hospital),
    migrated: status?.conditions?.find(({ type }) => type === 'Migrated'),
    requestedAt: status?.reconcileRequestedAt,
  };
}
