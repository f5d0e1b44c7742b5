/** The account of an employee at a real Keycloak, in a realm of this suite. */
import { keycloakAdmin } from '@hms/local';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import type KeycloakAdminClient from '@keycloak/keycloak-admin-client';
import { platform } from '../../../../test/platform.ts';
import { matchAccount, type WantedAccount } from './match.ts';

const realm = `match-${Math.random().toString(36).slice(2, 10)}`;
const isFree = async () => true;

async function admin(): Promise<KeycloakAdminClient> {
  const { keycloakUrl, keycloakAdmin: account } = platform();
  return keycloakAdmin(keycloakUrl, account);
}

async function ofRealm(): Promise<KeycloakAdminClient> {
  const client = await admin();
  client.setConfig({ realmName: realm });
  return client;
}

beforeAll(async () => {
  await (await admin()).realms.create({
    realm,
    enabled: true,
    roles: { realm: [{ name: 'NURSE' }, { name: 'OWNER' }] },
  });
});
afterAll(async () => (await admin()).realms.del({ realm }));

const nora: WantedAccount = {
  id: null,
  username: 'emp-000001',
  email: 'nora@example.org',
  firstName: 'Nora',
  lastName: 'Night',
  enabled: true,
  roles: ['NURSE'],
  decided: ['NURSE', 'OWNER'],
};

it('has its roles at the moment when it opens again, so that the first token has them', async () => {
  const client = await ofRealm();
  const created = await matchAccount(client, nora, isFree);
  if (created.kind !== 'matches') throw new Error(created.kind);
  const { id } = created;
  const rolesOf = async () => (await client.users.listRealmRoleMappings({ id })).map(({ name }) => name);
  expect(await matchAccount(client, { ...nora, id, enabled: false }, isFree)).toMatchObject({ kind: 'matches', id });
  expect(await rolesOf()).not.toContain('NURSE');
  expect(await client.users.findOne({ id })).toMatchObject({ enabled: false });

  const second = () => Math.floor(Date.now() / 1000);
  let openedAt = 0;
  const update = client.users.update.bind(client.users);
  const opening = jest.spyOn(client.users, 'update').mockImplementation(async (...call) => {
    openedAt = second();
    expect(await rolesOf()).toContain('NURSE');
    return update(...call);
  });
  const before = second();
  expect(await matchAccount(client, { ...nora, id }, isFree)).toMatchObject({ kind: 'matches', id, isFresh: true });
  expect(opening).toHaveBeenCalledTimes(1);
  // So that a token of the last second before it was closed is not accepted again.
  expect(openedAt).toBeGreaterThan(before);
  expect(await client.users.findOne({ id })).toMatchObject({ enabled: true });
});
