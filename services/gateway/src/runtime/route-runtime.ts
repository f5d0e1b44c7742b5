import type { buildConnector, Dispatcher } from 'undici';
import type { Asker } from '../balancer/hash-input.ts';
import type { Route } from '../entities/routes.ts';
import type { Service } from '../entities/services.ts';
import type { Handlers } from '../plugins/plugin.ts';

/** An address that a request can be sent to. */
export interface Peer {
  /** The same for each request that is sent there. */
  readonly id: object;
  /** `http://host:port` */
  readonly origin: string;
  /** What Host says upstream, unless the client's is kept. */
  readonly hostHeader: string;
  /** Told how it went, for passive health checks. */
  readonly report: (outcome: number | 'tcp_failure' | 'timeout') => void;
  /** Told when the attempt is over; more than once does no harm. */
  readonly release: () => void;
}

/** Where a service's requests go. */
export interface Destination {
  readonly dispatcher: Dispatcher;
  /** Opens a connection of its own, with the settings that the dispatcher's connections have. */
  readonly connect: buildConnector.connector;
  /**
   * The next peer to try; undefined where no peer can be used.
   * @param tried the ids of peers that have failed this request; they come last
   */
  readonly next: (asker: Asker, tried: ReadonlySet<object>) => Peer | undefined;
}

/** One plugin of a chain: the configuration that applies depends on the consumer, once it is known. */
export interface ChainLink {
  readonly forConsumer: (consumerId: string) => Handlers | undefined;
  readonly base: Handlers | undefined;
}

/** Everything that a request on a route needs, prepared when the configuration changes. */
export interface RouteRuntime {
  readonly route: Route;
  readonly service: Service | undefined;
  readonly destination: Destination | undefined;
  /** In the order in which the plugins run. */
  readonly chain: readonly ChainLink[];
}

/** A route whose requests have somewhere to go. */
export type Ready = RouteRuntime & { readonly service: Service; readonly destination: Destination };
