/**
 * The operator under faults of real engines. `make faults` runs it longer: HMS_FAULT_SECONDS is how long an engine is
 * unavailable, HMS_FAULT_ROUNDS how often each fault runs at another random point, HMS_FAULT_SEED repeats a run.
 */
import { layout, readCertificate } from '@hms/local';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Agent, fetch } from 'undici';
import { platform } from '../platform.ts';
import { NOTHING, type Traces } from '../support/engines.ts';
import {
  annotate,
  applyHospital,
  deleteConfirmed,
  freshPrefix,
  readHospital,
  startDeletion,
  whenDeleted,
  whenFirstReady,
  whenReady,
} from '../support/hospitals.ts';
import { kill } from '../support/signal.ts';
import { until } from '../support/until.ts';
import { Random } from './random.ts';
import { BACKEND_NAMES, type BackendName, Scene, SETTING_MS } from './scene.ts';

const SECONDS = Number(process.env.HMS_FAULT_SECONDS ?? 1);
const ROUNDS = Number(process.env.HMS_FAULT_ROUNDS ?? 1);
const SLOW = 240_000 + ROUNDS * (SECONDS + 60) * 1000;
/** The operator must have settled within this time after all engines are available again. */
const RECOVERY_MS = 60_000;
/** Keycloak starts in half a minute on a busy machine. */
const RESTART_MS = 180_000;
const CULPRIT: Readonly<Record<BackendName, RegExp>> = {
  identity: /Keycloak/,
  storage: /S3 server/,
  database: /PostgreSQL/,
  gateway: /gateway/,
};

const random = new Random();
const rounds = Array.from({ length: ROUNDS }, (_, round) => round);
let scene: Scene;
/** The parts of a hospital in the engines, and how much the operator sends to each for it. */
let completeTraces: Traces;
let sent: Record<BackendName, { create: number; remove: number }>;

beforeAll(async () => {
  process.stderr.write(`  faults with HMS_FAULT_SEED=${random.seed}\n`);
  scene = await Scene.set();
  const counts = () => BACKEND_NAMES.map((backend) => scene.sentTo(backend));
  // The first one also waits until the operator has set up what all hospitals share.
  const first = freshPrefix();
  await applyHospital(first, { deletionPolicy: 'Delete' });
  await whenFirstReady(first);
  const start = counts();
  const name = freshPrefix();
  await create(name);
  completeTraces = await scene.engines.traces(name);
  const created = counts();
  await deleteConfirmed(name);
  const removed = counts();
  const steps = (i: number) => ({
    create: (created[i] ?? 0) - (start[i] ?? 0),
    remove: (removed[i] ?? 0) - (created[i] ?? 0),
  });
  sent = Object.fromEntries(BACKEND_NAMES.map((backend, i) => [backend, steps(i)])) as typeof sent;
}, SETTING_MS);

afterEach(async () => {
  await scene.recover();
});

afterAll(() => scene?.strike(), SLOW);

async function create(name: string): Promise<void> {
  await applyHospital(name, { deletionPolicy: 'Delete' });
  await whenReady(name);
}

/** An engine may still be restarting after the operator has finished with it. */
function tracesOf(name: string): Promise<Traces | undefined> {
  return until(
    `the engines to show ${name}`,
    () => scene.engines.traces(name).catch(() => undefined),
    Boolean,
    RECOVERY_MS,
  );
}

/** Makes the operator delete a hospital, from the first of its requests on. */
async function startRemoving(name: string, backend: BackendName): Promise<void> {
  await annotate(name, { 'hms.dev/confirm-delete': name });
  // The annotation causes another reconcile, which must end before the deletion is counted.
  await until('a quiet operator', async () => scene.sentTo(backend), quiet(), 20_000);
}

/**
 * A random point in the first third of a hospital's creation or deletion. The operator also compares what all hospitals
 * share meanwhile, so a later point may come after the end.
 */
const midway = (backend: BackendName, during: 'create' | 'remove') =>
  1 + random.below(Math.max(1, Math.floor(sent[backend][during] / 3)));

const outage = () => new Promise((resolve) => setTimeout(resolve, SECONDS * 1000));

/** The status names the unavailable engine. */
function named(name: string, type: 'Ready' | 'Deleting', backend: BackendName) {
  return until(
    `${type} of ${name} to name the engine`,
    () =>
      readHospital(name).then(
        ({ status }) => status?.conditions?.find((condition) => condition.type === type),
        () => undefined,
      ),
    (condition) => condition?.reason === 'BackendUnavailable' && CULPRIT[backend].test(condition.message),
    45_000,
  );
}

describe.each(BACKEND_NAMES)('%s becomes unavailable', (backend) => {
  it.each(rounds)(
    'during a creation: the status says so, and the hospital is created when it is available again (%#)',
    async () => {
      const name = freshPrefix();
      const failed = scene.failAfter(backend, midway(backend, 'create'), 'refuse');
      await applyHospital(name, { deletionPolicy: 'Delete' });
      await failed;
      await named(name, 'Ready', backend);
      await outage();
      await scene.recover();
      await until(
        `${name} to be Ready`,
        () => readHospital(name),
        ({ status }) => status?.phase === 'Ready',
        RECOVERY_MS,
      );
      expect(await tracesOf(name)).toEqual(completeTraces);
      await deleteConfirmed(name);
    },
    SLOW,
  );

  it.each(rounds)(
    'during a deletion: the status says so, and nothing is left when it is available again (%#)',
    async () => {
      let name = '';
      // On a busy machine, the counted requests may include others, and the deletion ends before the random point.
      for (const point of [midway(backend, 'remove'), 1]) {
        name = freshPrefix();
        await create(name);
        await startRemoving(name, backend);
        const failed = scene.failAfter(backend, point, 'refuse');
        await startDeletion(name);
        await failed;
        const isNamed = named(name, 'Deleting', backend).then(() => true);
        if (await Promise.race([isNamed, whenDeleted(name).then(() => point === 1)])) {
          await isNamed;
          break;
        }
        await scene.recover();
      }
      await outage();
      await scene.recover();
      await whenDeleted(name);
      expect(await tracesOf(name)).toEqual(NOTHING);
    },
    SLOW,
  );
});

describe('all engines', () => {
  it(
    'are slow at every step: a hospital is created and deleted without a retry',
    async () => {
      await Promise.all(BACKEND_NAMES.map((backend) => scene.fail(backend, 'slow')));
      const name = freshPrefix();
      const logged = scene.operator.log.length;
      await applyHospital(name, { deletionPolicy: 'Delete' });
      await whenReady(name);
      expect(await tracesOf(name)).toEqual(completeTraces);
      await annotate(name, { 'hms.dev/confirm-delete': name });
      await startDeletion(name);
      await whenDeleted(name);
      expect(await tracesOf(name)).toEqual(NOTHING);
      expect(scene.operator.log.slice(logged)).not.toContain(`"key":"${name}","retryInMs"`);
    },
    SLOW,
  );
});

describe('the operator is killed', () => {
  it.each(rounds)(
    'at any moment of a creation and a deletion: nothing is duplicated or left (%#)',
    async () => {
      const [created, deleted] = [freshPrefix(), freshPrefix()];
      await create(deleted);
      await annotate(deleted, { 'hms.dev/confirm-delete': deleted });
      // A creation takes about 2.5 s, and a deletion 0.8 s. Both are hit at any point of theirs.
      const [intoCreation, intoDeletion] = [random.below(2_500), random.below(800)];
      const crash = Math.max(intoCreation, intoDeletion);
      await Promise.all([
        later(crash - intoCreation, () => applyHospital(created, { deletionPolicy: 'Delete' })),
        later(crash - intoDeletion, () => startDeletion(deleted)),
        later(crash, () => scene.operator.stop('SIGKILL')),
      ]);
      await scene.operator.start();
      await Promise.all([whenReady(created), whenDeleted(deleted)]);
      expect(await tracesOf(created)).toEqual(completeTraces);
      expect(await tracesOf(deleted)).toEqual(NOTHING);
    },
    SLOW,
  );
});

describe('the API server', () => {
  // Without a response for longer than the lease, the leader would end, but these tests need it to continue.
  beforeAll(() => scene.leadFor(120), SLOW);

  it(
    'is killed during a watch: later changes are noticed',
    async () => {
      await kill('kube-apiserver');
      const name = freshPrefix();
      await until(
        'the API server',
        () => applyHospital(name, { deletionPolicy: 'Delete' }).catch(() => undefined),
        Boolean,
        RECOVERY_MS,
      );
      await whenReady(name);
      await deleteConfirmed(name);
    },
    SLOW,
  );

  it(
    'has compacted the version of the watch (410): missed changes are noticed',
    async () => {
      await scene.api.set('refuse');
      const name = freshPrefix();
      await applyHospital(name, { deletionPolicy: 'Delete' });
      await compactEtcd();
      // A restarted server has no history.
      await kill('kube-apiserver');
      await until('the API server', () => readHospital(name).catch(() => undefined), Boolean, RECOVERY_MS);
      await scene.recover();
      await whenReady(name);
      expect(scene.operator.log).toContain('too old to be resumed');
      await deleteConfirmed(name);
    },
    SLOW,
  );

  it(
    'hangs on open connections: the operator does not wait forever',
    async () => {
      await scene.api.set('hang');
      const name = freshPrefix();
      await applyHospital(name, { deletionPolicy: 'Delete' });
      await outage();
      await scene.recover();
      await whenReady(name);
      await deleteConfirmed(name);
    },
    SLOW,
  );
});

describe.each([
  ['storage', 's3'],
  ['database', 'postgres'],
  ['gateway', 'gateway'],
  // Last, as Keycloak is slow after each start until its code is compiled.
  ['identity', 'keycloak'],
] as const)('the process of %s (%s) is killed and restarted', (backend, processName) => {
  it.each(rounds)(
    'during a creation and a deletion: both are completed (%#)',
    async () => {
      const [created, deleted] = [freshPrefix(), freshPrefix()];
      await create(deleted);
      await startRemoving(deleted, backend);
      const { create: creation, remove: removal } = sent[backend];
      const midway = scene.after(backend, 1 + random.below(Math.max(1, Math.floor((creation + removal) / 2))));
      await Promise.all([applyHospital(created, { deletionPolicy: 'Delete' }), startDeletion(deleted)]);
      await midway;
      await kill(processName);
      await Promise.all([whenFirstReady(created), whenDeleted(deleted, RESTART_MS)]);
      expect(await tracesOf(created)).toEqual(completeTraces);
      expect(await tracesOf(deleted)).toEqual(NOTHING);
    },
    SLOW,
  );
});

async function later(ms: number, work: () => Promise<unknown>): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  await work();
}

/** Compacts etcd to the current revision, through its JSON gateway. */
async function compactEtcd(): Promise<void> {
  const connect = { ...readCertificate(layout(platform().dataDir)), rejectUnauthorized: false };
  const dispatcher = new Agent({ connect });
  const etcd = (path: string, body: object) =>
    fetch(`https://127.0.0.1:${platform().ports.etcd}/v3/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      dispatcher,
    });
  const { header } = (await (await etcd('maintenance/status', {})).json()) as { header: { revision: string } };
  const answer = await etcd('kv/compaction', { revision: header.revision, physical: true });
  if (!answer.ok) throw new Error(`etcd answered ${answer.status} to a compaction: ${await answer.text()}`);
}

/** Holds if a number has not changed for a second. */
function quiet(): (count: number) => boolean {
  let last = -1;
  let since = 0;
  return (count) => {
    if (count !== last) {
      last = count;
      since = Date.now();
    }
    return Date.now() - since > 1_000;
  };
}
