import { connect } from '@hms/database';
import type { Knex } from 'knex';
import pg from 'pg';
import { type Calls, PING_TIMEOUT_MS } from '../calls.ts';
import { explain } from './errors.ts';

export interface PostgresSettings {
  /** Role that owns the platform's schemas. */
  readonly url: string;
  readonly applicationName: string;
  readonly poolSize: number;
  readonly statementTimeoutMs: number;
}

/** PostgreSQL as the role that owns the platform's schemas. */
export class Postgres {
  readonly #db: Knex;
  readonly #settings: PostgresSettings;
  readonly #calls: Calls;
  /** host:port/database, for people. */
  readonly #address: string;

  constructor(settings: PostgresSettings, calls: Calls) {
    const { url, ...options } = settings;
    const { host, pathname } = new URL(url);
    this.#settings = settings;
    this.#db = connect(url, options);
    this.#calls = calls;
    this.#address = `${host}${pathname}`;
  }

  /**
   * Runs queries.
   * @param op what is done, for the metrics.
   * @throws BackendError, with PostgreSQL's answer in a sentence.
   */
  call<T>(op: string, work: (db: Knex) => Promise<T>): Promise<T> {
    return this.#calls.run(op, async () => {
      try {
        return await work(this.#db);
      } catch (error) {
        throw explain(this.#address, error);
      }
    });
  }

  /** Runs queries in one transaction, which is rolled back when this process may not write any more at its end. */
  transaction<T>(op: string, work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
    return this.call(op, (db) =>
      db.transaction(async (trx) => {
        const result = await work(trx);
        this.#calls.fence();
        return result;
      }),
    );
  }

  /** Opens a connection of its own, as those of the pool may hang, and asks the simplest question. @throws while there is no answer. */
  ping(): Promise<void> {
    return this.#calls.ping(async () => {
      const { url, applicationName } = this.#settings;
      const client = new pg.Client({
        connectionString: url,
        application_name: applicationName,
        connectionTimeoutMillis: PING_TIMEOUT_MS,
        query_timeout: PING_TIMEOUT_MS,
      });
      // Without a listener the end of a connection that nobody waits for would end the process.
      client.on('error', () => undefined);
      try {
        await client.connect();
        await client.query('SELECT 1');
      } catch (error) {
        throw explain(this.#address, error);
      } finally {
        client.end().catch(() => undefined);
      }
    });
  }

  close(): Promise<void> {
    return this.#db.destroy();
  }
}
