import {
  type AdminRequest,
  Ids,
  isChangeable,
  type RealmChange,
  type RealmExport,
  type RoleRefs,
  type RoleRepresentation,
  roleListChanges,
} from './change.ts';
import { unequal, without } from './compare.ts';

interface Place {
  /** The role's client, or undefined for a role of the realm. */
  readonly clientId?: string;
  readonly role: RoleRepresentation;
}

/** Roles of the realm and of its clients, and what they contain. Pure. */
export function roleChanges(expected: RealmExport, actual: RealmExport): RealmChange[] {
  const wanted = placesOf(expected);
  const present = placesOf(actual);
  return wanted.flatMap((place) => {
    const found = present.find((other) => isSame(place, other)) ?? renamedDefault(place, expected, actual);
    return found ? updates(place, found, actual) : [creation(place, actual)];
  });
}

/** Unexpected roles, which are revoked from everybody. Pure. */
export function roleDeletions(expected: RealmExport, actual: RealmExport): RealmChange[] {
  const wanted = placesOf(expected);
  const defaultId = actual.defaultRole?.id;
  return placesOf(actual)
    .filter((place) => place.role.id !== defaultId && !wanted.some((other) => isSame(place, other)))
    .filter(
      ({ clientId }) => clientId === undefined || expected.clients?.some((client) => client.clientId === clientId),
    )
    .map((place) => ({
      action: 'delete',
      object: nameOf(place),
      requests: [{ method: 'DELETE', path: byId(actual, place.role) }],
    }));
}

function creation(place: Place, actual: RealmExport): RealmChange {
  const { name, description, attributes } = place.role;
  const client = place.clientId === undefined ? undefined : new Ids(actual).client(place.clientId);
  const path = place.clientId === undefined ? `/${actual.realm}/roles` : `/${actual.realm}/clients/${client}/roles`;
  const request: AdminRequest = { method: 'POST', path, body: { name, description, attributes } };
  return {
    action: 'create',
    object: nameOf(place),
    requests: place.clientId && !client ? [] : [request],
    ...(place.clientId === undefined && name !== undefined ? { newRole: name } : {}),
  };
}

function updates(place: Place, found: Place, actual: RealmExport): RealmChange[] {
  const wanted = without(place.role, ['composite', 'composites']);
  const differing = unequal(wanted, without(found.role, ['composite', 'composites']));
  const path = byId(actual, found.role);
  const { name, description = '', attributes = {} } = place.role;
  const ids = new Ids(actual);
  // Roles of clients are named only by their ids, so all are in one list.
  const list = (method: 'POST' | 'DELETE', { realm, client }: RoleRefs): AdminRequest[] => {
    const body = [...ids.roles(realm), ...Object.entries(client).flatMap(([id, names]) => ids.roles(names, id))];
    return body.length > 0 ? [{ method, path: `${path}/composites`, body }] : [];
  };
  return [
    ...(differing.length > 0
      ? [
          {
            action: 'update' as const,
            object: nameOf(place),
            detail: differing.join(', '),
            requests: [{ method: 'PUT' as const, path, body: { name, description, attributes } }],
          },
        ]
      : []),
    ...roleListChanges(`roles contained in ${nameOf(place)}`, contained(place.role), contained(found.role), list),
  ];
}

function contained({ composites }: RoleRepresentation): RoleRefs {
  return { realm: composites?.realm ?? [], client: composites?.client ?? {} };
}

/** Every person has the default role, so it is renamed instead of created again. */
function renamedDefault({ clientId, role }: Place, expected: RealmExport, actual: RealmExport): Place | undefined {
  if (clientId !== undefined || role.name !== expected.defaultRole?.name) return undefined;
  return placesOf(actual).find((place) => place.role.id === actual.defaultRole?.id);
}

function placesOf({ roles }: RealmExport): Place[] {
  const clients = Object.entries(roles?.client ?? {});
  return [
    ...(roles?.realm ?? []).map((role) => ({ role })),
    ...clients
      .filter(([clientId]) => isChangeable({ clientId }))
      .flatMap(([clientId, list]) => list.map((role) => ({ clientId, role }))),
  ];
}

function isSame(one: Place, other: Place): boolean {
  return one.clientId === other.clientId && one.role.name === other.role.name;
}

function nameOf({ clientId, role }: Place): string {
  return clientId === undefined ? `role ${role.name}` : `role ${role.name} of client ${clientId}`;
}

function byId({ realm }: RealmExport, { id }: RoleRepresentation): string {
  return `/${realm}/roles-by-id/${id}`;
}
