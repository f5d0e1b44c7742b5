import { CONSOLE_REALM, MODULES, type Module, moduleNamed, PLATFORM_TAG } from '@hms/tenancy';
import { cors, type Entity, entity, plugin, rateLimit, secretService } from '../backends/gateway/entities.ts';
import type { Config, ModuleTargets } from '../config.ts';

export interface PlatformGatewaySettings {
  readonly targets: ModuleTargets;
  /** The processes that serve the pages. None if there are no pages. */
  readonly webTargets: readonly string[];
  /** Keycloak's own address, with /auth. */
  readonly keycloakUrl: string;
  /** host:port of the gateway's admin listener. */
  readonly metricsAddress: string;
  readonly metricsAllowed: readonly string[];
  readonly portalOrigin: string;
  readonly consoleOrigin: string;
}

const TAGS = [PLATFORM_TAG];

/** The shared entities of the gateway: the modules' upstreams, services, routes and plugins. Pure. */
export function platformEntities(settings: PlatformGatewaySettings): Entity[] {
  return [
    ...MODULES.flatMap((module) => moduleEntities(module, settings)),
    ...webEntities(settings),
    ...identityEntities(new URL(settings.keycloakUrl)),
    ...metricsEntities(settings),
  ];
}

/**
 * The consumer of the platform's own users, with the credential of the realm `console`. It is in no acl group, so it
 * passes at the platform's address and is refused at every hospital's hosts. Pure.
 * @param issuer issuer of the realm. @param signingKey PEM of the key that the realm signs tokens with.
 */
export function consoleEntities(issuer: string, signingKey: string): Entity[] {
  const consumer = entity('consumers', CONSOLE_REALM, { username: CONSOLE_REALM, tags: TAGS });
  const credential = { key: issuer, algorithm: 'RS256', rsa_public_key: signingKey, tags: TAGS };
  return [consumer, entity('jwts', CONSOLE_REALM, credential, consumer.id)];
}

function moduleEntities(module: Module, settings: PlatformGatewaySettings): Entity[] {
  const { name } = module;
  const upstream = upstreamWith(`${name}-upstream`, settings.targets[name] ?? [], HEALTH_CHECKS);
  const service = entity('services', name, {
    name,
    protocol: 'http',
    host: `${name}-upstream`,
    connect_timeout: 5_000,
    retries: 5,
    tags: TAGS,
  });
  const scope = { service: { id: service.id } };
  const origins = [settings.portalOrigin, settings.consoleOrigin];
  return [
    ...upstream,
    service,
    routeTo(service, name, [module.path], { response_buffering: module.responseBuffering }),
    ...(module.tokenRequired ? [plugin(name, 'jwt', scope, TOKEN_CHECK, TAGS)] : []),
    plugin(name, 'rate-limiting', scope, rateLimit(module, module.rateLimit), TAGS),
    plugin(name, 'cors', scope, cors(origins), TAGS),
    plugin(name, 'correlation-id', scope, CORRELATION, TAGS),
    plugin(name, 'request-size-limiting', scope, bodyLimit(module), TAGS),
    plugin(name, 'prometheus', scope, METRICS, TAGS),
    ...secretPathEntities(module),
  ];
}

/** Another service of the module, whose requests need no token. Its plugins apply on every host. */
function secretPathEntities(module: Module): Entity[] {
  if (!module.secretPath) return [];
  const { path, rateLimit: limit } = module.secretPath;
  const name = secretService(module);
  const service = entity('services', name, {
    name,
    protocol: 'http',
    host: `${module.name}-upstream`,
    connect_timeout: 5_000,
    retries: 5,
    tags: TAGS,
  });
  const scope = { service: { id: service.id } };
  return [
    service,
    routeTo(service, name, [path], { methods: ['GET', 'HEAD'] }),
    plugin(name, 'rate-limiting', scope, rateLimit({ tokenRequired: false }, limit), TAGS),
    plugin(name, 'correlation-id', scope, CORRELATION, TAGS),
    plugin(name, 'request-size-limiting', scope, bodyLimit(module), TAGS),
    plugin(name, 'prometheus', scope, METRICS, TAGS),
  ];
}

function bodyLimit({ maxBodyKilobytes }: Module): object {
  return { allowed_payload_size: maxBodyKilobytes, size_unit: 'kilobytes' };
}

/**
 * The pages, at every path that nothing else serves. The session of a browser has the limits of the module auth, because
 * the web server calls that directly. The route keeps the request's host, which says whose pages they are.
 */
function webEntities({ webTargets }: PlatformGatewaySettings): Entity[] {
  if (webTargets.length === 0) return [];
  const service = entity('services', 'web', {
    name: 'web',
    protocol: 'http',
    host: 'web-upstream',
    connect_timeout: 5_000,
    retries: 5,
    tags: TAGS,
  });
  const auth = moduleNamed('auth');
  const session = routeTo(service, 'web-session', ['/session/'], { preserve_host: true });
  const scope = { service: { id: service.id } };
  return [
    ...upstreamWith('web-upstream', webTargets, HEALTH_CHECKS),
    service,
    routeTo(service, 'web', ['/'], { preserve_host: true }),
    session,
    plugin('web-session', 'rate-limiting', { route: { id: session.id } }, rateLimit(auth, auth.rateLimit), TAGS),
    plugin('web', 'correlation-id', scope, CORRELATION, TAGS),
    plugin('web', 'request-size-limiting', scope, bodyLimit(auth), TAGS),
    plugin('web', 'prometheus', scope, METRICS, TAGS),
  ];
}

/** The identity provider: no token check, no limit and no other plugin, as the interface says. */
function identityEntities({ protocol, hostname, port }: URL): Entity[] {
  const secure = protocol === 'https:';
  const target = `${hostname}:${port || (secure ? 443 : 80)}`;
  const service = entity('services', 'identity', {
    name: 'identity',
    protocol: secure ? 'https' : 'http',
    host: 'identity-upstream',
    tags: TAGS,
  });
  return [
    ...upstreamWith('identity-upstream', [target]),
    service,
    // Keycloak would redirect `/auth` to the host that the request names. The pages redirect it without a host.
    routeTo(service, 'identity', ['/auth/']),
    ...hiddenIdentityEntities(),
  ];
}

/**
 * Keycloak's administration is not public: its console, its Admin API and the realm that its administrators
 * log in to. A separate route answers for them, so that the one of `/auth` needs no plugin. Gateways match the
 * normalized path. Each segment may have a parameter (`;a=b`), which Keycloak ignores.
 */
function hiddenIdentityEntities(): Entity[] {
  const name = 'identity-administration';
  const route = entity('routes', name, {
    name,
    paths: ['~/auth/admin(?:[;/]|$)', '~/auth/realms(?:;[^/]*)?/master(?:[;/]|$)'],
    // Before every other regular expression.
    regex_priority: 1,
    strip_path: false,
    tags: TAGS,
  });
  const answer = { status_code: 404, message: 'Not found' };
  return [route, plugin(name, 'request-termination', { route: { id: route.id } }, answer, TAGS)];
}

/**
 * The gateway's metrics on its public listener, for allowed addresses only. The listener behind it may also have the
 * Admin API.
 */
function metricsEntities({ metricsAddress, metricsAllowed }: PlatformGatewaySettings): Entity[] {
  const colon = metricsAddress.lastIndexOf(':');
  const [host, port] = [metricsAddress.slice(0, colon), metricsAddress.slice(colon + 1)];
  const service = entity('services', 'metrics', {
    name: 'metrics',
    protocol: 'http',
    host,
    port: Number(port),
    tags: TAGS,
  });
  const scope = { service: { id: service.id } };
  return [
    service,
    routeTo(service, 'metrics', ['~/metrics$'], { methods: ['GET'] }),
    plugin('metrics', 'ip-restriction', scope, { allow: metricsAllowed }, TAGS),
  ];
}

const TOKEN_CHECK = {
  key_claim_name: 'iss',
  uri_param_names: ['jwt'],
  header_names: ['authorization'],
  // Without this, expired tokens pass.
  claims_to_verify: ['exp'],
  run_on_preflight: true,
};

const METRICS = { status_code_metrics: true, latency_metrics: true, upstream_health_metrics: true };

const CORRELATION = { header_name: 'X-Request-ID', generator: 'uuid', echo_downstream: true };

/**
 * The interface's active health checks. The default of `timeouts` is 0, with which a hung target would never be taken
 * out.
 */
const HEALTH_CHECKS = {
  active: {
    type: 'http',
    http_path: '/health',
    timeout: 2,
    healthy: { interval: 5, successes: 2, http_statuses: [200] },
    unhealthy: { interval: 5, http_failures: 3, tcp_failures: 3, timeouts: 3 },
  },
};

function upstreamWith(name: string, targets: readonly string[], healthchecks?: object): Entity[] {
  const upstream = entity('upstreams', name, { name, ...(healthchecks ? { healthchecks } : {}), tags: TAGS });
  return [
    upstream,
    ...targets.map((target) =>
      entity('targets', `${target} of ${name}`, { target, weight: 100, tags: TAGS }, upstream.id),
    ),
  ];
}

/**
 * @param paths a plain path is a text prefix: `/auth` also matches `/authx`. A path behind `~` is a
 *   regular expression that matches from the start.
 */
function routeTo(service: Entity, name: string, paths: readonly string[], options: object = {}): Entity {
  return entity('routes', name, {
    name,
    paths,
    strip_path: false,
    service: { id: service.id },
    ...options,
    tags: TAGS,
  });
}

/** Hosts at which the platform itself is reached. */
export function hostsOf({ BASE_URL, PORTAL_ORIGIN, CONSOLE_ORIGIN }: PlatformAddresses): readonly string[] {
  return [BASE_URL, PORTAL_ORIGIN, CONSOLE_ORIGIN].map((address) => new URL(address).hostname);
}

type PlatformAddresses = Pick<Config, 'BASE_URL' | 'PORTAL_ORIGIN' | 'CONSOLE_ORIGIN'>;
