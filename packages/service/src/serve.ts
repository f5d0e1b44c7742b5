/** A process that answers HTTP: its listener, why it can't start, and a shutdown that loses no request. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { SettingsError } from './settings.ts';

export interface Serving {
  readonly host: string;
  readonly port: number;
  readonly handler: RequestListener;
  readonly log: Logger;
  /** Called once, at the first signal to stop. The process ends when it resolves. */
  stop(server: Server): Promise<void>;
}

/** Runs `start`, and ends the process with 1 and a sentence if it throws. */
export async function startProcess(name: string, start: () => Promise<void>): Promise<void> {
  try {
    await start();
  } catch (error) {
    process.stderr.write(`${name}: ${startProblem(error)}\n`);
    process.exit(1);
  }
}

/** Listens until SIGTERM or SIGINT. */
export async function serve({ host, port, handler, log, stop }: Serving): Promise<void> {
  const server = createServer(SERVER_OPTIONS, handler);
  await listen(server, port, host);

  let ending = false;
  const end = async (signal: string): Promise<void> => {
    if (ending) return;
    ending = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => {
      log.warn('what still runs is abandoned: its transactions are rolled back');
      process.exit(0);
    }, END_MS).unref();
    await stop(server);
    log.info('stopped');
    process.exit(0);
  };
  process.on('SIGTERM', (signal) => void end(signal));
  process.on('SIGINT', (signal) => void end(signal));

  // The log line comes after the signal handlers: whoever waits for it may stop the process right away.
  const { address, port: actual } = server.address() as AddressInfo;
  log.info({ address, port: actual }, 'listening');
}

/**
 * After a signal, the process ends this late at most, whatever still runs: requests that go on after their connections
 * were aborted, tasks, or PostgreSQL when it does not answer. The supervisor kills after 30 s, and Kubernetes later.
 */
const END_MS = 28_000;

/**
 * Idle connections outlive the gateway's own limit (60 s), so that it never sends a request on one that is just
 * being closed. Slow clients are disconnected. A head may be as large as the gateway accepts (32 KB), with the
 * gateway's own headers. Node would refuse a larger one without a body or a line in the log.
 */
const SERVER_OPTIONS = {
  keepAliveTimeout: 75_000,
  headersTimeout: 20_000,
  requestTimeout: 60_000,
  maxHeaderSize: 48 * 1024,
};

function listen(server: Server, port: number, host: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, host, () => {
    server.off('error', reject);
    resolve();
  });
  return promise;
}

function startProblem(error: unknown): string {
  if (error instanceof SettingsError) return error.message;
  const { code, port, address } = error as { code?: unknown; port?: unknown; address?: unknown };
  if (code === 'EADDRINUSE') {
    return `Port ${port} on ${address} is in use by another process: stop that process or set PORT to another one.`;
  }
  if (code === 'EACCES') return `Port ${port} needs more privileges than this process has: set PORT to one above 1023.`;
  return Error.isError(error) ? (error.stack ?? error.message) : String(error);
}
