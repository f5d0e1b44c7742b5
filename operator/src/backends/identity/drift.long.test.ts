/** Manual changes of a realm, at a real Keycloak: found and undone, even if a repair is interrupted. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describe as described } from '../backend.ts';
import { unequal } from './compare.ts';
import { MANUAL_CHANGES } from './manual-changes/all.ts';
import type { Look } from './manual-changes/manual-change.ts';
import { testRealm } from './testing.ts';

const SLOW = 120_000;
const { create, backend, keycloak, tenant, send, look, ownPart, exported, givenBack } = testRealm();
const prefix = tenant.names.realm;

const changes = async () => backend.diff(tenant, await backend.observe(tenant));
const resync = async () => {
  const found = await changes();
  if (found.length > 0) await backend.apply(tenant, found);
  return found.map(described);
};

beforeAll(create, SLOW);

afterAll(async () => {
  await send('DELETE', '');
}, SLOW);

describe('a realm', () => {
  it('has no drift when unchanged, and nothing is written', async () => {
    const before = await exported();
    expect(await resync()).toEqual([]);
    expect(await exported()).toEqual(before);
  });

  let before: Look;
  let found: readonly string[] = [];
  const refused: string[] = [];
  it(
    'is restored completely by one reconcile, whatever was changed',
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

  it.each(MANUAL_CHANGES.map(([title, undone]) => [title, undone] as const))('has %s restored', (_, undone) => {
    expect(found).toContainEqual(expect.stringMatching(undone));
  });
});

describe('an interrupted repair', () => {
  const breakRealm = async ({ scope, role, serviceAccount }: Look) => {
    await send('DELETE', `/client-scopes/${scope('hospital')}`);
    await send('DELETE', '/authentication/required-actions/UPDATE_PASSWORD');
    await send('POST', `/users/${serviceAccount}/role-mappings/realm`, [role('OWNER')]);
  };
  // Keycloak creates a service account when it is read.
  const isWrite = (url: unknown, init?: RequestInit) =>
    String(url).endsWith('/service-account-user') ||
    (String(url).includes('/admin/realms') && init?.method !== 'GET' && !String(url).includes('partial-export'));

  it(
    'is finished by the next reconcile, wherever it was interrupted',
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

  it('ends the sessions of a closed realm, even if it was interrupted after closing it', async () => {
    const closed = { ...tenant, suspended: true };
    const apply = async () => backend.apply(closed, backend.diff(closed, await backend.observe(closed)));
    // Only the first request.
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

describe('people’s data', () => {
  it('is kept: accounts, passwords, roles and groups', async () => {
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

  it("loses a hospital's role that is removed from the list, with a change that says so", async () => {
    const more = { ...tenant, roles: [...tenant.roles, 'WARD_CLERK'] };
    await backend.apply(more, backend.diff(more, await backend.observe(more)));
    const [{ id } = { id: '' }] = (await send('GET', '/users?username=jane@hope.example')) as { id: string }[];
    await send('POST', `/users/${id}/role-mappings/realm`, [(await look()).role('WARD_CLERK')]);
    expect(await resync()).toEqual([
      'update roles in tokens of client hms-impersonation (without WARD_CLERK)',
      'delete role WARD_CLERK',
    ]);
    const roles = (await send('GET', `/users/${id}/role-mappings/realm`)) as { name: string }[];
    expect(roles.map(({ name }) => name)).not.toContain('WARD_CLERK');
  });

  it('gives back a role that was renamed or deleted', async () => {
    const { role } = await look();
    await send('PUT', `/roles-by-id/${role('NURSE').id}`, { name: 'CARER' });
    await send('DELETE', `/roles-by-id/${role('CASHIER').id}`);
    givenBack.length = 0;
    const restored = await resync();
    expect(restored).toEqual(expect.arrayContaining(['create role NURSE', 'create role CASHIER', 'delete role CARER']));
    expect(givenBack.sort()).toEqual(['CASHIER', 'NURSE']);
    expect(await resync()).toEqual([]);
  });

  it.each([
    [
      'a user directory',
      /delete component staff \(ldap\) \(the people imported from it/,
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
      'a right that the operator may not revoke',
      /update roles contained in role DOCTOR \(without realm-management\/realm-admin\).*403/,
      async () => {
        const body = [(await look()).clientRole('realm-management', 'realm-admin')];
        await send('POST', '/roles/DOCTOR/composites', body);
        return () => send('DELETE', '/roles/DOCTOR/composites', body);
      },
    ],
    [
      'a workflow',
      /delete workflow \S+ \(Keycloak lets only the realm's administrators delete it/,
      async () => {
        const steps = [{ uses: 'disable-user', after: '30d' }];
        const id = await send('POST', '/workflows', { name: 'leavers', on: 'user-created', steps });
        return () => send('DELETE', `/workflows/${id}`);
      },
    ],
  ])("is left to an administrator if it can't be restored without risk: %s", async (_, sentence, change) => {
    const undo = await change();
    await send('PUT', '', { attributes: {} });
    await expect(resync()).rejects.toMatchObject({ kind: 'RealmDamaged', message: expect.stringMatching(sentence) });
    // Everything else is restored.
    expect(await changes()).toHaveLength(1);
    await undo();
    expect(await resync()).toEqual([]);
  });
});

describe('a realm that somebody renamed', () => {
  it('is reported with its new name, and found again when it is renamed back', async () => {
    const admin = (path: string, realm: string) =>
      keycloak.call('test', (client) => client.realms.update({ realm: path }, { realm }));
    await admin(prefix, `${prefix}-other`);
    await expect(resync()).rejects.toMatchObject({
      kind: 'Conflict',
      message: `realm ${prefix} was renamed to ${prefix}-other in Keycloak: rename it to ${prefix} again`,
    });
    await admin(`${prefix}-other`, prefix);
    await resync();
    expect(await changes()).toEqual([]);
  });
});

describe('an adopted realm', () => {
  it(
    'is brought to the same state as a new one, and keeps its people',
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
