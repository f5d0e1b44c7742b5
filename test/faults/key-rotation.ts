/** An operator that is killed between two steps of a key rotation. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { annotate, freshHospital, readHospital } from '../support/hospitals.ts';
import { until } from '../support/until.ts';
import { SLOW, scene } from './shared-scene.ts';

const KEY_PROVIDER = 'org.keycloak.keys.KeyProvider';

/** The names of the realm's keys for access tokens, and the key that the gateway verifies with. */
async function keysOf(realm: string) {
  const admin = await scene.engines.keycloak();
  const components = await admin.components.find({ realm, type: KEY_PROVIDER });
  const { active, keys } = await admin.realms.getKeys({ realm });
  const [credential] = (await scene.engines.tagged('jwts', realm)) as { rsa_public_key?: string }[];
  return {
    names: components.flatMap(({ name = '', providerId }) => (providerId === 'rsa-generated' ? [name] : [])),
    current: keys?.find(({ kid }) => kid === active?.RS256)?.publicKey,
    followed: credential?.rsa_public_key?.replaceAll(/-----.*?-----|\s/g, ''),
  };
}

describe('the operator is killed during a rotation of a signing key', () => {
  beforeAll(async () => {
    if (scene.operator.pid === undefined) await scene.operator.start();
  }, SLOW);

  it.each([
    ['after the next key was published', 'hms-next'],
    ['after it began to sign', 'hms-signing'],
  ])(
    '%s: the next one finishes the rotation, and rotates once',
    async (_, stage) => {
      const { name } = (await freshHospital()).metadata;
      await annotate(name, { 'hms.dev/rotate-key-requested-at': stage });
      await until(
        'the step',
        () => keysOf(name),
        ({ names }) => names.some((key) => key.startsWith(stage)),
      );
      await scene.operator.stop('SIGKILL');
      await scene.operator.start();
      await until(
        'the rotation to be finished',
        () => readHospital(name),
        ({ status }) => status?.signingKey?.requestedAt === stage,
        60_000,
      );
      const { names, current, followed } = await keysOf(name);
      expect(names.sort()).toEqual([expect.stringMatching(/^hms-signing /), 'rsa-generated']);
      expect(followed).toBe(current);
    },
    SLOW,
  );
});
