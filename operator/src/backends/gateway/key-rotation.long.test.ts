/** The rotation of a realm's signing key at a real Keycloak and gateway, wherever it is interrupted. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { platform } from '../../../../test/platform.ts';
import type { Tenant } from '../backend.ts';
import { BackendError } from '../errors.ts';
import { SigningKeys } from '../identity/signing-keys.ts';
import { testRealm } from '../identity/testing.ts';
import { rotationOf } from '../key-rotation.ts';
import { testCalls } from '../testing.ts';
import { GatewayBackend } from './backend.ts';
import { Kong } from './client.ts';

const SLOW = 120_000;
const MINUTE = 60_000;
const { admin, proxy } = platform().gateway;
const { create, keycloak, tenant, send } = testRealm();
const { realm } = tenant.names;
const keys = new SigningKeys(keycloak);
const kong = new Kong(admin, testCalls('gateway'));
let clock = Date.now();
const backend = new GatewayBackend(kong, proxy, keys, () => new Date(clock));

beforeAll(create, SLOW);
afterAll(async () => {
  await backend.remove(tenant, 'Delete');
  await send('DELETE', '');
}, SLOW);

const requested = (request: string): Tenant => ({ ...tenant, keyRotation: { ...tenant.keyRotation, request } });

async function reconcile(wanted: Tenant): Promise<readonly string[]> {
  const changes = backend.diff(wanted, await backend.observe(wanted));
  if (changes.length > 0) await backend.apply(wanted, changes);
  return changes.map(({ action, object }) => `${action} ${object}`);
}

/** Reconciles again and again, each time after the longest wait of a rotation. @returns the changes. */
async function settle(wanted: Tenant): Promise<readonly string[]> {
  const done: string[] = [];
  for (let changes = await reconcile(wanted); changes.length > 0; changes = await reconcile(wanted)) {
    done.push(...changes);
    clock += 80 * MINUTE;
  }
  return done;
}

/** The key that the gateway verifies with, and the ids of those that the realm publishes. */
async function state() {
  const [credential] = (await kong.listTagged(tenant.names.tag, ['jwts'])).get('jwts') ?? [];
  const certs = `${platform().keycloakUrl}/realms/${realm}/protocol/openid-connect/certs`;
  const { keys: published } = (await (await fetch(certs)).json()) as { keys: { kid: string; use: string }[] };
  const { current } = await keys.read(realm);
  return {
    isFollowed: credential?.rsa_public_key === current.pem,
    published: published.filter(({ use }) => use === 'sig').length,
    name: current.name,
  };
}

describe('a rotation', () => {
  it(
    'has the steps of the plan, and the gateway follows at once',
    async () => {
      await settle(tenant);
      const wanted = requested('one');
      expect(await reconcile(wanted)).toEqual(['create signing key']);
      expect(await state()).toEqual({ isFollowed: true, published: 2, name: 'rsa-generated' });
      // Modules may not know it yet.
      expect(await reconcile(wanted)).toEqual([]);
      clock += 10_000;
      expect(await reconcile(wanted)).toEqual(['update signing key']);
      expect(await state()).toEqual({ isFollowed: true, published: 2, name: expect.stringMatching(/^hms-signing/) });
      clock += 69 * MINUTE;
      expect(await reconcile(wanted)).toEqual([]);
      clock += 2 * MINUTE;
      expect(await reconcile(wanted)).toEqual(['delete signing key']);
      expect(await state()).toMatchObject({ isFollowed: true, published: 1 });
      expect(backend.report(wanted, await backend.observe(wanted)).signingKey).toMatchObject({
        state: 'Current',
        requestedAt: 'one',
      });
      expect(await settle(wanted)).toEqual([]);
    },
    SLOW,
  );

  it(
    'is finished by the next reconcile, wherever it was interrupted',
    async () => {
      const real = globalThis.fetch;
      const put = kong.put.bind(kong);
      const cut = new BackendError('Unavailable', 'cut');
      // Before and after the request of each step, and before the gateway gets the key.
      for (let interrupted = 0; interrupted < 5; interrupted += 1) {
        const wanted = requested(`interrupted ${interrupted}`);
        let left = interrupted;
        const interruptible = async <T>(work: () => Promise<T>): Promise<T> => {
          if (left-- === 0) throw cut;
          const result = await work();
          if (left-- === 0) throw cut;
          return result;
        };
        const isStep = (url: unknown, init?: RequestInit) =>
          /\/components/.test(String(url)) && init?.method !== 'GET' && init?.method !== undefined;
        globalThis.fetch = (url, init) => (isStep(url, init) ? interruptible(() => real(url, init)) : real(url, init));
        kong.put = (entity) => interruptible(() => put(entity));
        let failures = 0;
        for (let round = 0; round < 8; round += 1) {
          await reconcile(wanted).catch(() => {
            failures += 1;
          });
          clock += 10_000;
        }
        globalThis.fetch = real;
        kong.put = put;
        expect({ interrupted, failures, ...(await state()) }).toMatchObject({ failures: 1, isFollowed: true });
        expect((await keys.read(realm)).others).toHaveLength(1);
        clock += 80 * MINUTE;
        await settle(wanted);
        expect((await keys.read(realm)).others).toHaveLength(0);
      }
    },
    SLOW,
  );

  it(
    'by two operators at the same time creates one key',
    async () => {
      const { keyRotation } = requested('two operators');
      const { change } = rotationOf(await keys.read(realm), keyRotation, new Date(clock));
      const { change: other } = rotationOf(await keys.read(realm), keyRotation, new Date(clock + 1));
      if (!change || !other) throw new Error('no rotation is due');
      const results = await Promise.allSettled([keys.apply(realm, change.step), keys.apply(realm, other.step)]);
      expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect((await keys.read(realm)).others).toHaveLength(1);
      clock += 10_000;
      expect(await settle(requested('two operators'))).toEqual(['update signing key', 'delete signing key']);
    },
    SLOW,
  );

  it(
    'leaves a suspended hospital alone, until it is active again',
    async () => {
      const wanted = requested('suspended');
      const suspended = { ...wanted, suspended: true };
      await settle(suspended);
      expect((await state()).published).toBe(1);
      expect(backend.report(suspended, await backend.observe(suspended)).nextMs).toBeUndefined();
      expect(await settle(wanted)).toContain('update signing key');
    },
    SLOW,
  );

  it(
    'comes by schedule',
    async () => {
      const since = (await state()).name;
      clock += 92 * 24 * 60 * MINUTE;
      expect(await settle(tenant)).toEqual(['create signing key', 'update signing key', 'delete signing key']);
      expect((await state()).name).not.toBe(since);
      expect(await settle({ ...tenant, keyRotation: { ...tenant.keyRotation, everyDays: 0 } })).toEqual([]);
    },
    SLOW,
  );
});
