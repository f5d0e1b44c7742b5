import { setTimeout as sleep } from 'node:timers/promises';
import { RECONCILE_CHANNEL } from '@hms/database';
import { type Backoff, backoffDelay } from '@hms/kubernetes';
import pg from 'pg';
import type { Logger } from 'pino';

export interface RequestsOptions {
  readonly url: string;
  readonly applicationName: string;
  readonly logger: Logger;
  /** Called for each request. The payload is not validated. */
  readonly onRequest: (payload: string) => void;
}

const BACKOFF: Backoff = { baseMs: 1_000, maxMs: 30_000 };
const TIMEOUT_MS = 5_000;
/** How often the connection is checked. */
const CHECK_MS = 30_000;

/**
 * Listens for the modules' requests to reconcile a hospital, on its own connection, which is reopened whenever it
 * breaks. Requests sent meanwhile are lost. The next resync covers them.
 */
export class Requests {
  readonly #options: RequestsOptions;
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(options: RequestsOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { logger } = this.#options;
    const { signal } = this.#stop;
    let failures = 0;
    while (!signal.aborted) {
      try {
        await this.#listen(() => {
          failures = 0;
        });
      } catch (error) {
        failures += 1;
        const delay = backoffDelay(BACKOFF, failures);
        logger.warn({ err: error, retryInMs: Math.round(delay) }, "can not listen for the modules' reconcile requests");
        await sleep(delay, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  /** Returns when it is stopped. @throws if the connection breaks or hangs. */
  async #listen(onListening: () => void): Promise<void> {
    const { url, applicationName, onRequest } = this.#options;
    const { signal } = this.#stop;
    const client = new pg.Client({
      connectionString: url,
      application_name: `${applicationName} requests`,
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
      keepAlive: true,
    });
    const broken = new Promise<never>((_, reject) => {
      client.on('error', reject);
      client.on('end', () => reject(new Error('PostgreSQL ended the connection')));
    });
    broken.catch(() => undefined);
    client.on('notification', ({ payload }) => onRequest(payload ?? ''));
    try {
      await client.connect();
      await client.query(`LISTEN ${RECONCILE_CHANNEL}`);
      onListening();
      while (!signal.aborted) {
        await Promise.race([broken, sleep(CHECK_MS, undefined, { signal }).catch(() => undefined)]);
        if (!signal.aborted) await client.query('SELECT 1');
      }
    } finally {
      client.end().catch(() => undefined);
    }
  }
}
