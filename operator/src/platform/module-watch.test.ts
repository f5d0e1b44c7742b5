import type { ModuleName } from '@hms/tenancy';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { ModuleWatch } from './module-watch.ts';

let health: Readonly<Record<string, readonly string[] | Error>>;
let changes: string[];
let looks: number;
let watch: ModuleWatch;

const kong = {
  healthOf: async (upstream: string) => {
    looks += 1;
    const found = health[upstream] ?? [];
    if ('message' in found) throw found;
    return found;
  },
};

beforeEach(() => {
  [health, changes, looks] = [{}, [], 0];
  watch = new ModuleWatch({
    kong,
    modules: ['hms', 'payment', 'console'],
    logger: pino({ level: 'silent' }),
    onChanged: (module: ModuleName, isDown) => changes.push(`${module} ${isDown ? 'down' : 'up'}`),
    everyMs: 1,
  });
  watch.start();
});
afterEach(() => watch.stop());

/** Waits until every module was looked at twice from now on. */
async function looked(now: typeof health): Promise<void> {
  health = now;
  const until = looks + 6;
  while (looks < until) await new Promise((resolve) => setTimeout(resolve, 1));
}

describe('ModuleWatch', () => {
  it('tells once when no process of a module is healthy, and once when one is again', async () => {
    await looked({ 'hms-upstream': ['HEALTHY'], 'payment-upstream': ['UNHEALTHY', 'HEALTHY'] });
    expect([changes, watch.problem()]).toEqual([[], undefined]);
    await looked({ 'hms-upstream': ['HEALTHY'], 'payment-upstream': ['UNHEALTHY', 'UNHEALTHY'] });
    expect(changes).toEqual(['payment down']);
    expect(watch.problem()).toBe('no process of module payment answers the gateway');
    await looked({ 'hms-upstream': ['UNHEALTHY'], 'payment-upstream': ['UNHEALTHY', 'UNHEALTHY'] });
    expect(watch.problem()).toBe('no process of modules hms, payment answers the gateway');
    await looked({ 'hms-upstream': ['HEALTHY'], 'payment-upstream': ['HEALTHY'] });
    expect(changes).toEqual(['payment down', 'hms down', 'hms up', 'payment up']);
    expect(watch.problem()).toBeUndefined();
  });

  it('says nothing while the gateway does not answer, or has no processes of a module', async () => {
    await looked({ 'hms-upstream': new Error('away'), 'payment-upstream': [] });
    expect([changes, watch.problem()]).toEqual([[], undefined]);
  });

  it("leaves out the platform's own modules, which no hospital needs", async () => {
    await looked({ 'console-upstream': ['UNHEALTHY'] });
    expect(changes).toEqual([]);
  });
});
