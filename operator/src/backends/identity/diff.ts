import type ClientRepresentation from '@keycloak/keycloak-admin-client/lib/defs/clientRepresentation.js';
import type ClientScopeRepresentation from '@keycloak/keycloak-admin-client/lib/defs/clientScopeRepresentation.js';
import type ProtocolMapperRepresentation from '@keycloak/keycloak-admin-client/lib/defs/protocolMapperRepresentation.js';
import type RealmRepresentation from '@keycloak/keycloak-admin-client/lib/defs/realmRepresentation.js';
import type RoleRepresentation from '@keycloak/keycloak-admin-client/lib/defs/roleRepresentation.js';
import type { Change } from '../backend.ts';
import { differences } from '../contains.ts';
import { AUTH_REALM_ROLES, AUTH_SERVICE_ACCOUNT, type ManagedRealm } from './realm.ts';

/** What has to be done to a realm; each kind is one or two calls of the Admin API. */
export type RealmChange = Change &
  (
    | { readonly kind: 'realm'; readonly realm: ManagedRealm }
    | { readonly kind: 'settings'; readonly settings: RealmRepresentation; readonly logoutAll: boolean }
    | { readonly kind: 'role'; readonly role: RoleRepresentation }
    | { readonly kind: 'scope'; readonly scope: ClientScopeRepresentation }
    | {
        readonly kind: 'mapper';
        readonly scopeId: string;
        readonly mapperId?: string;
        readonly mapper: ProtocolMapperRepresentation;
      }
    | { readonly kind: 'client'; readonly clientId?: string; readonly client: ClientRepresentation }
    | { readonly kind: 'authRoles'; readonly roles: readonly string[] }
  );

/**
 * Compares the realm that shall be with the export of the one that is.
 * Clients, scopes and roles that somebody added are left alone.
 */
export function realmChanges(wanted: ManagedRealm, actual: RealmRepresentation | undefined): RealmChange[] {
  if (!actual) return [{ action: 'create', object: `realm ${wanted.realm}`, kind: 'realm', realm: wanted }];
  return [
    ...settingsChanges(wanted, actual),
    ...roleChanges(wanted, actual),
    ...wanted.clientScopes.flatMap((scope) => scopeChanges(scope, actual.clientScopes ?? [])),
    ...wanted.clients.flatMap((client) => clientChanges(client, actual.clients ?? [])),
    ...authRoleChanges(actual),
  ];
}

function settingsChanges(wanted: ManagedRealm, actual: RealmRepresentation): RealmChange[] {
  const { id, roles, clientScopes, defaultDefaultClientScopes, clients, users, ...settings } = wanted;
  const differing = differences(settings, actual);
  if (differing.length === 0) return [];
  return [
    {
      action: 'update',
      object: `realm ${wanted.realm}`,
      detail: differing.join(', '),
      kind: 'settings',
      // A PUT replaces the whole map of attributes, so those that others added travel along.
      settings: { ...settings, attributes: { ...actual.attributes, ...settings.attributes } },
      logoutAll: actual.enabled !== undefined && actual.enabled !== settings.enabled,
    },
  ];
}

function roleChanges(wanted: ManagedRealm, actual: RealmRepresentation): RealmChange[] {
  const present = new Set(actual.roles?.realm?.map(({ name }) => name));
  return wanted.roles.realm
    .filter(({ name }) => !present.has(name))
    .map((role) => ({ action: 'create', object: `role ${role.name}`, kind: 'role', role }));
}

function scopeChanges(wanted: ClientScopeRepresentation, actual: readonly ClientScopeRepresentation[]): RealmChange[] {
  const found = actual.find(({ name }) => name === wanted.name);
  if (!found?.id) return [{ action: 'create', object: `client scope ${wanted.name}`, kind: 'scope', scope: wanted }];
  const scopeId = found.id;
  return (wanted.protocolMappers ?? []).flatMap((mapper): RealmChange[] => {
    const other = found.protocolMappers?.find(({ name }) => name === mapper.name);
    const object = `mapper ${mapper.name} of client scope ${wanted.name}`;
    if (!other?.id) return [{ action: 'create', object, kind: 'mapper', scopeId, mapper }];
    const differing = differences(mapper, other);
    if (differing.length === 0) return [];
    return [
      { action: 'update', object, detail: differing.join(', '), kind: 'mapper', scopeId, mapperId: other.id, mapper },
    ];
  });
}

function clientChanges(wanted: ClientRepresentation, actual: readonly ClientRepresentation[]): RealmChange[] {
  const found = actual.find(({ clientId }) => clientId === wanted.clientId);
  const object = `client ${wanted.clientId}`;
  if (!found?.id) return [{ action: 'create', object, kind: 'client', client: wanted }];
  const differing = differences(wanted, found);
  if (differing.length === 0) return [];
  return [
    { action: 'update', object, detail: differing.join(', '), kind: 'client', clientId: found.id, client: wanted },
  ];
}

function authRoleChanges(actual: RealmRepresentation): RealmChange[] {
  const account = actual.users?.find(({ username }) => username === AUTH_SERVICE_ACCOUNT);
  const present: readonly string[] = account?.clientRoles?.['realm-management'] ?? [];
  const missing = AUTH_REALM_ROLES.filter((role) => !present.includes(role));
  if (missing.length === 0) return [];
  return [
    {
      action: 'update',
      object: 'rights of client hms-auth',
      detail: missing.join(', '),
      kind: 'authRoles',
      roles: missing,
    },
  ];
}
