import type ClientScopeRepresentation from '@keycloak/keycloak-admin-client/lib/defs/clientScopeRepresentation.js';
import type ProtocolMapperRepresentation from '@keycloak/keycloak-admin-client/lib/defs/protocolMapperRepresentation.js';
import {
  ADMIN_PERMISSIONS,
  type AdminRequest,
  type ClientRepresentation,
  Ids,
  isChangeable,
  type RealmChange,
  type RealmExport,
} from './change.ts';
import { missing, overwriting, unequal, without, withoutGenerated } from './compare.ts';

/** Client scopes with their mappers. Pure. */
export function scopeChanges(expected: RealmExport, actual: RealmExport): RealmChange[] {
  return scopesOf(expected).flatMap((scope): RealmChange[] => {
    const object = `client scope ${scope.name}`;
    const found = scopesOf(actual).find(({ name }) => name === scope.name);
    const list = `/${actual.realm}/client-scopes`;
    if (!found) {
      return [{ action: 'create', object, requests: [{ method: 'POST', path: list, body: withoutGenerated(scope) }] }];
    }
    const path = `${list}/${found.id}`;
    return [
      ...fieldChanges(object, path, without(scope, ['protocolMappers']), without(found, ['protocolMappers'])),
      ...mapperChanges(object, path, scope.protocolMappers, found.protocolMappers),
    ];
  });
}

/** Parts of a client that have requests of their own. */
const SEPARATE = ['protocolMappers', 'defaultClientScopes', 'optionalClientScopes', 'registeredNodes'];

/** Clients with their mappers and scopes. Pure. */
export function clientChanges(expected: RealmExport, actual: RealmExport): RealmChange[] {
  return (expected.clients ?? []).filter(isChangeable).flatMap((client): RealmChange[] => {
    const object = `client ${client.clientId}`;
    const found = actual.clients?.find(({ clientId }) => clientId === client.clientId);
    const list = `/${actual.realm}/clients`;
    if (!found) {
      return [{ action: 'create', object, requests: [{ method: 'POST', path: list, body: withoutGenerated(client) }] }];
    }
    const path = `${list}/${found.id}`;
    // Keycloak deletes the settings with the authorization services that they belong to.
    const apart = [...SEPARATE, 'authorizationSettings'];
    return [
      ...fieldChanges(object, path, without(client, apart), without(found, apart)),
      ...Object.keys(found.registeredNodes ?? {}).map((node) => ({
        action: 'update' as const,
        object,
        detail: `without node ${node}`,
        requests: [{ method: 'DELETE' as const, path: `${path}/nodes/${encodeURIComponent(node)}` }],
      })),
      ...mapperChanges(object, path, client.protocolMappers, found.protocolMappers),
      ...assignments(
        object,
        new Ids(actual),
        {
          path: `${path}/default-client-scopes`,
          wanted: client.defaultClientScopes,
          present: found.defaultClientScopes,
        },
        {
          path: `${path}/optional-client-scopes`,
          wanted: client.optionalClientScopes,
          present: found.optionalClientScopes,
        },
      ),
    ];
  });
}

/** Default scopes of new clients. Pure. */
export function defaultScopeChanges(expected: RealmExport, actual: RealmExport): RealmChange[] {
  return assignments(
    `realm ${expected.realm}`,
    new Ids(actual),
    {
      path: `/${actual.realm}/default-default-client-scopes`,
      wanted: expected.defaultDefaultClientScopes,
      present: actual.defaultDefaultClientScopes,
    },
    {
      path: `/${actual.realm}/default-optional-client-scopes`,
      wanted: expected.defaultOptionalClientScopes,
      present: actual.defaultOptionalClientScopes,
    },
  );
}

/**
 * Clients and scopes that are not expected. Deleting a client also deletes its service account. The client that can't be
 * deleted is disabled, because it can get tokens like any other. Pure.
 */
export function clientDeletions(expected: RealmExport, actual: RealmExport): RealmChange[] {
  const clients = (actual.clients ?? []).filter(
    (client) => isChangeable(client) && !expected.clients?.some(({ clientId }) => clientId === client.clientId),
  );
  const scopes = scopesOf(actual).filter(({ name }) => !scopesOf(expected).some((scope) => scope.name === name));
  const removal = (path: string): AdminRequest[] => [{ method: 'DELETE', path: `/${actual.realm}/${path}` }];
  // Keycloak then deletes its service account, and refuses a request that lacks the authorization services.
  const body = { enabled: false, serviceAccountsEnabled: false, authorizationServicesEnabled: true };
  const remaining = (actual.clients ?? []).filter(({ clientId, enabled }) => clientId === ADMIN_PERMISSIONS && enabled);
  return [
    ...remaining.map(({ id, clientId }) => ({
      action: 'update' as const,
      object: `client ${clientId}`,
      detail: 'enabled',
      requests: [{ method: 'PUT' as const, path: `/${actual.realm}/clients/${id}`, body }],
    })),
    ...clients.map(({ id, clientId }) => ({
      action: 'delete' as const,
      object: `client ${clientId}`,
      requests: removal(`clients/${id}`),
    })),
    ...scopes.map(({ id, name }) => ({
      action: 'delete' as const,
      object: `client scope ${name}`,
      requests: removal(`client-scopes/${id}`),
    })),
  ];
}

function fieldChanges(
  object: string,
  path: string,
  wanted: ClientRepresentation | ClientScopeRepresentation,
  present: ClientRepresentation | ClientScopeRepresentation,
): RealmChange[] {
  const differing = unequal(wanted, present);
  if (differing.length === 0) return [];
  const { attributes = {}, ...fields } = overwriting(wanted, present);
  const flows = 'authenticationFlowBindingOverrides' in fields ? fields.authenticationFlowBindingOverrides : undefined;
  const body = {
    ...withoutGenerated(fields),
    attributes: withoutGenerated(overwriting(attributes, present.attributes ?? {})),
    ...(flows && 'authenticationFlowBindingOverrides' in present
      ? { authenticationFlowBindingOverrides: overwriting(flows, present.authenticationFlowBindingOverrides ?? {}) }
      : {}),
  };
  return [{ action: 'update', object, detail: differing.join(', '), requests: [{ method: 'PUT', path, body }] }];
}

/** @param path of the client or scope that the mappers belong to. */
function mapperChanges(
  owner: string,
  path: string,
  wanted: readonly ProtocolMapperRepresentation[] = [],
  present: readonly ProtocolMapperRepresentation[] = [],
): RealmChange[] {
  const models = `${path}/protocol-mappers/models`;
  const named = ({ name }: ProtocolMapperRepresentation) => `mapper ${name} of ${owner}`;
  const added = present.filter(({ name }) => !wanted.some((mapper) => mapper.name === name));
  return [
    ...added.map((mapper) => ({
      action: 'delete' as const,
      object: named(mapper),
      requests: [{ method: 'DELETE' as const, path: `${models}/${mapper.id}` }],
    })),
    ...wanted.flatMap((mapper): RealmChange[] => {
      const found = present.find(({ name }) => name === mapper.name);
      const body = withoutGenerated(mapper);
      if (!found)
        return [{ action: 'create', object: named(mapper), requests: [{ method: 'POST', path: models, body }] }];
      const differing = unequal(mapper, found);
      if (differing.length === 0) return [];
      const request: AdminRequest = { method: 'PUT', path: `${models}/${found.id}`, body: { ...body, id: found.id } };
      return [{ action: 'update', object: named(mapper), detail: differing.join(', '), requests: [request] }];
    }),
  ];
}

interface Assignment {
  readonly path: string;
  readonly wanted: readonly string[] | undefined;
  readonly present: readonly string[] | undefined;
}

/** A scope is in at most one of the lists, so removals come before additions. */
function assignments(owner: string, ids: Ids, ...lists: readonly Assignment[]): RealmChange[] {
  const [added, lacking] = [
    lists.flatMap(({ path, wanted, present }) => missing(present, wanted).map((name) => ({ path, name }))),
    lists.flatMap(({ path, wanted, present }) => missing(wanted, present).map((name) => ({ path, name }))),
  ];
  if (added.length + lacking.length === 0) return [];
  const requests = (method: AdminRequest['method'], assigned: typeof added): AdminRequest[] =>
    assigned.flatMap(({ path, name }) => (ids.scope(name) ? [{ method, path: `${path}/${ids.scope(name)}` }] : []));
  return [
    {
      action: 'update',
      object: `scopes of ${owner}`,
      detail: [...added.map(({ name }) => `without ${name}`), ...lacking.map(({ name }) => `with ${name}`)].join(', '),
      requests: [...requests('DELETE', added), ...requests('PUT', lacking)],
    },
  ];
}

function scopesOf({ clientScopes = [] }: RealmExport): readonly ClientScopeRepresentation[] {
  return clientScopes;
}
