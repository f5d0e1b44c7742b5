/** Two operators, as in production: one leads, the other takes over, and never both write. */
import { type ChildProcess, spawn } from 'node:child_process';
import { freePorts, OPERATOR_MAIN, operatorEnv } from '@hms/local';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { platform } from './platform.ts';
import { applyHospital, deleteHospital, freshPrefix, kubernetes, whenReady } from './support/hospitals.ts';
import { processOf, signal } from './support/signal.ts';
import { until } from './support/until.ts';

const SLOW = 120_000;
let second: ChildProcess;
let port: number;
const log: string[] = [];

async function holder(): Promise<string> {
  const path = '/apis/coordination.k8s.io/v1/namespaces/default/leases/hms-operator';
  const { spec } = await kubernetes().request<{ spec: { holderIdentity?: string } }>('GET', path);
  return spec.holderIdentity ?? '';
}

const metricsAt = async (url: string) => (await fetch(`${url}/metrics`)).text();
const LEADS_WITHOUT_WORK = [
  'leader_election_master_status{name="hms-operator"} 1',
  'workqueue_depth{name="hospital"} 0',
  'controller_runtime_active_workers{controller="hospital"} 0',
];

beforeAll(async () => {
  const state = platform();
  port = (await freePorts()).operator;
  const env = { ...process.env, ...operatorEnv(state, state.ports), PORT: String(port) };
  second = spawn(process.execPath, [OPERATOR_MAIN], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  second.stdout?.on('data', (chunk: Buffer) => log.push(chunk.toString()));
  await until(
    'the second operator',
    async () => log.join(''),
    (text) => text.includes('the operator runs'),
  );
}, SLOW);

afterAll(async () => {
  const ended = new Promise((resolve) => second.once('exit', resolve));
  second.kill('SIGTERM');
  await ended;
  // It reconciles all hospitals before the next suite freezes an engine.
  await until(
    "the platform's own operator to lead, without work",
    () => metricsAt(platform().operatorUrl).catch(() => ''),
    (metrics) => LEADS_WITHOUT_WORK.every((line) => metrics.includes(line)),
    90_000,
  );
}, SLOW);

describe('a second operator', () => {
  it(
    'writes nothing while the first leads',
    async () => {
      const name = freshPrefix();
      await applyHospital(name);
      await whenReady(name);
      expect(log.join('')).not.toContain(name);
      await deleteHospital(name);
    },
    SLOW,
  );

  it(
    'enqueues nothing while the first leads, because old keys would precede new requests when the first dies',
    async () => {
      const name = freshPrefix();
      await applyHospital(name);
      await whenReady(name);
      const metrics = await metricsAt(`http://127.0.0.1:${port}`);
      expect(metrics).toContain('leader_election_master_status{name="hms-operator"} 0');
      // It has listed the hospital, but has not enqueued it.
      expect(metrics).toMatch(/^hms_hospitals\{phase="Ready"\} [1-9]/m);
      expect(metrics).toContain('workqueue_depth{name="hospital"} 0');
      await deleteHospital(name);
    },
    SLOW,
  );

  it(
    'takes over from a frozen leader, which writes nothing when it resumes',
    async () => {
      const before = await holder();
      const { pid } = processOf('operator');
      signal('operator', 'SIGSTOP');
      const name = freshPrefix();
      try {
        await applyHospital(name);
        await whenReady(name);
        expect(await holder()).not.toBe(before);
      } finally {
        signal('operator', 'SIGCONT');
      }
      await until(
        'the frozen one to end and to restart',
        async () => platform().processes.find(({ name }) => name === 'operator')?.pid,
        (now) => now !== undefined && now !== pid,
        60_000,
      );
      expect(await holder()).not.toBe(before);
      const writes = log
        .join('')
        .split('\n')
        .filter((line) => line.includes(name) && line.includes('"event":"Created"'));
      expect(writes).toHaveLength(1);
      await deleteHospital(name);
    },
    SLOW,
  );
});
