/** Gateway entities as data: the desired state of Kong, with ids that the operator chooses. */
import { gatewayId, type Module, type RateLimit } from '@hms/tenancy';

/** Collections of Kong's Admin API in the order in which entities refer to each other. */
export const COLLECTIONS = [
  'upstreams',
  'targets',
  'services',
  'consumers',
  'jwts',
  'acls',
  'routes',
  'plugins',
] as const;
export type Collection = (typeof COLLECTIONS)[number];

export interface Entity {
  readonly collection: Collection;
  /** UUIDv5 of its kind and name, so that a PUT creates or replaces it. */
  readonly id: string;
  /** Name for people, unique in its collection. */
  readonly label: string;
  /** Id of its upstream or consumer, if the path needs one. */
  readonly parent?: string;
  /** The managed fields. Kong adds its defaults. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** What an entity may be attached to. */
export interface Scope {
  readonly service?: { readonly id: string };
  readonly route?: { readonly id: string };
  readonly consumer?: { readonly id: string };
}

export function entity(collection: Collection, label: string, body: Entity['body'], parent?: string): Entity {
  return { collection, id: gatewayId(collection, label), label, body, ...(parent ? { parent } : {}) };
}

/** @param owner label of the service, route or consumer that the plugin is attached to. */
export function plugin(owner: string, name: string, scope: Scope, config: object, tags: readonly string[]): Entity {
  return entity('plugins', `${name} of ${owner}`, { name, ...scope, config, tags, enabled: true });
}

/**
 * Counts by access token, because a consumer is a whole hospital. A module that needs no token ignores the header, and
 * each value would start a new count. There it counts by address.
 */
export function rateLimit({ tokenRequired }: Pick<Module, 'tokenRequired'>, limit: RateLimit): object {
  return {
    minute: limit.minute,
    hour: limit.hour,
    ...(tokenRequired ? { limit_by: 'header', header_name: 'Authorization' } : { limit_by: 'ip' }),
    policy: 'local',
    fault_tolerant: true,
  };
}

/** Label of the service of a module's secret path. */
export function secretService({ name }: Pick<Module, 'name'>): string {
  return `${name}-secret`;
}

/** The interface's cross-origin rules. */
export function cors(origins: readonly string[]): object {
  return {
    origins,
    methods: ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'],
    headers: ['Authorization', 'Content-Type'],
    exposed_headers: [
      'X-Request-ID',
      'Retry-After',
      'Audit-Since',
      'RateLimit-Limit',
      'RateLimit-Remaining',
      'RateLimit-Reset',
    ],
    credentials: true,
    max_age: 3600,
  };
}
