import type ClientRepresentation from '@keycloak/keycloak-admin-client/lib/defs/clientRepresentation.js';
import type RealmRepresentation from '@keycloak/keycloak-admin-client/lib/defs/realmRepresentation.js';
import type RoleRepresentation from '@keycloak/keycloak-admin-client/lib/defs/roleRepresentation.js';
import type { Change } from '../backend.ts';

/** A request to the Admin API. */
export interface AdminRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/admin/realms`. */
  readonly path: string;
  readonly body?: unknown;
}

/** A change of a realm. */
export interface RealmChange extends Change {
  /** In order. Empty if an administrator must make the change. */
  readonly requests: readonly AdminRequest[];
  /** The role of the realm that it creates, which nobody has yet. */
  readonly newRole?: string;
}

/** A realm as exported. Names are unique within their kind. */
export interface RealmExport extends RealmRepresentation {
  readonly realm: string;
}

/** Keycloak creates it when somebody switches on fine-grained rights. It stays when they are switched off again. */
export const ADMIN_PERMISSIONS = 'admin-permissions';

/**
 * Keycloak does not allow changing the client whose roles are the rights on a realm, nor deleting the one of
 * fine-grained rights.
 */
export function isChangeable({ clientId }: { readonly clientId?: string }): boolean {
  return clientId !== 'realm-management' && clientId !== ADMIN_PERMISSIONS;
}

/** Resolves the ids of a realm's objects, which requests need. */
export class Ids {
  readonly #actual: RealmExport;

  constructor(actual: RealmExport) {
    this.#actual = actual;
  }

  client(clientId: string): string | undefined {
    return this.#actual.clients?.find((client) => client.clientId === clientId)?.id;
  }

  scope(name: string): string | undefined {
    const scopes: readonly { readonly id?: string; readonly name?: string }[] = this.#actual.clientScopes ?? [];
    return scopes.find((scope) => scope.name === name)?.id;
  }

  /** Roles in the form of requests. Missing roles are skipped: the next comparison finds them. */
  roles(names: readonly string[], clientId?: string): { readonly id: string; readonly name: string }[] {
    const { realm = [], client = {} } = this.#actual.roles ?? {};
    const roles: readonly RoleRepresentation[] = clientId === undefined ? realm : (client[clientId] ?? []);
    return names.flatMap((wanted) => {
      const { id, name } = roles.find((role) => role.name === wanted) ?? {};
      return id && name ? [{ id, name }] : [];
    });
  }
}

/**
 * Requests that add roles to a list or remove them: those of the realm, and those of each client.
 * @param path of the list of realm roles. @param clientPath of the list of a client's roles, by the client's id.
 */
export function roleRequests(
  method: 'POST' | 'DELETE',
  { realm, client }: RoleRefs,
  ids: Ids,
  path: string,
  clientPath: (id: string) => string,
): AdminRequest[] {
  const lists = [
    { path, roles: ids.roles(realm) },
    ...Object.entries(client).map(([clientId, names]) => ({
      path: clientPath(ids.client(clientId) ?? ''),
      roles: ids.roles(names, clientId),
    })),
  ];
  return lists.filter(({ roles }) => roles.length > 0).map((list) => ({ method, path: list.path, body: list.roles }));
}

/** Names of roles: those of the realm, and those of clients by clientId. */
export interface RoleRefs {
  readonly realm: readonly string[];
  readonly client: Readonly<Record<string, readonly string[]>>;
}

/** The roles of the first that the second lacks. Pure. */
export function rolesLess(one: RoleRefs, other: RoleRefs): RoleRefs {
  const client = Object.entries(one.client).map(
    ([clientId, names]) => [clientId, names.filter((name) => !other.client[clientId]?.includes(name))] as const,
  );
  return {
    realm: one.realm.filter((name) => !other.realm.includes(name)),
    client: Object.fromEntries(client.filter(([, names]) => names.length > 0)),
  };
}

/** For messages: `OWNER, realm-management/realm-admin`. */
export function roleNames({ realm, client }: RoleRefs): string[] {
  return [...realm, ...Object.entries(client).flatMap(([id, names]) => names.map((name) => `${id}/${name}`))];
}

/** Differences between two lists of roles: a change for each role, because Keycloak may refuse some of them. */
export function roleListChanges(
  object: string,
  expected: RoleRefs,
  actual: RoleRefs,
  requests: (method: 'POST' | 'DELETE', role: RoleRefs) => readonly AdminRequest[],
): RealmChange[] {
  const changes = (method: 'POST' | 'DELETE', roles: RoleRefs, word: string) =>
    singly(roles).map((role) => ({
      action: 'update' as const,
      object,
      detail: `${word} ${roleNames(role).join()}`,
      requests: requests(method, role),
    }));
  return [
    ...changes('DELETE', rolesLess(actual, expected), 'without'),
    ...changes('POST', rolesLess(expected, actual), 'with'),
  ];
}

function singly({ realm, client }: RoleRefs): RoleRefs[] {
  return [
    ...realm.map((name) => ({ realm: [name], client: {} })),
    ...Object.entries(client).flatMap(([id, names]) => names.map((name) => ({ realm: [], client: { [id]: [name] } }))),
  ];
}

export type { ClientRepresentation, RoleRepresentation };
