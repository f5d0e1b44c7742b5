import type { RealmExport } from './change.ts';
import { withoutGenerated } from './compare.ts';
import type { ManagedRealm } from './realm.ts';

/** Name of the temporary realm that shows Keycloak's defaults. No hospital can have this name. */
export const REFERENCE_REALM = 'hms_reference';

/**
 * The complete expected realm: the fields that the operator sets, and Keycloak's defaults in all others.
 * Pure. @param reference export of a new realm with the same clients and scopes, and no roles.
 */
export function expectedRealm(wanted: ManagedRealm, reference: RealmExport): RealmExport {
  const named = JSON.parse(JSON.stringify(reference).replaceAll(REFERENCE_REALM, wanted.realm)) as RealmExport;
  const base = withoutGenerated(named);
  return {
    ...base,
    ...wanted,
    // Keycloak's own, and those of every realm that the operator creates.
    authenticationFlows: base.authenticationFlows ?? [],
    attributes: { ...base.attributes, ...wanted.attributes },
    roles: { ...base.roles, realm: completeList('name', wanted.roles.realm, base.roles?.realm) },
    clientScopes: completeList('name', wanted.clientScopes, base.clientScopes),
    clients: completeList('clientId', wanted.clients, base.clients),
    users: completeList('username', wanted.users, base.users),
    identityProviders: completeList('alias', wanted.identityProviders ?? [], base.identityProviders),
    scopeMappings: [...(base.scopeMappings ?? []), ...(wanted.scopeMappings ?? [])],
  };
}

/** The items of both lists. Items in both are merged. */
function completeList<T extends object>(key: keyof T & string, wanted: readonly T[], base: readonly T[] = []): T[] {
  const isIn = (list: readonly T[], item: T) => list.find((other) => other[key] === item[key]);
  return [...base.filter((item) => !isIn(wanted, item)), ...wanted.map((item) => complete(item, isIn(base, item)))];
}

interface Parts {
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly protocolMappers?: readonly { readonly name?: string }[];
}

function complete<T extends object>(wanted: T, base: T | undefined): T {
  if (!base) return wanted;
  const [one, other]: readonly [Parts, Parts] = [wanted, base];
  const mappers = one.protocolMappers?.map((mapper) =>
    complete(
      mapper,
      other.protocolMappers?.find(({ name }) => name === mapper.name),
    ),
  );
  return {
    ...base,
    ...wanted,
    ...(other.attributes ? { attributes: { ...other.attributes, ...one.attributes } } : {}),
    ...(other.config ? { config: { ...other.config, ...one.config } } : {}),
    ...(mappers ? { protocolMappers: mappers } : {}),
  };
}
