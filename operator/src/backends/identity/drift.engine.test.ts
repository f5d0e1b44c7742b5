/** What people change in a realm by hand, at a real Keycloak: found and undone, also when a repair is cut off. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describe as described } from '../backend.ts';
import { unequal } from './compare.ts';
import { MANUAL_CHANGES } from './manual-changes/all.ts';
import type { Look } from './manual-changes/manual-change.ts';
import { testRealm } from './testing.ts';

const SLOW = 120_000;
const { backend, keycloak, tenant, send, look, ownPart, exported } = testRealm();
const prefix = tenant.names.realm;

const changes = async () => backend.diff(tenant, await backend.observe(tenant));
const resync = async () => {
  const found = await changes();
  if (found.length > 0) await backend.apply(tenant, found);
  return found.map(described);
};

beforeAll(async () => {
  await resync();
}, SLOW);

afterAll(async () => {
  await send('DELETE', '');
}, SLOW);

describe('a realm', () => {
  it('is as it was made: nothing is found, and nothing is written', async () => {
    const before = await exported();
    expect(await resync()).toEqual([]);
    expect(await exported()).toEqual(before);
  });

  let before: Look;
  let found: readonly string[] = [];
  const refused: string[] = [];
  it(
    'is put right as a whole by one look, whatever was changed',
    async () => {
      before = await look();
      const own = await ownPart();
      for (const [title, , change] of MANUAL_CHANGES) {
        await change(send, before).catch((error: Error) => refused.push(`${title}: ${error.message}`));
      }
      expect(refused).toEqual([]);
      found = await resync();
      expect(await changes()).toEqual([]);
      expect(unequal(own, await ownPart())).toEqual([]);
    },
    SLOW,
  );

  it.each(MANUAL_CHANGES.map(([title, undone]) => [title, undone] as const))('has %s put back', (_, undone) => {
    expect(found).toContainEqual(expect.stringMatching(undone));
  });
});

describe('a repair that is cut off', () => {
  const breakRealm = async ({ scope, role, serviceAccount }: Look) => {
    await send('DELETE', `/client-scopes/${scope('hospital')}`);
    await send('DELETE', '/authentication/required-actions/UPDATE_PASSWORD');
    await send('POST', `/users/${serviceAccount}/role-mappings/realm`, [role('OWNER')]);
  };
  const isWrite = (url: unknown, init?: RequestInit) =>
    String(url).includes('/admin/realms') && init?.method !== 'GET' && !String(url).includes('partial-export');

  it(
    'is finished by the next look, wherever it was cut',
    async () => {
      const whole = await ownPart();
      const real = globalThis.fetch;
      let cut = true;
      let writes = 0;
      for (let most = 0; cut; most += 1) {
        await breakRealm(await look());
        cut = false;
        writes = 0;
        globalThis.fetch = (url, init) => {
          if (isWrite(url, init)) writes += 1;
          cut ||= writes > most;
          return cut
            ? Promise.reject(new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } }))
            : real(url, init);
        };
        await resync()
          .catch(() => undefined)
          .finally(() => {
            globalThis.fetch = real;
          });
        await resync();
        expect({ most, left: await resync() }).toEqual({ most, left: [] });
      }
      expect(unequal(whole, await ownPart())).toEqual([]);
      expect(writes).toBeGreaterThan(10);
    },
    SLOW,
  );

  it('ends the sessions of a realm that is closed, though it was cut off after closing it', async () => {
    const closed = { ...tenant, suspended: true };
    const apply = async () => backend.apply(closed, backend.diff(closed, await backend.observe(closed)));
    // As far as the first request goes.
    await send('PUT', '', { enabled: false, notBefore: 1 });
    await apply();
    expect(await send('GET', '')).toMatchObject({ enabled: false, notBefore: 0 });
    expect(await send('GET', '/admin-events?max=3')).toMatchObject([
      { operationType: 'UPDATE' },
      { resourcePath: 'logout-all' },
      { operationType: 'UPDATE' },
    ]);
    await resync();
  });
});

describe('what people have', () => {
  it('stays: accounts, passwords, roles and groups', async () => {
    const { role } = await look();
    const id = await send('POST', '/users', {
      username: 'jane@hope.example',
      email: 'jane@hope.example',
      enabled: true,
      credentials: [{ type: 'password', value: 'a long passphrase' }],
    });
    await send('POST', `/users/${id}/role-mappings/realm`, [role('DOCTOR')]);
    const group = await send('POST', '/groups', { name: 'night shift' });
    await send('PUT', `/users/${id}/groups/${group}`, {});
    expect(await resync()).toEqual([]);
    expect(await send('GET', `/users/${id}/groups`)).toMatchObject([{ name: 'night shift' }]);
    expect(await send('GET', `/users/${id}/credentials`)).toMatchObject([{ type: 'password' }]);
  });

  it("loses a role of the hospital's own that is taken off the list, and says so", async () => {
    const more = { ...tenant, extraRoles: ['WARD_CLERK'] };
    await backend.apply(more, backend.diff(more, await backend.observe(more)));
    const [{ id } = { id: '' }] = (await send('GET', '/users?username=jane@hope.example')) as { id: string }[];
    await send('POST', `/users/${id}/role-mappings/realm`, [(await look()).role('WARD_CLERK')]);
    expect(await resync()).toEqual(['delete role WARD_CLERK']);
    const roles = (await send('GET', `/users/${id}/role-mappings/realm`)) as { name: string }[];
    expect(roles.map(({ name }) => name)).not.toContain('WARD_CLERK');
  });

  it.each([
    [
      'people from a directory',
      /delete component staff \(ldap\) \(the people who come from it/,
      async () => {
        const id = await send('POST', '/components', {
          name: 'staff',
          providerId: 'ldap',
          providerType: 'org.keycloak.storage.UserStorageProvider',
          config: {
            vendor: ['other'],
            connectionUrl: ['ldap://127.0.0.1:1'],
            usersDn: ['ou=x'],
            editMode: ['READ_ONLY'],
            enabled: ['false'],
          },
        });
        return () => send('DELETE', `/components/${id}`);
      },
    ],
    [
      'a right that the operator may not take away',
      /update roles contained in role DOCTOR \(without realm-management\/realm-admin\).*403/,
      async () => {
        const body = [(await look()).clientRole('realm-management', 'realm-admin')];
        await send('POST', '/roles/DOCTOR/composites', body);
        return () => send('DELETE', '/roles/DOCTOR/composites', body);
      },
    ],
  ])("is left to a person where it can't be put right without risk: %s", async (_, sentence, change) => {
    const undo = await change();
    await send('PUT', '', { attributes: {} });
    await expect(resync()).rejects.toMatchObject({ kind: 'RealmDamaged', message: expect.stringMatching(sentence) });
    // All else is put right.
    expect(await changes()).toHaveLength(1);
    await undo();
    expect(await resync()).toEqual([]);
  });
});

describe('a realm that was there before', () => {
  it(
    'is brought to the same state as a new one, and its people stay',
    async () => {
      const whole = await ownPart();
      await keycloak.call('test', (admin) => admin.realms.del({ realm: prefix }));
      await keycloak.call('test', (admin) =>
        admin.realms.create({
          realm: prefix,
          id: tenant.hospitalId,
          enabled: true,
          roles: { realm: [{ name: 'OLD' }] },
        }),
      );
      const id = await send('POST', '/users', { username: 'jane@hope.example', enabled: true });
      await resync();
      expect(unequal(whole, await ownPart())).toEqual([]);
      expect(await send('GET', `/users/${id}`)).toMatchObject({ username: 'jane@hope.example' });
    },
    SLOW,
  );
});
