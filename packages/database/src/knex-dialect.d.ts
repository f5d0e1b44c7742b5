/** The two classes of knex's PostgreSQL dialect that `connect.ts` extends; knex ships no types for them. */
declare module 'knex/lib/dialects/postgres/index.js' {
  import { Knex } from 'knex';

  export default class PostgresClient extends Knex.Client {
    transaction(...args: unknown[]): unknown;
    _query(connection: unknown, query: object): Promise<unknown>;
  }
}

declare module 'knex/lib/dialects/postgres/execution/pg-transaction.js' {
  export default class PostgresTransaction {
    constructor(client: unknown, ...args: unknown[]);
    readonly userParams: Readonly<Record<string, unknown>> | undefined;
    begin(connection: unknown): Promise<unknown>;
    readonly trxClient: {
      query(connection: unknown, sql: string): Promise<unknown>;
      _query(connection: unknown, query: object): Promise<unknown>;
    };
  }
}
