import { randomBytes } from 'node:crypto';
import { afterAll, expect, it } from '@jest/globals';
import { platform } from '../../../../test/platform.ts';
import { testCalls } from '../testing.ts';
import { Keycloak } from './client.ts';
import { type Appointment, inviteOwner } from './invitation.ts';

const realm = `invite-${randomBytes(4).toString('hex')}`;
const owner = { email: `ann@${realm}.example`, firstName: 'Ann', lastName: 'Byrne' };
const calls = testCalls('identity');
const { keycloakUrl: url, keycloakOperator } = platform();
const keycloak = new Keycloak({ url, ...keycloakOperator }, calls);
const appointed: Appointment[] = [];
const invite = (person: typeof owner) =>
  inviteOwner(keycloak, realm, person, async (appointment) => void appointed.push(appointment));
afterAll(() => keycloak.call('delete', (admin) => admin.realms.del({ realm })));

it('invites once', async () => {
  await keycloak.call('create', (admin) =>
    admin.realms.create({ realm, enabled: true, roles: { realm: [{ name: 'OWNER' }] } }),
  );
  expect(await invite(owner)).toEqual({});
  expect(await invite(owner)).toBeUndefined();
  expect(appointed).toEqual([{ accountId: await idOf(owner.email) }]);
});

it('revokes the role of the former owner, ends the sessions, and keeps the account', async () => {
  const next = { ...owner, email: `carl@${realm}.example` };
  expect(await owners()).toEqual([owner.email]);
  await logIn(owner.email);
  expect(await sessionsOf(owner.email)).toBe(1);
  expect(await invite(next)).toEqual({ former: owner.email });
  expect(await owners()).toEqual([next.email]);
  expect(await sessionsOf(owner.email)).toBe(0);
  const [former] = await keycloak.call('read', (admin) => admin.users.find({ realm, email: owner.email }));
  expect(former).toMatchObject({ email: owner.email, enabled: true });
  expect(await invite(next)).toBeUndefined();
  expect(appointed[1]).toEqual({ accountId: await idOf(next.email), formerId: await idOf(owner.email) });
});

async function idOf(email: string): Promise<string | undefined> {
  const [found] = await keycloak.call('read', (admin) => admin.users.find({ realm, email }));
  return found?.id;
}

/** As a person who has accepted the invitation. */
async function logIn(username: string): Promise<void> {
  const id = (await idOf(username)) ?? '';
  const password = 'a long passphrase';
  await keycloak.call('change', async (admin) => {
    await admin.users.update({ realm, id }, { requiredActions: [], emailVerified: true });
    await admin.users.resetPassword({ realm, id, credential: { type: 'password', value: password, temporary: false } });
  });
  const { status } = await fetch(`${url}/realms/${realm}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', username, password }),
  });
  expect(status).toBe(200);
}

async function sessionsOf(email: string): Promise<number> {
  const id = (await idOf(email)) ?? '';
  return (await keycloak.call('read', (admin) => admin.users.listSessions({ realm, id }))).length;
}

async function owners(): Promise<readonly (string | undefined)[]> {
  const found = await keycloak.call('read', (admin) => admin.roles.findUsersWithRole({ realm, name: 'OWNER' }));
  return found.map(({ email }: { email?: string }) => email);
}
