import type { buildConnector, Dispatcher } from 'undici';
import type { HashedRequest } from '../balancer/hash-input.ts';

/** An address that a request can be sent to. */
export interface Peer {
  /** The same object for each request that is sent there. */
  readonly id: object;
  /** `http://host:port` */
  readonly origin: string;
  /** The Host header upstream, unless the client's is preserved. */
  readonly hostHeader: string;
  /** Reports the outcome for passive health checks. */
  readonly report: (outcome: number | 'tcp_failure' | 'timeout') => void;
  /** Ends the attempt. Idempotent. */
  readonly release: () => void;
}

/** Where a service's requests go. */
export interface Destination {
  readonly dispatcher: Dispatcher;
  /** Opens a new connection with the settings of the dispatcher's connections. */
  readonly connect: buildConnector.connector;
  /**
   * The next peer to try, or undefined if none is available.
   * @param tried the ids of peers that have failed this request. They come last.
   */
  readonly next: (request: HashedRequest, tried: ReadonlySet<object>) => Peer | undefined;
}
