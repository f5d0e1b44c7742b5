/** How a server ends without losing a request. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';

export interface DrainTimes {
  /** Without a request for as long, nobody sends any more. In ms, as all of these. */
  readonly quiet: number;
  /** Requests are taken for at most as long: three probes of the gateway, 5 s apart, and what a probe may take. */
  readonly linger: number;
  /** Then what is under way is cut off. Kubernetes kills after 30 s. */
  readonly grace: number;
}

const TIMES: DrainTimes = { quiet: 1_000, linger: 18_000, grace: 25_000 };

/**
 * Ends a server: it goes on answering while requests still come, each answer the last of its connection, then takes
 * nothing new, lets what is under way finish, and cuts it after the time of grace.
 *
 * A connection that is closed as idle may have a request on its way to it, which the gateway can't send again when it
 * may have been carried out (POST, PATCH). So the client is told to leave, and a connection is closed by hand only when
 * nothing has come for a while.
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
    const left = Math.min(lastRequest + quiet - performance.now(), linger - passed());
    if (left <= 0) break;
    await delay(left);
  }
  await close(server, log, grace - passed());
}

async function close(server: Server, log: Logger, grace: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  // A connection that was busy at that moment becomes idle later, and would be kept for the client's next request.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const cut = setTimeout(() => {
    log.warn('some requests did not finish in time and are cut off');
    server.closeAllConnections();
  }, grace);
  await promise;
  clearInterval(sweep);
  clearTimeout(cut);
}

/** They come to the end, from whoever wants to know whether to send requests. */
const PROBES: ReadonlySet<string> = new Set(['/health', '/ready', '/metrics']);
