/** Module processes that die or hang: the gateway avoids them, reports them, and recovers automatically. */
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { platform } from './platform.ts';
import { call, tokenOf } from './support/gateway.ts';
import { freshHospital } from './support/hospitals.ts';
import { kill, processOf, signal } from './support/signal.ts';
import { until } from './support/until.ts';

const SLOW = 120_000;
let token: string;

beforeAll(async () => {
  token = await tokenOf((await freshHospital()).metadata.name, 'DOCTOR');
}, SLOW);

const list = () => call('GET', '/api/hms/patients', { token });

afterEach(async () => {
  signal('hms', 'SIGCONT');
  await until('hms to be served again', list, ({ status }) => status === 200, 60_000);
}, SLOW);

describe('the hms module', () => {
  it(
    'is served while one of its two processes is killed, and the process restarts',
    async () => {
      const restarted = kill('hms-1');
      for (let i = 0; i < 20; i++) expect((await list()).status).toBe(200);
      await restarted;
      await until(
        'the process to run',
        async () => processOf('hms-1').state,
        (state) => state === 'running',
        60_000,
      );
    },
    SLOW,
  );

  it(
    'answers 503 while both hang, and recovers automatically',
    async () => {
      signal('hms', 'SIGSTOP');
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
      signal('hms', 'SIGCONT');
      await until('hms to be served again', list, ({ status }) => status === 200, 60_000);
    },
    SLOW,
  );
});
