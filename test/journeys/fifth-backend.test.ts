/** A backend that is only in the list of backends is handled like the others, from the plan to the removal. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePorts, operatorEnv, type Started, startPlatform } from '@hms/local';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { KubeConfig } from '@kubernetes/client-node';
import { pino } from 'pino';
import { main } from '../../cli/src/main.ts';
import { BACKENDS } from '../../operator/src/backends/all.ts';
import { readConfig } from '../../operator/src/config.ts';
import { ORPHANS_PATH, type OrphanObject } from '../../operator/src/hospital/orphans.ts';
import { type Operator, startOperator } from '../../operator/src/operator.ts';
import { platform } from '../platform.ts';
import { ARCHIVE, Archive, ArchiveBackend } from '../support/archive.ts';
import { Engines, NOTHING } from '../support/engines.ts';
import {
  annotate,
  applyHospital,
  eventsOf,
  freshHospital,
  freshPrefix,
  HOSPITALS,
  kubernetes,
  readHospital,
  resync,
  whenCondition,
  whenReady,
  whenTold,
} from '../support/hospitals.ts';
import { until } from '../support/until.ts';

const SLOW = 180_000;
const engines = new Engines(platform());
const archive = new Archive();
/** Each write to the archive, with whether the hospital's schema and entities of the gateway existed then. */
const writes: object[] = [];
archive.onWrite = async (prefix, what) => {
  const { schema, entities } = await engines.traces(prefix);
  writes.push({ what, schema, served: entities > 0 });
};

let dataDir: string;
let api: Started;
let operator: Operator;

/** An operator with five backends and its own API server, so that the platform's operator does not see its hospitals. */
beforeAll(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'hms-test-fifth-'));
  api = await startPlatform({ dataDir, ports: await freePorts(), fast: true, only: ['manifests'] });
  const { kubeconfig, operatorKubeconfig } = api.state;
  const state = { ...platform(), kubeconfig, operatorKubeconfig };
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromFile(operatorKubeconfig);
  operator = await startOperator({
    config: readConfig({ ...operatorEnv(state, state.ports), PORT: '0' }),
    kubeConfig,
    logger: pino({ level: 'silent' }),
    onLost: () => undefined,
    entries: [...BACKENDS, { connect: (_, { calls }) => new ArchiveBackend(archive, calls(ARCHIVE)), checks: [] }],
  });
  // The helpers of test/support find the API server with this.
  process.env.HMS_TEST_STATE = path.join(dataDir, 'fifth.json');
  writeFileSync(process.env.HMS_TEST_STATE, JSON.stringify(state), { mode: 0o600 });
}, SLOW);

afterAll(async () => {
  await operator.stop();
  await engines.close();
  await api.stop();
  rmSync(dataDir, { recursive: true, force: true });
}, SLOW);

afterEach(() => {
  archive.available = true;
});

async function conditions(name: string): Promise<Readonly<Record<string, string>>> {
  const { status } = await readHospital(name);
  return Object.fromEntries(
    (status?.conditions ?? []).map(({ type, status, reason }) => [type, `${status} ${reason}`]),
  );
}

async function removeConfirmed(name: string): Promise<void> {
  await annotate(name, { 'hms.dev/confirm-delete': name });
  await kubernetes().request('DELETE', `${HOSPITALS}/${name}`);
}

async function names(collection: string): Promise<readonly string[]> {
  const { items } = await kubernetes().request<{ items: OrphanObject[] }>('GET', collection);
  return items.map(({ metadata }) => metadata.name);
}

const isIn = (collection: string, name: string) => async () => (await names(collection)).includes(name);

describe('a fifth backend', () => {
  it(
    'is applied after the one that it needs, and has its own condition and status',
    async () => {
      writes.length = 0;
      const { metadata, status } = await freshHospital({ displayName: 'Hope' });
      const { name } = metadata;
      expect(archive.boxes.get(name)).toEqual({ hospitalId: status?.hospitalId, label: 'Hope' });
      expect(writes).toMatchObject([{ what: 'fill', schema: true }]);
      expect(status?.conditions).toContainEqual(
        expect.objectContaining({ type: 'ArchiveReady', status: 'True', message: `box ${name} matches the spec` }),
      );
      expect(status?.backends?.archive).toMatchObject({ state: 'Ready', externalId: name });
      const printed = jest.spyOn(console, 'log').mockReturnValue();
      expect(await main(['node', 'hmsctl', '--kubeconfig', platform().kubeconfig, 'hospital', 'get', name])).toBe(0);
      const [table] = printed.mock.calls.flat();
      printed.mockRestore();
      expect(table).toMatch(/ARCHIVE +DATABASE +GATEWAY +IDENTITY +STORAGE +SCHEMA/);
    },
    SLOW,
  );

  it(
    'is compared, and restored',
    async () => {
      const { metadata } = await freshHospital();
      const { name } = metadata;
      archive.boxes.set(name, { hospitalId: 'x', label: 'changed by hand' });
      await resync(name);
      expect(archive.boxes.get(name)?.label).toBe(`Hospital ${name}`);
      const [event] = await whenTold(name, 'DriftCorrected');
      expect(event?.message).toContain(`archive: update box ${name} (label)`);
    },
    SLOW,
  );

  it(
    'is in the plan of a hospital that is only observed, which changes nothing',
    async () => {
      const name = freshPrefix();
      await applyHospital(name, { managementPolicy: 'Observe' });
      const { status } = await whenCondition(name, 'Synced', ({ reason }) => reason === 'PlanOnly');
      expect(status?.plan).toContain(`archive: create box ${name}`);
      expect(await conditions(name)).toMatchObject({ ArchiveReady: 'False PlanOnly' });
      expect(archive.boxes.has(name)).toBe(false);
    },
    SLOW,
  );

  it(
    'is retried when its engine is available again',
    async () => {
      const { metadata } = await freshHospital();
      const { name } = metadata;
      archive.available = false;
      await applyHospital(name, { displayName: 'Renamed' });
      const { status } = await whenCondition(name, 'ArchiveReady', ({ status: is }) => is === 'False');
      expect(status?.conditions?.find(({ type }) => type === 'Ready')?.message).toMatch(
        /^the archive is closed \(unavailable since .*Z; the operator checks every 5 s/,
      );
      expect(await conditions(name)).toMatchObject({
        Ready: 'False BackendUnavailable',
        ArchiveReady: 'False BackendUnavailable',
        IdentityReady: 'True Ready',
        DatabaseReady: 'True Ready',
        GatewayReady: 'True Ready',
      });
      archive.available = true;
      await whenReady(name);
      expect(archive.boxes.get(name)?.label).toBe('Renamed');
    },
    SLOW,
  );

  it(
    'is removed before what it needs, and the deletion waits for it',
    async () => {
      const { metadata } = await freshHospital({ deletionPolicy: 'Delete' });
      const { name } = metadata;
      writes.length = 0;
      archive.available = false;
      await removeConfirmed(name);
      const { status } = await whenCondition(name, 'Deleting', ({ reason }) => reason === 'BackendUnavailable');
      expect(status?.teardown).toEqual([
        { backend: 'gateway', done: true },
        { backend: 'identity', done: true },
        { backend: 'storage', done: true },
        { backend: 'database', done: false, remaining: 'waits until the archive is closed' },
        { backend: 'archive', done: false, remaining: expect.stringMatching(/^the archive is closed/) },
      ]);
      expect(await engines.traces(name)).toMatchObject({ schema: true, row: true });
      expect((await eventsOf(name)).map(({ reason }) => reason)).not.toContain('Deleted');

      archive.available = true;
      const [event] = await whenTold(name, 'Deleted');
      expect(event?.message).toBe('the hospital is no longer served; nothing remains');
      expect(archive.boxes.has(name)).toBe(false);
      expect(writes).toEqual([{ what: 'remove', schema: true, served: false }]);
      await until('the object to be deleted', isIn(HOSPITALS, name), (there) => !there);
      expect(await engines.traces(name)).toEqual(NOTHING);
    },
    SLOW,
  );

  it(
    'is removed from a force-deleted hospital',
    async () => {
      const { metadata } = await freshHospital({ deletionPolicy: 'Delete' });
      const { name } = metadata;
      archive.available = false;
      await removeConfirmed(name);
      await whenCondition(name, 'Deleting', ({ reason }) => reason === 'BackendUnavailable');
      await annotate(name, { 'hms.dev/force-finalize': name });
      await until('the object to be deleted', isIn(HOSPITALS, name), (there) => !there);
      expect(await names(ORPHANS_PATH)).toContain(name);
      expect(archive.boxes.has(name)).toBe(true);

      archive.available = true;
      await until('the rest to be removed', isIn(ORPHANS_PATH, name), (there) => !there, 60_000);
      expect(archive.boxes.has(name)).toBe(false);
      expect(await engines.traces(name)).toEqual(NOTHING);
    },
    SLOW,
  );
});
