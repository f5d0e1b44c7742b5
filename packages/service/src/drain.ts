/** Shuts down a server without losing a request. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';

export interface DrainTimes {
  /** After this time without a request, there are no more senders. In ms, like all of these. */
  readonly quiet: number;
  /** Requests are accepted for at most this long: three probes of the gateway, 5 s apart, and the time of a probe. */
  readonly linger: number;
  /** Then running requests are aborted. The process ends three seconds later at the latest. */
  readonly grace: number;
}

const TIMES: DrainTimes = { quiet: 1_000, linger: 18_000, grace: 25_000 };

/**
 * Stops a server: it keeps answering while requests arrive, each response the last of its connection, then accepts
 * no more, finishes running requests, and aborts them after the grace period.
 *
 * A connection that is closed as idle may have a request in transit, which the gateway can't retry if it
 * may have been executed (POST, PATCH). So clients are told to close their connections, and idle ones are closed only
 * after a period without requests.
 */
export async function drain(server: Server, log: Logger, { quiet, linger, grace }: DrainTimes = TIMES): Promise<void> {
  const startedAt = performance.now();
  const passed = () => performance.now() - startedAt;
  let lastRequest = startedAt;
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    response.shouldKeepAlive = false;
    if (!PROBES.has(request.url ?? '')) lastRequest = performance.now();
  });
  for (;;) {
    const remaining = Math.min(lastRequest + quiet - performance.now(), linger - passed());
    if (remaining <= 0) break;
    await delay(remaining);
  }
  await close(server, log, grace - passed());
}

async function close(server: Server, log: Logger, grace: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  // A connection that was busy then becomes idle later, and would be kept alive for the client's next request.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const cut = setTimeout(() => {
    log.warn('some requests did not finish in time and are aborted');
    server.closeAllConnections();
  }, grace);
  await promise;
  clearInterval(sweep);
  clearTimeout(cut);
}

/** Probes arrive until the end, from clients that check whether to send requests. */
const PROBES: ReadonlySet<string> = new Set(['/health', '/ready', '/metrics']);
