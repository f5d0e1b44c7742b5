import { connect } from '@hms/database';
import type { Knex } from 'knex';
import type { Calls } from '../calls.ts';
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
  readonly #calls: Calls;
  /** host:port/database, for people. */
  readonly #address: string;

  constructor({ url, ...options }: PostgresSettings, calls: Calls) {
    const { host, pathname } = new URL(url);
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

  close(): Promise<void> {
    return this.#db.destroy();
  }
}
