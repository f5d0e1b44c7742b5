/**
 * Module processes that die or hang: the gateway avoids them and reports them, their hospitals are unready, and all
 * recover automatically.
 */
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { platform } from '../platform.ts';
import { call, tokenOf } from '../support/gateway.ts';
import { annotate, freshHospital, whenCondition, whenReady } from '../support/hospitals.ts';
import { kill, processOf, signal } from '../support/signal.ts';
import { until } from '../support/until.ts';

const SLOW = 120_000;
let name: string;
let token: string;

beforeAll(async () => {
  name = (await freshHospital()).metadata.name;
  token = await tokenOf(name, 'DOCTOR');
}, SLOW);

const list = () => call('GET', '/api/hms/patients', { token });
const logIn = () => call('POST', '/api/auth/login', { body: {} });

/** Waits until the gateway's health checks have this result for all processes of the module. */
const whenHealth = (module: string, wanted: 'HEALTHY' | 'UNHEALTHY') =>
  until(
    `${module} to be ${wanted}`,
    async () => {
      const answer = await fetch(`${platform().gateway.admin}/upstreams/${module}-upstream/health`);
      return ((await answer.json()) as { data: { health: string }[] }).data.map(({ health }) => health);
    },
    (all) => all.every((one) => one === wanted),
    60_000,
  );

afterEach(async () => {
  for (const module of ['hms', 'auth']) {
    signal(module, 'SIGCONT');
    await whenHealth(module, 'HEALTHY');
  }
}, SLOW);

it(
  'a module is served while one of its two processes is killed, and the process restarts',
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

describe.each([
  ['hms', list, 200, /hms answered a valid token with 503/],
  ['auth', logIn, 400, /nobody can log in yet: auth answered 503/],
] as const)('while %s hangs', (module, ask, answered, message) => {
  it(
    'the gateway answers 503, a hospital that was Ready is unready, and both recover automatically',
    async () => {
      signal(module, 'SIGSTOP');
      await whenHealth(module, 'UNHEALTHY');
      const refused = await ask();
      expect(refused.status).toBe(503);
      expect(refused.body?.message).toBe('failure to get a peer from the ring-balancer');
      await annotate(name, { 'hms.dev/reconcile-requested-at': `while ${module} hangs` });
      const { status } = await whenCondition(name, 'Ready', ({ reason }) => reason === 'NotServedYet');
      expect(status?.conditions?.find(({ type }) => type === 'Ready')?.message).toMatch(message);
      signal(module, 'SIGCONT');
      await whenReady(name);
      await until(`${module} to be served again`, ask, ({ status: now }) => now === answered, 60_000);
    },
    SLOW,
  );
});
