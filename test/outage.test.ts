/** Module processes that die or hang: the gateway avoids them, reports them, and recovers automatically. */
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { platform } from './platform.ts';
import { call, tokenOf } from './support/gateway.ts';
import { freshHospital } from './support/hospitals.ts';
import { until } from './support/until.ts';

const SLOW = 120_000;
let token: string;

beforeAll(async () => {
  token = await tokenOf((await freshHospital()).metadata.name, 'DOCTOR');
}, SLOW);

const hmsProcesses = () => platform().processes.filter(({ name }) => name.startsWith('hms-'));
const signalAll = (signal: NodeJS.Signals) => {
  for (const { pid } of hmsProcesses()) if (pid) process.kill(pid, signal);
};
const list = () => call('GET', '/api/hms/patients', { token });

afterEach(async () => {
  signalAll('SIGCONT');
  await until('hms to be served again', list, ({ status }) => status === 200, 60_000);
}, SLOW);

describe('the hms module', () => {
  it(
    'is served while one of its two processes is killed, and the process restarts',
    async () => {
      const [victim] = hmsProcesses();
      if (!victim?.pid) throw new Error('there is no hms process');
      process.kill(victim.pid, 'SIGKILL');
      for (let i = 0; i < 20; i++) expect((await list()).status).toBe(200);
      await until(
        'the process to restart',
        async () => platform().processes.find(({ name }) => name === victim.name),
        (now) => now?.pid !== undefined && now.pid !== victim.pid && now.state === 'running',
        60_000,
      );
    },
    SLOW,
  );

  it(
    'answers 503 while both hang, and recovers automatically',
    async () => {
      signalAll('SIGSTOP');
      const { admin } = platform().gateway;
      await until(
        'the health checks to see it',
        async () => {
          const answer = await fetch(`${admin}/upstreams/hms-upstream/health`);
          return ((await answer.json()) as { data: { health: string }[] }).data.map(({ health }) => health);
        },
        (health) => health.every((one) => one === 'UNHEALTHY'),
        60_000,
      );
      const refused = await list();
      expect(refused.status).toBe(503);
      expect(refused.body?.message).toBe('failure to get a peer from the ring-balancer');
      signalAll('SIGCONT');
      await until('hms to be served again', list, ({ status }) => status === 200, 60_000);
    },
    SLOW,
  );
});
