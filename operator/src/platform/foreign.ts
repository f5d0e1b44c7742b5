/**
 * Foreign entities in the gateway, besides the platform's own configuration. Those attached to an entity of the
 * platform are removed: a second credential, a plugin on a route, a foreign consumer in a hospital's group. Others that
 * change how requests are handled are reported: a global plugin, a route that shadows the platform's, an upstream that
 * replaces the host of a service.
 */
import { PLATFORM_TAG } from '@hms/tenancy';
import type { KongEntity } from '../backends/gateway/client.ts';

/** Collections that belong to a consumer, with their path below it. */
const OF_CONSUMERS = {
  jwts: 'jwt',
  acls: 'acls',
  'key-auths': 'key-auth',
  'basic-auths': 'basic-auth',
  'hmac-auths': 'hmac-auth',
  oauth2: 'oauth2',
} as const;
type OfConsumers = keyof typeof OF_CONSUMERS;
const OF_CONSUMERS_LIST = Object.keys(OF_CONSUMERS) as readonly OfConsumers[];
const COLLECTIONS = ['services', 'upstreams', 'consumers', 'routes', 'plugins', ...OF_CONSUMERS_LIST] as const;

/** All relevant entities of the gateway, whoever created them. */
export type GatewayLists = Readonly<Record<(typeof COLLECTIONS)[number], readonly KongEntity[]>>;

export const FOREIGN_KINDS = ['plugin', 'route', 'upstream', 'consumer', 'database', 'bucket'] as const;

/** A foreign part that is left in place and reported. */
export interface Foreign {
  readonly kind: (typeof FOREIGN_KINDS)[number];
  /** A phrase on what it is and does. */
  readonly message: string;
}

/** A foreign entity that is attached to an entity of the platform. */
export interface Attachment {
  readonly object: string;
  /** Its path in the Admin API. */
  readonly path: string;
}

export interface ForeignOptions {
  /** Hosts of the platform itself. */
  readonly platformHosts: readonly string[];
  /** Whether the operator may change this hospital's entities. */
  readonly mayChange: (prefix: string) => boolean;
  /** Whether there is a hospital of that prefix. Anybody can give an entity the tag of a hospital. */
  readonly isHospital: (prefix: string) => boolean;
}

/**
 * Reads the lists one after the other, parents first, so that an entity created meanwhile never lacks its listed
 * parent.
 */
export async function readLists(list: (collection: string) => Promise<readonly KongEntity[]>): Promise<GatewayLists> {
  const lists: Partial<Record<keyof GatewayLists, readonly KongEntity[]>> = {};
  for (const collection of COLLECTIONS) lists[collection] = await list(collection);
  return lists as GatewayLists;
}

/** Finds what is foreign. Pure. */
export function foreignIn(
  lists: GatewayLists,
  { platformHosts, mayChange, isHospital }: ForeignOptions,
): { readonly attachments: readonly Attachment[]; readonly foreign: readonly Foreign[] } {
  const owners = new Map(
    [...lists.services, ...lists.routes, ...lists.consumers].flatMap((entity) => {
      const owner = ownerOf(entity);
      return owner === undefined ? [] : [[entity.id, owner] as const];
    }),
  );
  const tenants = new Set(lists.consumers.flatMap((consumer) => ownerOf(consumer) ?? []));

  /** Whether it is attached to an entity of the platform without being a part of it. */
  const isAttached = (entity: KongEntity, ...more: readonly (string | undefined)[]): boolean => {
    const [consumer, ...parents] = [entity.consumer, entity.service, entity.route].map((parent) =>
      owners.get(idOf(parent) ?? ''),
    );
    const known = [consumer, ...parents, ...more].filter((owner) => owner !== undefined);
    const own = ownerOf(entity);
    // Marked entities are compared with the platform or their hospital.
    const isOwn = own !== undefined && (own === PLATFORM_TAG || tenants.has(own));
    // A hospital attaches plugins to the platform's services, but nothing to the platform's consumer.
    const fits =
      isOwn &&
      (consumer === undefined || consumer === own) &&
      known.every((owner) => owner === PLATFORM_TAG || owner === own);
    return known.length > 0 && !fits && known.every((owner) => owner === PLATFORM_TAG || mayChange(owner));
  };

  const attachments = [
    ...lists.plugins
      .filter((plugin) => isAttached(plugin))
      .map(({ id, name }) => ({ object: `foreign plugin ${name} (${id})`, path: `/plugins/${id}` })),
    ...OF_CONSUMERS_LIST.flatMap((collection) =>
      lists[collection]
        .filter((entity) => isAttached(entity, collection === 'acls' ? groupOwner(entity, tenants) : undefined))
        .map(({ id, consumer, group }) => ({
          object: `foreign ${OF_CONSUMERS[collection]} ${group ?? id} of consumer ${nameIn(lists.consumers, consumer)}`,
          path: `/consumers/${idOf(consumer)}/${OF_CONSUMERS[collection]}/${id}`,
        })),
    ),
    ...lists.routes
      .filter((route) => isAttached(route))
      .map((route) => ({
        object: `foreign route ${labelOf(route)} on service ${nameIn(lists.services, route.service)}`,
        path: `/routes/${route.id}`,
      })),
  ];
  const removed = new Set(attachments.map(({ path }) => path));
  /** The entities of others are compared with nothing. */
  const isCompared = (entity: KongEntity): boolean => {
    const owner = ownerOf(entity);
    return owner === PLATFORM_TAG || (owner !== undefined && isHospital(owner));
  };
  const own = lists.routes.filter(isCompared);
  const hosts = new Set([...platformHosts, ...own.flatMap((route) => textsOf(route.hosts))]);
  const paths = [...new Set(own.flatMap((route) => textsOf(route.paths)))];
  const serviceHosts = new Set(lists.services.filter(isCompared).map(({ host }) => String(host)));
  const withToken = new Set(lists.jwts.map(({ consumer }) => idOf(consumer)));
  return {
    attachments,
    foreign: [
      ...lists.plugins
        .filter((plugin) => SCOPES.every((scope) => idOf(plugin[scope]) === undefined) && plugin.enabled !== false)
        .filter((plugin) => !isCompared(plugin))
        .map(({ id, name }): Foreign => ({ kind: 'plugin', message: `plugin ${name} (${id}) runs for every request` })),
      ...lists.routes
        .filter((route) => !isCompared(route) && !removed.has(`/routes/${route.id}`))
        .filter((route) => mayShadow(route, hosts, paths))
        .map(
          (route): Foreign => ({
            kind: 'route',
            message: `route ${labelOf(route)} may take requests of the platform or of a hospital`,
          }),
        ),
      // A service whose host is the name of an upstream goes to the upstream's targets, not to that host.
      ...lists.upstreams
        .filter((upstream) => !isCompared(upstream) && serviceHosts.has(String(upstream.name)))
        .map(
          (upstream): Foreign => ({
            kind: 'upstream',
            message: `upstream ${labelOf(upstream)} (${upstream.id}) takes the requests of the platform's service with that host`,
          }),
        ),
      ...lists.consumers
        .filter((consumer) => !isCompared(consumer) && withToken.has(consumer.id))
        .map(
          (consumer): Foreign => ({
            kind: 'consumer',
            message: `consumer ${labelOf(consumer)} has a jwt credential, which the gateway accepts for every module`,
          }),
        ),
    ],
  };
}

const SCOPES = ['service', 'route', 'consumer', 'consumer_group'] as const;
const TENANT_TAG = 'hms-tenant-';

/** The platform's tag or a hospital's prefix. */
function ownerOf({ tags }: KongEntity): string | undefined {
  const texts = textsOf(tags);
  if (texts.includes(PLATFORM_TAG)) return PLATFORM_TAG;
  return texts.find((tag) => tag.startsWith(TENANT_TAG))?.slice(TENANT_TAG.length);
}

/** A hospital's group is named after its prefix. */
function groupOwner({ group }: KongEntity, tenants: ReadonlySet<string>): string | undefined {
  return tenants.has(String(group)) ? String(group) : undefined;
}

/** Whether it can take precedence over a route of the platform. A route with only a shorter path can't. */
function mayShadow(route: KongEntity, hosts: ReadonlySet<string>, own: readonly string[]): boolean {
  const [routeHosts, paths] = [textsOf(route.hosts), textsOf(route.paths)];
  if (routeHosts.length > 0 && !routeHosts.some((host) => [...hosts].some((pattern) => matches(host, pattern))))
    return false;
  const hasMore = ['hosts', 'methods', 'headers', 'snis'].some((name) => Object.keys(route[name] ?? {}).length > 0);
  return (
    paths.length === 0 ||
    paths.some(
      (path) =>
        path.startsWith('~') ||
        own.some((prefix) => path.startsWith(prefix) || (hasMore && prefix.startsWith(path.replace(/(.)\/$/, '$1')))),
    )
  );
}

/** The router ignores case, and the port of a host. */
function matches(pattern: string, named: string): boolean {
  const plain = pattern.replace(/:\d+$/, '').toLowerCase();
  const host = named.toLowerCase();
  if (plain.startsWith('*')) return host.endsWith(plain.slice(1));
  return plain.endsWith('*') ? host.startsWith(plain.slice(0, -1)) : plain === host;
}

function nameIn(entities: readonly KongEntity[], reference: unknown): string {
  const id = idOf(reference);
  const found = entities.find((entity) => entity.id === id);
  return found ? labelOf(found) : String(id);
}

function labelOf({ id, name, username }: KongEntity): string {
  return String(name ?? username ?? id);
}

function idOf(reference: unknown): string | undefined {
  return typeof reference === 'object' && reference !== null && 'id' in reference ? String(reference.id) : undefined;
}

function textsOf(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.map(String) : [];
}
