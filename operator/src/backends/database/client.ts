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
  /** Longest time of one statement of a transaction. */
  readonly statementTimeoutMs: number;
}

/** Reads and small writes take milliseconds: a server that takes this long hangs, and people shall be told soon. */
const CALL_TIMEOUT_MS = 4_000;
/** How often a transaction that goes on asks whether the server still lives. */
const SIGN_OF_LIFE_MS = 3_000;

/** PostgreSQL as the role that owns the platform's schemas. */
export class Postgres {
  /** For calls, and for transactions, which may take their time. Connections are opened when they are needed first. */
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
    this.#db = connect(url, { ...options, statementTimeoutMs: CALL_TIMEOUT_MS });
    this.#patient = connect(url, options);
    this.#calls = calls;
    this.#address = `${host}${pathname}`;
  }

  /**
   * Runs queries of some seconds at most.
   * @param op what is done, for the metrics.
   * @param work calls `fence` before each write that follows another query: the process may have been frozen in between.
   * @throws BackendError, with PostgreSQL's answer in a sentence.
   */
  call<T>(op: string, work: (db: Knex, fence: () => void) => Promise<T>): Promise<T> {
    return this.#run(op, () => work(this.#db, () => this.#calls.fence()));
  }

  /**
   * Runs queries in one transaction, which is rolled back when this process may not write any more at its end.
   * @throws BackendError also when the server falls silent in the middle: the transaction is never committed then.
   */
  transaction<T>(op: string, work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
    return this.#run(op, () =>
      whileAlive({ ping: () => this.#ping(), everyMs: SIGN_OF_LIFE_MS }, (givenUp) =>
        this.#patient.transaction(async (trx) => {
          const result = await work(trx);
          this.#calls.fence();
          if (givenUp()) throw new Error('PostgreSQL was silent for too long: nothing of the transaction is kept');
          return result;
        }),
      ),
    );
  }

  /** Runs queries in one transaction of which nothing is kept. */
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

  /** Runs queries outside of a transaction that may take as long as one: for work that makes its own. */
  patiently<T>(op: string, work: (db: Knex) => Promise<T>): Promise<T> {
    return this.#run(op, () => work(this.#patient));
  }

  /** Opens a connection of its own, as those of the pool may hang, and asks the simplest question. @throws while there is no answer. */
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
