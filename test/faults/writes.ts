/**
 * A full reconcile of matching hospitals writes nothing to any engine. If their desired state has changed,
 * the changes are an update, not drift.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { platform } from '../platform.ts';
import { applyHospital, eventsOf, freshPrefix, readHospital, whenFirstReady } from '../support/hospitals.ts';
import { until } from '../support/until.ts';
import { BACKEND_NAMES, SETTING_MS } from './scene.ts';
import { SLOW, scene } from './shared-scene.ts';

const HOSPITALS = 4;
const names = Array.from({ length: HOSPITALS }, freshPrefix);
describe('hospitals that match', () => {
  beforeAll(async () => {
    if (scene.operator.pid === undefined) await scene.operator.start();
    await Promise.all(names.map((name) => applyHospital(name)));
    await Promise.all(names.map(whenFirstReady));
  }, SETTING_MS);

  describe('an operator that starts again', () => {
    it(
      `reconciles ${HOSPITALS} hospitals and writes nothing`,
      async () => {
        await expectNoWrites(() => scene.operator.start());
      },
      SLOW,
    );
  });

  describe('an operator with other desired states than its predecessor', () => {
    it(
      'reports updates but no drift, and writes nothing the next time',
      async () => {
        // Like a release that changes every realm, without changes of objects or engines.
        const release = { SMTP_FROM: 'reception@hms.example' };
        const drift = async () =>
          (await Promise.all(names.map(eventsOf))).flat().filter(({ reason }) => reason === 'DriftCorrected');
        await scene.operator.stop('SIGTERM');
        await scene.operator.start(release);
        for (const name of names) {
          await until(
            `${name} to be updated`,
            () => eventsOf(name),
            (events) =>
              events.some(({ reason, message }) => reason === 'Updated' && message.includes('smtpServer.from')),
            60_000,
          );
        }
        expect(await drift()).toEqual([]);
        await expectNoWrites(() => scene.operator.start(release));
      },
      SLOW,
    );
  });

  describe('drift without a notification', () => {
    it(
      'is corrected after the resync interval',
      async () => {
        const [name = ''] = names;
        await scene.operator.stop('SIGTERM');
        scene.record();
        await scene.operator.start({ RESYNC_INTERVAL: '5s' });
        // The reconcile at the start has ended when another one starts.
        await until('two looks', reconcilesOf(name), ({ length }) => length > 1, 60_000);
        const [route] = await scene.engines.tagged('routes', name);
        const { gateway } = platform();
        await fetch(`${gateway.admin}/routes/${route?.id}`, { method: 'DELETE' });
        const drift = async () => (await eventsOf(name)).filter(({ reason }) => reason === 'DriftCorrected');
        await until(
          'the event',
          drift,
          ([event]) => event?.message.includes(`create route ${route?.name}`) ?? false,
          30_000,
        );
        expect((await scene.engines.tagged('routes', name)).map(({ id }) => id)).toContain(route?.id);
      },
      SLOW,
    );
  });
});

/** Restarts the operator and waits until it has reconciled every hospital. */
async function expectNoWrites(start: () => Promise<void>): Promise<void> {
  const before = await Promise.all(names.map(readHospital));
  scene.record();
  await scene.operator.stop('SIGTERM');
  await start();
  for (const name of names) {
    await until(`${name} to be reconciled`, reconcilesOf(name), ({ length }) => length > 0, 60_000);
  }
  await until(
    'a quiet operator',
    async () => BACKEND_NAMES.map((backend) => scene.sentTo(backend)).join(),
    quiet(),
    30_000,
  );
  const writes = Object.fromEntries(BACKEND_NAMES.map((backend) => [backend, scene.writesTo(backend)]));
  expect(writes).toEqual({ identity: [], storage: [], database: [], gateway: [] });
  const after = await Promise.all(names.map(readHospital));
  expect(after.map(({ metadata }) => metadata.resourceVersion)).toEqual(
    before.map(({ metadata }) => metadata.resourceVersion),
  );
  for (const backend of BACKEND_NAMES) expect(scene.recorded(backend).length).toBeGreaterThan(HOSPITALS);
}

/** Each reconcile exports the hospital's realm once. */
function reconcilesOf(name: string): () => Promise<readonly string[]> {
  return async () => scene.recorded('identity').filter((piece) => piece.includes(`/realms/${name}/partial-export`));
}

function quiet(): (count: string) => boolean {
  let last = '';
  let since = Date.now();
  return (count) => {
    if (count !== last) [last, since] = [count, Date.now()];
    return Date.now() - since > 2_000;
  };
}
