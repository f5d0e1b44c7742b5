/** Two operators, of which the leader dies or is frozen during its work. */
import { freePorts } from '@hms/local';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
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
import { BACKEND_NAMES, SETTING_MS } from './scene.ts';
import { SLOW, scene } from './shared-scene.ts';

async function holder(): Promise<string> {
  const path = '/apis/coordination.k8s.io/v1/namespaces/default/leases/hms-operator';
  const { spec } = await kubernetes().request<{ spec: { holderIdentity?: string } }>('GET', path);
  return spec.holderIdentity ?? '';
}

/** An event is written after the status that it reports. */
function createdEvents(name: string) {
  const ask = async () => (await eventsOf(name)).filter(({ reason }) => reason === 'Created');
  return until('the event of the creation', ask, ({ length }) => length > 0);
}

/** Makes the first operator lead, and the second wait. @returns the leader. */
async function waiting(changes: Readonly<Record<string, string>> = {}): Promise<string> {
  if (scene.operator.pid === undefined) await scene.operator.start();
  const led = await until('a leader', holder, (now) => now !== '');
  await scene.second.start(changes);
  return led;
}

/** The same, while the first has started with a hospital. */
async function begin(name: string): Promise<string> {
  const led = await waiting();
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
  beforeAll(async () => {
    // The first hospital also waits until the operator has set up the shared parts.
    const name = freshPrefix();
    await applyHospital(name, { deletionPolicy: 'Delete' });
    await whenFirstReady(name);
    await deleteConfirmed(name);
  }, SETTING_MS);

  // The second one leads after most tests.
  afterEach(async () => {
    await scene.second.stop('SIGTERM');
    await scene.operator.stop('SIGTERM');
  }, SLOW);

  it(
    'the second writes and enqueues nothing, because old keys would precede new requests when the first dies',
    async () => {
      const { operator: port } = await freePorts();
      await waiting({ PORT: String(port) });
      const name = freshPrefix();
      await applyHospital(name, { deletionPolicy: 'Delete' });
      await whenReady(name);
      expect(scene.second.log).not.toContain(name);
      // It has listed the hospital, but has not enqueued it.
      const metrics = await until(
        'the second to know the hospital',
        async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text(),
        (text) => /^hms_hospitals\{phase="Ready"\} [1-9]/m.test(text),
      );
      expect(metrics).toContain('leader_election_master_status{name="hms-operator"} 0');
      expect(metrics).toContain('workqueue_depth{name="hospital"} 0');
      await deleteConfirmed(name);
    },
    SLOW,
  );

  it(
    'the second continues when the leader is killed',
    async () => {
      const name = freshPrefix();
      const before = await begin(name);
      await scene.operator.stop('SIGKILL');
      await whenReady(name);
      expect(await holder()).not.toBe(before);
      expect(await createdEvents(name)).toHaveLength(1);
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
      expect(await createdEvents(name)).toHaveLength(1);
      await deleteConfirmed(name);
    },
    SLOW,
  );
});
