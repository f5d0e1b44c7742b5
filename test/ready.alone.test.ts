/** Ready means that people can work: a failing module or login makes a hospital unready. */
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { platform } from './platform.ts';
import { annotate, freshHospital, readHospital, whenCondition, whenReady } from './support/hospitals.ts';
import { signal } from './support/signal.ts';
import { until } from './support/until.ts';

const SLOW = 120_000;
let name: string;

beforeAll(async () => {
  name = (await freshHospital()).metadata.name;
}, SLOW);

async function healthOf(module: string): Promise<readonly string[]> {
  const answer = await fetch(`${platform().gateway.admin}/upstreams/${module}-upstream/health`);
  return ((await answer.json()) as { data: { health: string }[] }).data.map(({ health }) => health);
}

afterEach(async () => {
  for (const module of ['hms', 'auth']) {
    signal(module, 'SIGCONT');
    await until(
      `${module} to be served`,
      () => healthOf(module),
      (all) => all.every((one) => one === 'HEALTHY'),
      60_000,
    );
  }
}, SLOW);

describe('a hospital that was Ready', () => {
  it.each([
    ['hms', /hms answered a valid token with 503/],
    ['auth', /nobody can log in yet: auth answered 503/],
  ] as const)(
    'is unready while %s does not answer, and recovers automatically',
    async (module, message) => {
      signal(module, 'SIGSTOP');
      await until(
        'the gateway to detect it',
        () => healthOf(module),
        (all) => all.every((one) => one === 'UNHEALTHY'),
        60_000,
      );
      await annotate(name, { 'hms.dev/reconcile-requested-at': `while ${module} hangs` });
      const { status } = await whenCondition(name, 'Ready', ({ reason }) => reason === 'NotServedYet');
      expect(status?.conditions?.find(({ type }) => type === 'Ready')?.message).toMatch(message);
      signal(module, 'SIGCONT');
      await whenReady(name);
    },
    SLOW,
  );

  it('has the time of its last verification', async () => {
    const { status } = await readHospital(name);
    expect(Date.now() - Date.parse(status?.lastVerifiedTime ?? '')).toBeLessThan(600_000);
  });
});
