import type GroupRepresentation from '@keycloak/keycloak-admin-client/lib/defs/groupRepresentation.js';
import type UserRepresentation from '@keycloak/keycloak-admin-client/lib/defs/userRepresentation.js';
import {
  type AdminRequest,
  Ids,
  type RealmChange,
  type RealmExport,
  type RoleRefs,
  roleListChanges,
  roleNames,
  roleRequests,
  rolesLess,
} from './change.ts';
import { unequal, without } from './compare.ts';

/** Which roles may be in the tokens of a client, if they are limited. Pure. */
export function scopeMappingChanges(expected: RealmExport, actual: RealmExport): RealmChange[] {
  const [wanted, present] = [mappingsOf(expected), mappingsOf(actual)];
  const ids = new Ids(actual);
  return [...new Set([...wanted.keys(), ...present.keys()])].flatMap((target) => {
    const [kind = '', name = ''] = split(target);
    const id = kind === 'client' ? ids.client(name) : ids.scope(name);
    // An unexpected one is deleted with its mappings.
    if (!id || !isExpected(expected, kind, name)) return [];
    const path = `/${actual.realm}/${kind === 'client' ? 'clients' : 'client-scopes'}/${id}/scope-mappings`;
    return roleListChanges(
      `roles in tokens of ${kind} ${name}`,
      wanted.get(target) ?? NO_ROLES,
      present.get(target) ?? NO_ROLES,
      (method, roles) => roleRequests(method, roles, ids, `${path}/realm`, (client) => `${path}/clients/${client}`),
    );
  });
}

/** Service accounts: exactly their expected rights. Pure. */
export function serviceAccountChanges(expected: RealmExport, actual: RealmExport): RealmChange[] {
  const ids = new Ids(actual);
  return (expected.users ?? []).flatMap((account): RealmChange[] => {
    const client = account.serviceAccountClientId ?? '';
    const object = `account of client ${client}`;
    const found = actual.users?.find(({ serviceAccountClientId }) => serviceAccountClientId === client);
    if (!found) {
      // Keycloak creates it on demand.
      const path = `/${actual.realm}/clients/${ids.client(client)}/service-account-user`;
      return [{ action: 'create', object, requests: ids.client(client) ? [{ method: 'GET', path }] : [] }];
    }
    const path = `/${actual.realm}/users/${found.id}`;
    const additions = additionsTo(account, found, expected.defaultRole?.name);
    if (additions.length > 0) {
      // It holds no data, and Keycloak lets only those revoke some rights who have them.
      const remake: AdminRequest[] = [
        { method: 'DELETE', path },
        { method: 'GET', path: `/${actual.realm}/clients/${ids.client(client)}/service-account-user` },
      ];
      return [{ action: 'update', object, detail: additions.join(', '), requests: remake }];
    }
    return roleListChanges(`rights of client ${client}`, rolesOf(account), rolesOf(found), (method, roles) =>
      roleRequests(method, roles, ids, `${path}/role-mappings/realm`, (id) => `${path}/role-mappings/clients/${id}`),
    );
  });
}

/** Groups belong to people: they are kept, but must not grant a role. Pure. */
export function groupChanges(actual: RealmExport): RealmChange[] {
  const ids = new Ids(actual);
  const groups = allGroups(actual.groups);
  const defaults = (actual.defaultGroups ?? []).map((path): RealmChange => {
    const id = groups.find((group) => group.path === path)?.id;
    return {
      action: 'update',
      object: `realm ${actual.realm}`,
      detail: `without the default group ${path}`,
      requests: id ? [{ method: 'DELETE', path: `/${actual.realm}/default-groups/${id}` }] : [],
    };
  });
  const roles = groups.flatMap((group) => {
    const path = `/${actual.realm}/groups/${group.id}/role-mappings`;
    return roleListChanges(`roles of group ${group.path}`, NO_ROLES, rolesOf(group), (method, list) =>
      roleRequests(method, list, ids, `${path}/realm`, (id) => `${path}/clients/${id}`),
    );
  });
  return [...defaults, ...roles];
}

const NO_ROLES: RoleRefs = { realm: [], client: {} };

/** What an account has unexpectedly, besides the role that Keycloak gives every new one. */
function additionsTo(
  account: UserRepresentation,
  found: UserRepresentation,
  defaultRole: string | undefined,
): string[] {
  const apart = ['realmRoles', 'clientRoles', 'groups'];
  return [
    ...unequal(without(account, apart), without(found, apart)),
    ...roleNames(rolesLess(rolesOf(found), rolesOf(account)))
      .filter((name) => name !== defaultRole)
      .map((name) => `without ${name}`),
    ...(found.groups ?? []).map((group) => `out of group ${group}`),
  ];
}

function allGroups(groups: readonly GroupRepresentation[] = []): GroupRepresentation[] {
  return groups.flatMap((group) => [group, ...allGroups(group.subGroups)]);
}

function rolesOf({ realmRoles, clientRoles }: UserRepresentation | GroupRepresentation): RoleRefs {
  return { realm: realmRoles ?? [], client: clientRoles ?? {} };
}

interface Mapping {
  readonly client?: string;
  readonly clientScope?: string;
  readonly roles?: readonly string[];
}

/** Roles by their mapping's target: `client:hms-display`, `client scope:offline_access`. */
function mappingsOf({ scopeMappings = [], clientScopeMappings = {} }: RealmExport): Map<string, RoleRefs> {
  const found = new Map<string, RoleRefs>();
  const add = ({ client, clientScope, roles = [] }: Mapping, roleClient?: string) => {
    const target = client === undefined ? `client scope:${clientScope}` : `client:${client}`;
    const before = found.get(target) ?? NO_ROLES;
    const after =
      roleClient === undefined
        ? { ...before, realm: [...before.realm, ...roles] }
        : { ...before, client: { ...before.client, [roleClient]: roles } };
    found.set(target, after);
  };
  for (const mapping of scopeMappings as readonly Mapping[]) add(mapping);
  for (const [roleClient, mappings] of Object.entries(clientScopeMappings)) {
    for (const mapping of mappings as readonly Mapping[]) add(mapping, roleClient);
  }
  return found;
}

function split(target: string): string[] {
  const at = target.indexOf(':');
  return [target.slice(0, at), target.slice(at + 1)];
}

function isExpected(realm: RealmExport, kind: string, name: string): boolean {
  const scopes: readonly { readonly name?: string }[] = realm.clientScopes ?? [];
  if (kind === 'client') return realm.clients?.some(({ clientId }) => clientId === name) ?? false;
  return scopes.some((scope) => scope.name === name);
}
