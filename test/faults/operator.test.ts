/**
 * The operator under faults of real engines. `make faults` runs it longer: HMS_FAULT_SECONDS is how long an engine is
 * away, HMS_FAULT_ROUNDS how often each is tried at another random point, HMS_FAULT_SEED repeats a run.
 */
import { layout, readCertificate } from '@hms/local';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Agent, fetch } from 'undici';
import { BACKEND_NAMES, type BackendName } from '../../operator/src/backends/backend.ts';
import { platform } from '../platform.ts';
import { NOTHING, type Traces } from '../support/engines.ts';
import {
  annotate,
  applyHospital,
  deleteHospital,
  freshPrefix,
  HOSPITALS,
  kubernetes,
  readHospital,
  whenReady,
} from '../support/hospitals.ts';
import { until } from '../support/until.ts';
import { Random } from './random.ts';
import { Scene } from './scene.ts';

const SECONDS = Number(process.env.HMS_FAULT_SECONDS ?? 1);
const ROUNDS = Number(process.env.HMS_FAULT_ROUNDS ?? 1);
const SLOW = 240_000 + ROUNDS * (SECONDS + 60) * 1000;
/** Within this time after all engines are back, the operator must have come to rest by itself. */
const RECOVERY_MS = 60_000;
const CULPRIT: Readonly<Record<BackendName, RegExp>> = {
  identity: /Keycloak/,
  storage: /S3 server/,
  database: /PostgreSQL/,
  gateway: /gateway/,
};

const random = new Random();
const rounds = Array.from({ length: ROUNDS }, (_, round) => round);
let scene: Scene;
/** What a hospital leaves in the engines, and how much the operator sends to each for it. */
let whole: Traces;
let sent: Record<BackendName, { create: number; remove: number }>;

beforeAll(async () => {
  process.stderr.write(`  faults with HMS_FAULT_SEED=${random.seed}\n`);
  scene = await Scene.set();
  const counts = () => BACKEND_NAMES.map((backend) => scene.sentTo(backend));
  // The first one also waits until the operator has set up what all hospitals share.
  await create(freshPrefix());
  const start = counts();
  const name = freshPrefix();
  await create(name);
  whole = await scene.engines.traces(name);
  const created = counts();
  await remove(name);
  const removed = counts();
  const steps = (i: number) => ({
    create: (created[i] ?? 0) - (start[i] ?? 0),
    remove: (removed[i] ?? 0) - (created[i] ?? 0),
  });
  sent = Object.fromEntries(BACKEND_NAMES.map((backend, i) => [backend, steps(i)])) as typeof sent;
}, SLOW);

afterEach(async () => {
  await scene.recover();
});

afterAll(() => scene?.strike(), SLOW);

async function create(name: string): Promise<void> {
  await applyHospital(name, { deletionPolicy: 'Delete' });
  await whenReady(name);
}

async function remove(name: string): Promise<void> {
  await annotate(name, { 'hms.dev/confirm-delete': name });
  await deleteHospital(name);
}

const away = () => new Promise((resolve) => setTimeout(resolve, SECONDS * 1000));

/** The status names the engine that is away. */
function named(name: string, type: 'Ready' | 'Deleting', backend: BackendName) {
  return until(
    `${type} of ${name} to name the culprit`,
    () =>
      readHospital(name).then(
        ({ status }) => status?.conditions?.find((condition) => condition.type === type),
        () => undefined,
      ),
    (condition) => condition?.reason === 'BackendUnavailable' && CULPRIT[backend].test(condition.message),
    45_000,
  );
}

describe.each(BACKEND_NAMES)('%s goes away', (backend) => {
  it.each(rounds)(
    'in the middle of create: the status says so, and the hospital is made when it is back (%#)',
    async () => {
      const name = freshPrefix();
      const failed = scene.failAfter(
        backend,
        1 + random.below(Math.max(1, Math.floor(sent[backend].create / 2))),
        'refuse',
      );
      await applyHospital(name, { deletionPolicy: 'Delete' });
      await failed;
      await named(name, 'Ready', backend);
      await away();
      await scene.recover();
      await until(
        `${name} to be Ready`,
        () => readHospital(name),
        ({ status }) => status?.phase === 'Ready',
        RECOVERY_MS,
      );
      expect(await scene.engines.traces(name)).toEqual(whole);
      await remove(name);
    },
    SLOW,
  );

  it.each(rounds)(
    'in the middle of delete: the status says so, and nothing is left when it is back (%#)',
    async () => {
      const name = freshPrefix();
      await create(name);
      await annotate(name, { 'hms.dev/confirm-delete': name });
      // The annotation makes the operator look once more, and that must be over before the deletion is counted.
      await until('a quiet operator', async () => scene.sentTo(backend), quiet(), 20_000);
      const failed = scene.failAfter(
        backend,
        1 + random.below(Math.max(1, Math.floor(sent[backend].remove / 2))),
        'refuse',
      );
      await kubernetes().request('DELETE', `${HOSPITALS}/${name}`);
      await failed;
      await named(name, 'Deleting', backend);
      await away();
      await scene.recover();
      await until(
        `${name} to be gone`,
        () =>
          readHospital(name).then(
            () => 'there',
            () => undefined,
          ),
        (left) => left === undefined,
        RECOVERY_MS,
      );
      expect(await scene.engines.traces(name)).toEqual(NOTHING);
    },
    SLOW,
  );
});

describe('the operator is killed', () => {
  it.each(rounds)(
    'at any moment of create and of delete: nothing is doubled and nothing is left (%#)',
    async () => {
      const name = freshPrefix();
      await applyHospital(name, { deletionPolicy: 'Delete' });
      await crashAfter(random.below(2_500));
      await whenReady(name);
      expect(await scene.engines.traces(name)).toEqual(whole);
      await annotate(name, { 'hms.dev/confirm-delete': name });
      await kubernetes().request('DELETE', `${HOSPITALS}/${name}`);
      await crashAfter(random.below(800));
      await until(
        `${name} to be gone`,
        () =>
          readHospital(name).then(
            () => 'there',
            () => undefined,
          ),
        (left) => left === undefined,
        RECOVERY_MS,
      );
      expect(await scene.engines.traces(name)).toEqual(NOTHING);
    },
    SLOW,
  );
});

describe('the API server', () => {
  // Without a word from it for longer than the lease the leader ends, and these are about one that goes on.
  beforeAll(() => scene.leadFor(120), SLOW);

  it(
    'is killed in the middle of a watch: what is applied afterwards is seen',
    async () => {
      await killApiServer();
      const name = freshPrefix();
      await until(
        'the API server',
        () => applyHospital(name, { deletionPolicy: 'Delete' }).catch(() => undefined),
        Boolean,
        RECOVERY_MS,
      );
      await whenReady(name);
      await remove(name);
    },
    SLOW,
  );

  it(
    'has forgotten where the watch was (410): what the watch missed is seen',
    async () => {
      await scene.api.set('refuse');
      const name = freshPrefix();
      await applyHospital(name, { deletionPolicy: 'Delete' });
      await compactEtcd();
      // A server that was started anew knows nothing from before.
      await killApiServer();
      await until('the API server', () => readHospital(name).catch(() => undefined), Boolean, RECOVERY_MS);
      await scene.recover();
      await whenReady(name);
      expect(scene.operator.log).toContain('too old to be resumed');
      await remove(name);
    },
    SLOW,
  );

  it(
    'answers nothing on connections that stay open: the operator does not wait for ever',
    async () => {
      await scene.api.set('hang');
      const name = freshPrefix();
      await applyHospital(name, { deletionPolicy: 'Delete' });
      await away();
      await scene.recover();
      await whenReady(name);
      await remove(name);
    },
    SLOW,
  );
});

async function crashAfter(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  await scene.operator.stop('SIGKILL');
  await scene.operator.start();
}

async function killApiServer(): Promise<void> {
  const server = () => platform().processes.find(({ name }) => name === 'kube-apiserver');
  const before = server()?.pid;
  if (!before) throw new Error('there is no API server');
  process.kill(before, 'SIGKILL');
  await until(
    'the API server to be started again',
    async () => server(),
    (now) => now?.pid !== undefined && now.pid !== before,
    RECOVERY_MS,
  );
}

/** Makes etcd forget all but the present, through its JSON gateway. */
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

/** Holds when a number has stayed the same for a second. */
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
