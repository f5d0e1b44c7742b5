/** Two operators, of which the leader dies or is frozen during its work. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  applyHospital,
  deleteConfirmed,
  eventsOf,
  freshPrefix,
  kubernetes,
  whenFirstReady,
  whenReady,
} from '../support/hospitals.ts';
import { until } from '../support/until.ts';
import { BACKEND_NAMES, Scene } from './scene.ts';

const SLOW = 240_000;
let scene: Scene;

async function holder(): Promise<string> {
  const path = '/apis/coordination.k8s.io/v1/namespaces/default/leases/hms-operator';
  const { spec } = await kubernetes().request<{ spec: { holderIdentity?: string } }>('GET', path);
  return spec.holderIdentity ?? '';
}

beforeAll(async () => {
  scene = await Scene.set();
  // The first one also waits until the operator has set up the shared parts.
  const name = freshPrefix();
  await applyHospital(name);
  await whenFirstReady(name);
}, SLOW);

/** The second one leads after each test, so it is stopped for the first. */
afterEach(async () => {
  await scene.second.stop('SIGTERM');
  await scene.operator.stop('SIGTERM');
}, SLOW);

afterAll(() => scene?.strike(), SLOW);

/** Makes the first operator lead, the second wait, and the first start with a hospital. */
async function begin(name: string): Promise<string> {
  if (scene.operator.pid === undefined) await scene.operator.start();
  const led = await until('a leader', holder, (now) => now !== '');
  await scene.second.start();
  const sentBefore = scene.sentTo('identity');
  await applyHospital(name, { deletionPolicy: 'Delete' });
  await until(
    'the realm to be started',
    async () => scene.sentTo('identity'),
    (sent) => sent > sentBefore + 1,
  );
  return led;
}

describe('of two operators', () => {
  it(
    'the second continues when the leader is killed',
    async () => {
      const name = freshPrefix();
      const before = await begin(name);
      await scene.operator.stop('SIGKILL');
      await whenReady(name);
      expect(await holder()).not.toBe(before);
      expect((await eventsOf(name)).filter(({ reason }) => reason === 'Created')).toHaveLength(1);
      await deleteConfirmed(name);
    },
    SLOW,
  );

  it(
    'a frozen leader writes nothing when it resumes, neither to an engine nor to the API server',
    async () => {
      const name = freshPrefix();
      const before = await begin(name);
      const { pid } = scene.operator;
      if (!pid) throw new Error('there is no operator');
      process.kill(pid, 'SIGSTOP');
      await whenReady(name);
      expect(await holder()).not.toBe(before);
      // From here on, only the first operator uses the proxies.
      scene.record();
      process.kill(pid, 'SIGCONT');
      await until(
        'the frozen one to end',
        async () => scene.operator.log,
        (log) => log.includes('lost the lease'),
        60_000,
      );
      const writes = BACKEND_NAMES.map((backend) => [backend, scene.writesTo(backend)]);
      expect(writes).toEqual(BACKEND_NAMES.map((backend) => [backend, []]));
      expect(scene.writesToApi.filter((line) => !line.includes('/leases/'))).toEqual([]);
      await deleteConfirmed(name);
    },
    SLOW,
  );
});
