/** An engine recovers from an outage so long that each hospital's next retry is far away. */
import { describe, expect, it } from '@jest/globals';
import { applyHospital, freshPrefix, readHospital, whenCondition } from '../support/hospitals.ts';
import { until } from '../support/until.ts';
import { SLOW, scene } from './shared-scene.ts';

/** An unavailable engine is probed every five seconds. */
const AT_ONCE_MS = 12_000;
/** A retry after more than this can't have caused the fast recovery. */
const LONG_MS = 14_000;

/** Waits until the operator has just failed again, and has scheduled a late retry of this hospital. */
async function whenTriesAreRare(name: string): Promise<void> {
  const delays = async () =>
    [...scene.operator.log.matchAll(new RegExp(`"key":"${name}","retryInMs":(\\d+)`, 'g'))].map(([, ms]) => Number(ms));
  await until(`rare retries of ${name}`, delays, (all) => (all.at(-1) ?? 0) > LONG_MS, 120_000);
}

async function readySoon(name: string): Promise<void> {
  await until(
    `${name} to be Ready immediately`,
    () => readHospital(name),
    ({ status }) => status?.phase === 'Ready',
    AT_ONCE_MS,
  );
}

describe('a hospital is retried immediately when its engine is available again', () => {
  it(
    'the S3 server, after an outage that began before the operator started',
    async () => {
      const name = freshPrefix();
      await scene.operator.stop('SIGTERM');
      await scene.fail('storage', 'refuse');
      await scene.operator.start();
      await applyHospital(name);
      await whenTriesAreRare(name);
      await scene.recover();
      await readySoon(name);
    },
    SLOW,
  );

  it(
    "only the gateway's proxy, which the status names while the Admin API answers",
    async () => {
      const name = freshPrefix();
      await scene.proxy.set('refuse');
      await applyHospital(name);
      const { status } = await whenCondition(name, 'GatewayReady', ({ reason }) => reason === 'BackendUnavailable');
      const outageMessage = status?.conditions?.find(({ type }) => type === 'GatewayReady')?.message;
      expect(outageMessage).toMatch(/^the gateway's proxy at .* can't be reached: .*unavailable since/);
      await whenTriesAreRare(name);
      const after = await readHospital(name);
      expect(after.status?.conditions?.find(({ type }) => type === 'GatewayReady')?.message).toBe(outageMessage);
      await scene.recover();
      await readySoon(name);
    },
    SLOW,
  );
});
