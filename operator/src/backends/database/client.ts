import { connect } from '@hms/database';
import type { Knex } from 'knex';
import pg from 'pg';
import { type Calls, PING_TIMEOUT_MS } from '../calls.ts';
import { explain } from './errors.ts';
import { whileAlive } from './while-alive.ts';

export interface PostgresSettings {
  /** Role that owns the platform's schemas. */
  readonly url: string;
  readonly applicationName: string;
  readonly poolSize: number;
  /** Timeout of one statement of a transaction. */
  readonly statementTimeoutMs: number;
}

/** Reads and small writes take milliseconds: a server that takes this long hangs, which the status must report soon. */
const CALL_TIMEOUT_MS = 4_000;
/** How often a long transaction pings the server. */
const SIGN_OF_LIFE_MS = 3_000;

/** PostgreSQL as the role that owns the platform's schemas. */
export class Postgres {
  /** For short calls, and for transactions, which may take long. Connections are opened on demand. */
  readonly #db: Knex;
  readonly #patient: Knex;
  readonly #settings: PostgresSettings;
  readonly #calls: Calls;
  /** host:port/database, for people. */
  readonly #address: string;

  constructor(settings: PostgresSettings, calls: Calls) {
    const { url, ...options } = settings;
    const { host, pathname } = new URL(url);
    this.#settings = settings;
    // The process may have been frozen since the call began.
    const beforeStatement = () => calls.fence();
    this.#db = connect(url, { ...options, beforeStatement, statementTimeoutMs: CALL_TIMEOUT_MS });
    this.#patient = connect(url, { ...options, beforeStatement });
    this.#calls = calls;
    this.#address = `${host}${pathname}`;
  }

  /**
   * Runs short queries, of a few seconds at most.
   * @param op the operation, for the metrics.
   * @throws BackendError with PostgreSQL's message.
   */
  call<T>(op: string, work: (db: Knex) => Promise<T>): Promise<T> {
    return this.#run(op, () => work(this.#db));
  }

  /**
   * Runs queries in one transaction, which is rolled back if this process may no longer write at its end.
   * @throws BackendError also if the server stops answering midway. The transaction is never committed then.
   */
  transaction<T>(op: string, work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
    return this.#run(op, () =>
      whileAlive({ ping: () => this.#ping(), everyMs: SIGN_OF_LIFE_MS }, (isAborted) =>
        this.#patient.transaction(async (trx) => {
          const result = await work(trx);
          this.#calls.fence();
          if (isAborted()) throw new Error('PostgreSQL did not answer for too long: the transaction was rolled back');
          return result;
        }),
      ),
    );
  }

  /** Runs queries in one transaction that is rolled back. */
  rolledBack<T>(op: string, work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
    return this.#run(op, async () => {
      const trx = await this.#patient.transaction();
      try {
        return await work(trx);
      } finally {
        await trx.rollback();
      }
    });
  }

  /** Runs long queries outside of a transaction, for work that starts its own. */
  patiently<T>(op: string, work: (db: Knex) => Promise<T>): Promise<T> {
    return this.#run(op, () => work(this.#patient));
  }

  /**
   * Sends the simplest query over a new connection, because those of the pool may hang. @throws if there is no answer.
   */
  ping(): Promise<void> {
    return this.#calls.ping(() => this.#ping());
  }

  async close(): Promise<void> {
    await Promise.all([this.#db.destroy(), this.#patient.destroy()]);
  }

  async #ping(): Promise<void> {
    const { url, applicationName } = this.#settings;
    const client = new pg.Client({
      connectionString: url,
      application_name: applicationName,
      connectionTimeoutMillis: PING_TIMEOUT_MS,
      query_timeout: PING_TIMEOUT_MS,
    });
    // Without a listener, the error of an idle connection would end the process.
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('SELECT 1');
    } catch (error) {
      throw explain(this.#address, error);
    } finally {
      client.end().catch(() => undefined);
    }
  }

  #run<T>(op: string, work: () => Promise<T>): Promise<T> {
    return this.#calls.run(op, async () => {
      try {
        return await work();
      } catch (error) {
        throw explain(this.#address, error);
      }
    });
  }
}
