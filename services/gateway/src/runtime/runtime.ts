import type { SecureContext } from 'node:tls';
import { Agent } from 'undici';
import { Balancer } from '../balancer/balancer.ts';
import type { Health } from '../balancer/health.ts';
import type { Certificate } from '../entities/certificates.ts';
import type { JwtSecret } from '../entities/consumers.ts';
import type { Kind } from '../entities/index.ts';
import type { Route } from '../entities/routes.ts';
import type { Service } from '../entities/services.ts';
import type { TrafficMetrics } from '../metrics.ts';
import type { PluginServices } from '../plugins/plugin.ts';
import { RateCounters } from '../plugins/rate-counters.ts';
import { VerifiedTokens } from '../plugins/verified-tokens.ts';
import { Router } from '../proxy/router.ts';
import type { Store } from '../store/store.ts';
import { ChainBuilder } from './chains.ts';
import { connectWithin } from './connecting.ts';
import { type Credential, prepareIdentities } from './identities.ts';
import type { ChainLink, Destination, RouteRuntime } from './route-runtime.ts';
import { ServerCertificates } from './server-certificates.ts';

/** What is worth a line in the log. */
export interface RuntimeEvents {
  readonly targetTurned: (upstream: string, address: string, healthy: boolean) => void;
  readonly badCertificate: (error: unknown) => void;
}

/**
 * What the configuration means for requests, prepared once a change: the router, the plugins of each route with
 * everything parsed, the credentials, the balancers. A part is made anew when the kinds that it comes from have
 * changed, at the first look at it after the change.
 */
export class Runtime {
  readonly router: () => Router<RouteRuntime>;
  /** The plugins that work on requests without a route. */
  readonly globalChain: () => readonly ChainLink[];
  readonly balancer: (upstreamId: string) => Balancer | undefined;
  readonly serverCertificates: () => ServerCertificates;
  readonly #balancers = new Map<string, Balancer>();
  /** The health of upstreams that were deleted a short time ago, by name. */
  readonly #former = new Map<string, { readonly health: ReadonlyMap<string, Health>; readonly until: number }>();
  readonly #ways = new Map<string, Way>();
  readonly #refreshBalancers: () => ReadonlyMap<string, Balancer>;

  constructor(store: Store, metrics: TrafficMetrics, events: RuntimeEvents) {
    const parsed = new WeakMap<JwtSecret, Credential>();
    const identities = derived(store, ['consumers', 'jwt_secrets', 'acls'], () => prepareIdentities(store, parsed));
    const services: PluginServices = {
      now: Date.now,
      counters: new RateCounters(),
      verifiedTokens: new VerifiedTokens(),
      nodeId: metrics.nodeId,
      metrics,
      credential: (key) => identities().credentials.get(key),
      consumer: (idOrUsername) => {
        const consumer =
          store.get('consumers', idOrUsername) ??
          store.all('consumers').find(({ username }) => username === idOrUsername);
        return consumer && { consumer, groups: identities().groups.get(consumer.id) ?? [] };
      },
      groupsOf: (consumerId) => identities().groups.get(consumerId) ?? [],
    };
    this.#refreshBalancers = derived(store, ['upstreams', 'targets'], () =>
      this.#updateBalancers(store, events.targetTurned),
    );
    this.balancer = (upstreamId) => this.#refreshBalancers().get(upstreamId);
    const contexts = new WeakMap<Certificate, SecureContext>();
    this.serverCertificates = derived(
      store,
      ['certificates', 'snis'],
      () => new ServerCertificates(store, contexts, events.badCertificate),
    );
    const chains = derived(store, ['plugins'], () => new ChainBuilder(store.all('plugins'), services));
    this.globalChain = derived(store, ['plugins'], () => chains().build(null, null));
    const router = derived(
      store,
      ['routes', 'services', 'plugins', 'upstreams', 'certificates', 'ca_certificates'],
      () => {
        const balancers = this.#refreshBalancers();
        const destinations = new Map(
          store.all('services').map((service) => [service.id, this.#destination(store, service, balancers)]),
        );
        const builder = chains();
        const entries = store.all('routes').flatMap((route) => {
          if (!route.protocols.some((protocol) => protocol === 'http' || protocol === 'https')) return [];
          const service = route.service ? store.get('services', route.service.id) : undefined;
          if (service?.enabled === false) return [];
          return [{ route, target: routeRuntime(route, service, service && destinations.get(service.id), builder) }];
        });
        return new Router(entries);
      },
    );
    this.router = () => {
      this.#refreshBalancers();
      return router();
    };
  }

  /** Health checks start with the configuration, not with the first request. */
  refresh(): void {
    this.#refreshBalancers();
  }

  async stop(): Promise<void> {
    for (const balancer of this.#balancers.values()) balancer.stop();
    await Promise.all([...this.#ways.values()].map(({ dispatcher }) => dispatcher.destroy()));
  }

  #updateBalancers(store: Store, onTurn: RuntimeEvents['targetTurned']): ReadonlyMap<string, Balancer> {
    for (const [id, balancer] of this.#balancers) {
      if (store.get('upstreams', id)) continue;
      this.#former.set(balancer.name, { health: balancer.health(), until: performance.now() + HEALTH_KEPT_MS });
      balancer.stop();
      this.#balancers.delete(id);
    }
    for (const [name, { until }] of this.#former) if (performance.now() > until) this.#former.delete(name);
    for (const upstream of store.all('upstreams')) {
      const former = this.#former.get(upstream.name)?.health;
      const balancer = this.#balancers.get(upstream.id) ?? new Balancer(upstream, onTurn, undefined, former);
      this.#former.delete(upstream.name);
      this.#balancers.set(upstream.id, balancer);
      balancer.update(upstream, store.childrenOf('targets', 'upstream', upstream.id));
    }
    return this.#balancers;
  }

  /** A service's host is an upstream's name, or an address of its own. */
  #destination(store: Store, service: Service, balancers: ReadonlyMap<string, Balancer>): Destination {
    const scheme = service.protocol === 'https' || service.protocol === 'grpcs' ? 'https' : 'http';
    const way = this.#way(store, service);
    const upstream = store.find('upstreams', { field: 'name', value: service.host });
    const balancer = upstream && balancers.get(upstream.id);
    if (balancer) return { ...way, next: (asker, tried) => balancer.next(scheme, asker, tried) };
    const usual = scheme === 'http' ? 80 : 443;
    const host = service.host.includes(':') && !service.host.startsWith('[') ? `[${service.host}]` : service.host;
    const peer = {
      id: service,
      origin: `${scheme}://${host}:${service.port}`,
      hostHeader: service.port === usual ? host : `${host}:${service.port}`,
      report: () => undefined,
      release: () => undefined,
    };
    return { ...way, next: () => peer };
  }

  /** Services with the same way of connecting share connections. */
  #way(store: Store, service: Service): Way {
    const own = service.client_certificate && store.get('certificates', service.client_certificate.id);
    const authorities = (service.ca_certificates ?? []).flatMap(
      (id) => store.get('ca_certificates', id ?? '')?.cert ?? [],
    );
    const rejectUnauthorized = service.tls_verify === true;
    const key = JSON.stringify([service.connect_timeout, rejectUnauthorized, own?.cert, own?.key, authorities]);
    const known = this.#ways.get(key);
    if (known) return known;
    const connect = connectWithin(service.connect_timeout, {
      rejectUnauthorized,
      ...(own && { cert: own.cert, key: own.key }),
      ...(authorities.length > 0 && { ca: authorities }),
    });
    const dispatcher = new Agent({
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      allowH2: false,
      connect,
    });
    const way = { dispatcher, connect };
    this.#ways.set(key, way);
    return way;
  }
}

/** How a service is reached. */
type Way = Pick<Destination, 'connect'> & { readonly dispatcher: Agent };

function routeRuntime(
  route: Route,
  service: Service | undefined,
  destination: Destination | undefined,
  chains: ChainBuilder,
): RouteRuntime {
  return { route, service, destination, chain: chains.build(route.id, service?.id ?? null) };
}

/** A value that is made from rows, and made anew at the first look after they changed. */
function derived<T>(store: Store, kinds: readonly Kind[], make: () => T): () => T {
  let version = -1;
  let value: { readonly made: T } | undefined;
  return () => {
    const current = store.version(kinds);
    if (!value || current !== version) {
      value = { made: make() };
      version = current;
    }
    return value.made;
  };
}

/** Kong: CLEAR_HEALTH_STATUS_DELAY. */
const HEALTH_KEPT_MS = 300_000;
/** Idle connections to upstreams, as Kong's upstream_keepalive_idle_timeout. */
const KEEP_ALIVE_MS = 60_000;
const MAX_HEADER_BYTES = 64 * 1024;
