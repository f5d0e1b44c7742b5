import { gatewayId, MODULES, type Module } from '@hms/tenancy';
import type { Tenant } from '../backend.ts';
import type { KongEntity } from './client.ts';
import { cors, type Entity, entity, plugin, rateLimit, secretService } from './entities.ts';
import type { ObservedEntities } from './sync.ts';

const HOSPITAL_TAG = 'hms-hospital-';

/** Tag that marks an entity as a hospital's. */
function hospitalTag(hospitalId: string): string {
  return HOSPITAL_TAG + hospitalId;
}

/** Filters out entities with another hospital's mark. Unmarked entities stay. Pure. */
export function withoutOthers(found: ObservedEntities, hospitalId: string): ObservedEntities {
  const tag = hospitalTag(hospitalId);
  const isOthers = ({ tags }: KongEntity) =>
    Array.isArray(tags) && !tags.includes(tag) && tags.some((other) => String(other).startsWith(HOSPITAL_TAG));
  return new Map(
    [...found].map(([collection, entities]) => [collection, entities.filter((entity) => !isOthers(entity))]),
  );
}

/** Gateway entities of one hospital. Pure. @param signingKey PEM of the key that its realm signs tokens with. */
export function hospitalEntities(tenant: Tenant, signingKey: string): Entity[] {
  const { names } = tenant;
  const tags = [names.tag, hospitalTag(tenant.hospitalId), `hms-owner-${tenant.uid}`];
  const consumer = entity('consumers', names.consumer, {
    username: names.consumer,
    custom_id: tenant.hospitalId,
    tags,
  });
  return [
    consumer,
    entity(
      'jwts',
      names.consumer,
      { key: tenant.profile.issuer, algorithm: 'RS256', rsa_public_key: signingKey, tags },
      consumer.id,
    ),
    entity('acls', names.group, { group: names.group, tags }, consumer.id),
    // A route without hosts would match the requests of every host.
    ...(tenant.hosts.length > 0 ? MODULES : []).flatMap((module) => {
      const label = `${names.prefix}-${module.name}`;
      const route = entity('routes', label, {
        name: label,
        hosts: tenant.hosts,
        paths: [module.path],
        strip_path: false,
        response_buffering: module.responseBuffering,
        service: { id: gatewayId('services', module.name) },
        tags,
      });
      const scope = { route: { id: route.id } };
      return [
        route,
        plugin(label, 'cors', scope, cors(tenant.origins), tags),
        ...limitOf(tenant, module, route, consumer, tags),
        // The jwt check is attached to the module's service. Without a token there is no consumer to be in a group.
        ...(module.tokenRequired
          ? [plugin(label, 'acl', scope, { allow: [names.group], hide_groups_header: true }, tags)]
          : []),
        ...secretPathOf(tenant, module, tags),
      ];
    }),
    ...(tenant.suspended
      ? [
          plugin(
            names.consumer,
            'request-termination',
            { consumer: { id: consumer.id } },
            { status_code: 503, message: `${tenant.profile.displayName} is suspended` },
            tags,
          ),
        ]
      : []),
  ];
}

/** A route with hosts wins over one with only a path, so the hosts have the secret path too. */
function secretPathOf({ names, hosts }: Tenant, module: Module, tags: readonly string[]): Entity[] {
  if (!module.secretPath) return [];
  const service = secretService(module);
  const label = `${names.prefix}-${service}`;
  return [
    entity('routes', label, {
      name: label,
      hosts,
      paths: [module.secretPath.path],
      methods: ['GET', 'HEAD'],
      strip_path: false,
      service: { id: gatewayId('services', service) },
      tags,
    }),
  ];
}

/**
 * The hospital's own limit, if it has one. It applies to its people on every host and counts once over
 * all of them, so it is attached to the consumer. Without a token there is no consumer, and it is attached to the
 * route.
 */
function limitOf(tenant: Tenant, module: Module, route: Entity, consumer: Entity, tags: readonly string[]): Entity[] {
  const limit = tenant.rateLimits[module.name];
  if (!limit) return [];
  const scope = module.tokenRequired
    ? { service: { id: gatewayId('services', module.name) }, consumer: { id: consumer.id } }
    : { route: { id: route.id } };
  return [plugin(route.label, 'rate-limiting', scope, rateLimit(module, limit), tags)];
}
