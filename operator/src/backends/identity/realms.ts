import type KeycloakAdminClient from '@keycloak/keycloak-admin-client';
import type ClientScopeRepresentation from '@keycloak/keycloak-admin-client/lib/defs/clientScopeRepresentation.js';
import type RealmRepresentation from '@keycloak/keycloak-admin-client/lib/defs/realmRepresentation.js';
import { BackendError } from '../errors.ts';
import type { Keycloak } from './client.ts';
import type { RealmChange } from './diff.ts';
import { AUTH_SERVICE_ACCOUNT, OWNER_ATTRIBUTE } from './realm.ts';

/**
 * Reads a realm with its clients, scopes and roles.
 * @returns undefined when there is none.
 * @throws BackendError Conflict when the realm has another id than `id`: then it is somebody else's.
 */
export function readRealm(keycloak: Keycloak, name: string, id: string): Promise<RealmRepresentation | undefined> {
  return keycloak.call('read', async (admin) => {
    const realm = await admin.realms.findOne({ realm: name });
    if (!realm) return undefined;
    // A realm that the operator has no rights on comes back as a stub without an id.
    if (realm.id !== id) {
      throw new BackendError('Conflict', realmConflict(name, realm));
    }
    return admin.realms.export({ realm: name, exportClients: true, exportGroupsAndRoles: true });
  });
}

/** Why a realm is not this hospital's, and what to do. A realm's id can't be changed, so a hospital has to take the realm's. Pure. */
export function realmConflict(name: string, { id, attributes }: RealmRepresentation): string {
  const start = `realm ${name} exists in Keycloak and is not this hospital's`;
  const rest = 'delete or rename it, or choose another name for the hospital';
  const adoptable = id !== undefined && UUID.test(id) && attributes?.[OWNER_ATTRIBUTE] === undefined;
  if (!adoptable) return `${start}: ${rest}`;
  return `${start}: ${rest}, or take it over: delete this Hospital with deletionPolicy Delete, and apply it with spec.hospitalId ${id}`;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Carries out the changes, in the order they are given. */
export function changeRealm(keycloak: Keycloak, realm: string, changes: readonly RealmChange[]): Promise<void> {
  return keycloak.call('change', async (admin) => {
    for (const change of changes) await applyChange(admin, realm, change);
  });
}

/** Disables a realm and ends all of its sessions; access tokens that are out hold until they expire. */
export function disableRealm(keycloak: Keycloak, realm: string): Promise<void> {
  return keycloak.call('disable', async (admin) => {
    await admin.realms.update({ realm }, { enabled: false });
    await admin.realms.logoutAll({ realm });
  });
}

/**
 * The key that a realm signs access tokens with, as PEM.
 * @throws BackendError NotFound when the realm has no active RS256 key.
 */
export function signingKey(keycloak: Keycloak, realm: string): Promise<string> {
  return keycloak.call('read-key', async (admin) => {
    const { active, keys } = await admin.realms.getKeys({ realm });
    const key = keys?.find(({ kid }) => kid !== undefined && kid === active?.RS256);
    if (!key?.publicKey) {
      throw new BackendError('NotFound', `realm ${realm} has no active RS256 key: add one under Realm settings, Keys`);
    }
    return `-----BEGIN PUBLIC KEY-----\n${key.publicKey.match(/.{1,64}/g)?.join('\n')}\n-----END PUBLIC KEY-----\n`;
  });
}

async function applyChange(admin: KeycloakAdminClient, realm: string, change: RealmChange): Promise<void> {
  switch (change.kind) {
    case 'realm':
      await admin.realms.create(change.realm);
      return;
    case 'settings':
      // Who disabled it may have ended before the sessions did, and they must not come back with the realm.
      if (change.logoutAll && change.settings.enabled) await admin.realms.logoutAll({ realm });
      await admin.realms.update({ realm }, change.settings);
      if (change.logoutAll && !change.settings.enabled) await admin.realms.logoutAll({ realm });
      return;
    case 'role':
      await admin.roles.create({ realm, ...change.role });
      return;
    case 'scope':
      await createScope(admin, realm, change.scope);
      return;
    case 'mapper':
      if (change.mapperId === undefined) {
        await admin.clientScopes.addProtocolMapper({ realm, id: change.scopeId }, change.mapper);
      } else {
        const mapper = { ...change.mapper, id: change.mapperId };
        await admin.clientScopes.updateProtocolMapper({ realm, id: change.scopeId, mapperId: change.mapperId }, mapper);
      }
      return;
    case 'client':
      if (change.clientId === undefined) await admin.clients.create({ realm, ...change.client });
      else await admin.clients.update({ realm, id: change.clientId }, change.client);
      return;
    case 'authRoles':
      await grantAuthRoles(admin, realm, change.roles);
  }
}

/** A scope that is put back must be made a default again, for new clients and for those that are there. */
async function createScope(admin: KeycloakAdminClient, realm: string, scope: ClientScopeRepresentation): Promise<void> {
  const { id } = await admin.clientScopes.create({ realm, ...scope });
  await admin.clientScopes.addDefaultClientScope({ realm, id });
  for (const client of await admin.clients.find({ realm })) {
    if (client.id && client.clientId?.startsWith('hms-')) {
      await admin.clients.addDefaultClientScope({ realm, id: client.id, clientScopeId: id });
    }
  }
}

async function grantAuthRoles(admin: KeycloakAdminClient, realm: string, names: readonly string[]): Promise<void> {
  const [account] = await admin.users.find({ realm, username: AUTH_SERVICE_ACCOUNT, exact: true });
  const [management] = await admin.clients.find({ realm, clientId: 'realm-management' });
  if (!account?.id || !management?.id) {
    throw new BackendError('NotFound', `realm ${realm} lacks ${AUTH_SERVICE_ACCOUNT} or realm-management`);
  }
  const roles = await admin.clients.listRoles({ realm, id: management.id });
  await admin.users.addClientRoleMappings({
    realm,
    id: account.id,
    clientUniqueId: management.id,
    roles: roles.flatMap(({ id, name }) => (id && name && names.includes(name) ? [{ id, name }] : [])),
  });
}
