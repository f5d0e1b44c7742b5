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
import type { Credential, PluginServices } from '../plugins/plugin.ts';
import { RateCounters } from '../plugins/rate-counters.ts';
import { VerifiedTokens } from '../plugins/verified-tokens.ts';
import type { ChainLink, RouteRuntime } from '../proxy/exchange.ts';
import { Router } from '../proxy/router.ts';
import type { Store } from '../store/store.ts';
import { ChainBuilder } from './chains.ts';
import { connectWithin } from './connecting.ts';
import type { Destination } from './destination.ts';
import { prepareIdentities } from './identities.ts';
import { ServerCertificates } from './server-certificates.ts';

/** Events for the log. */
export interface RuntimeEvents {
  readonly targetHealthChanged: (upstream: string, address: string, healthy: boolean) => void;
  readonly badCertificate: (error: unknown) => void;
}

/**
 * What the configuration means for requests, prepared once a change: the router, the plugins of each route with
 * everything parsed, the credentials, the balancers. A part is rebuilt at its first use after the kinds that it is
 * derived from have changed.
 */
export class Runtime {
  readonly router: () => Router<RouteRuntime>;
  /** The plugins for requests without a route. */
  readonly globalChain: () => readonly ChainLink[];
  readonly balancer: (upstreamId: string) => Balancer | undefined;
  readonly serverCertificates: () => ServerCertificates;
  readonly #balancers = new Map<string, Balancer>();
  /** The health of recently deleted upstreams, by name. */
  readonly #formerHealth = new Map<string, { readonly health: ReadonlyMap<string, Health>; readonly until: number }>();
  readonly #connections = new Map<string, Connection>();
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
      this.#updateBalancers(store, events.targetHealthChanged),
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
    await Promise.all([...this.#connections.values()].map(({ dispatcher }) => dispatcher.destroy()));
  }

  #updateBalancers(store: Store, onHealthChange: RuntimeEvents['targetHealthChanged']): ReadonlyMap<string, Balancer> {
    for (const [id, balancer] of this.#balancers) {
      if (store.get('upstreams', id)) continue;
      this.#formerHealth.set(balancer.name, { health: balancer.health(), until: performance.now() + HEALTH_KEPT_MS });
      balancer.stop();
      this.#balancers.delete(id);
    }
    for (const [name, { until }] of this.#formerHealth) if (performance.now() > until) this.#formerHealth.delete(name);
    for (const upstream of store.all('upstreams')) {
      const formerHealth = this.#formerHealth.get(upstream.name)?.health;
      const balancer =
        this.#balancers.get(upstream.id) ?? new Balancer(upstream, onHealthChange, undefined, formerHealth);
      this.#formerHealth.delete(upstream.name);
      this.#balancers.set(upstream.id, balancer);
      balancer.update(upstream, store.childrenOf('targets', 'upstream', upstream.id));
    }
    return this.#balancers;
  }

  /** A service's host is the name of an upstream, or a hostname or address. */
  #destination(store: Store, service: Service, balancers: ReadonlyMap<string, Balancer>): Destination {
    const scheme = service.protocol === 'https' || service.protocol === 'grpcs' ? 'https' : 'http';
    const connection = this.#connection(store, service);
    const upstream = store.find('upstreams', { field: 'name', value: service.host });
    const balancer = upstream && balancers.get(upstream.id);
    if (balancer) return { ...connection, next: (request, tried) => balancer.next(scheme, request, tried) };
    const defaultPort = scheme === 'http' ? 80 : 443;
    const host = service.host.includes(':') && !service.host.startsWith('[') ? `[${service.host}]` : service.host;
    const peer = {
      id: service,
      origin: `${scheme}://${host}:${service.port}`,
      hostHeader: service.port === defaultPort ? host : `${host}:${service.port}`,
      report: () => undefined,
      release: () => undefined,
    };
    return { ...connection, next: () => peer };
  }

  /** Services with the same connection settings share connections. */
  #connection(store: Store, service: Service): Connection {
    const own = service.client_certificate && store.get('certificates', service.client_certificate.id);
    const authorities = (service.ca_certificates ?? []).flatMap(
      (id) => store.get('ca_certificates', id ?? '')?.cert ?? [],
    );
    const rejectUnauthorized = service.tls_verify === true;
    const key = JSON.stringify([service.connect_timeout, rejectUnauthorized, own?.cert, own?.key, authorities]);
    const cached = this.#connections.get(key);
    if (cached) return cached;
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
    const connection = { dispatcher, connect };
    this.#connections.set(key, connection);
    return connection;
  }
}

/** How to connect to a service. */
type Connection = Pick<Destination, 'connect'> & { readonly dispatcher: Agent };

function routeRuntime(
  route: Route,
  service: Service | undefined,
  destination: Destination | undefined,
  chains: ChainBuilder,
): RouteRuntime {
  return { route, service, destination, chain: chains.build(route.id, service?.id ?? null) };
}

/** A value derived from rows, rebuilt at its first use after they changed. */
function derived<T>(store: Store, kinds: readonly Kind[], make: () => T): () => T {
  let version = -1;
  let value: { readonly current: T } | undefined;
  return () => {
    const current = store.version(kinds);
    if (!value || current !== version) {
      value = { current: make() };
      version = current;
    }
    return value.current;
  };
}

/** Kong: CLEAR_HEALTH_STATUS_DELAY. */
const HEALTH_KEPT_MS = 300_000;
/** Idle connections to upstreams, as Kong's upstream_keepalive_idle_timeout. */
const KEEP_ALIVE_MS = 60_000;
const MAX_HEADER_BYTES = 64 * 1024;
