import knex, { type Knex } from 'knex';
import PostgresTransaction from 'knex/lib/dialects/postgres/execution/pg-transaction.js';
import PostgresClient from 'knex/lib/dialects/postgres/index.js';
import pg from 'pg';

export interface ConnectOptions {
  /** Maximum number of connections, default 10. */
  readonly poolSize?: number;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName?: string;
  /** Timeout of one statement in ms, default 30 000: a server that hangs must not block its callers forever. */
  readonly statementTimeoutMs?: number;
}

const STATEMENT_TIMEOUT_MS = 30_000;
/** The server cancels a slow statement. If it does not answer at all, the client aborts it. */
const CLIENT_PATIENCE_MS = 5_000;
/** Timeout of connecting, and of waiting for a free connection. */
const CONNECT_TIMEOUT_MS = 5_000;
const ACQUIRE_TIMEOUT_MS = 10_000;

/**
 * A pool of connections.
 *
 * Values are returned as: `timestamptz` a Date, `date` its text (a Date would be local midnight, another day
 * elsewhere), `int8` a number, or an error if a number can't hold it.
 *
 * @param url `postgres://role:password@host:port/database`. Nothing is opened until the first query.
 */
export function connect(url: string, options: ConnectOptions = {}): Knex {
  const timeout = options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS;
  return knex({
    client: TenantClient as unknown as typeof Knex.Client,
    connection: {
      connectionString: url,
      application_name: options.applicationName ?? 'hms',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      statement_timeout: timeout,
      query_timeout: timeout + CLIENT_PATIENCE_MS,
      types: { getTypeParser },
    },
    pool: { min: 0, max: options.poolSize ?? 10, idleTimeoutMillis: 30_000 },
    acquireConnectionTimeout: ACQUIRE_TIMEOUT_MS,
    // Errors are thrown. knex would also print them, between the lines of a process's own log.
    log: { warn: ignore, error: ignore, deprecate: ignore, debug: ignore },
  });
}

/** Key of knex's user parameters with the statements that follow BEGIN. */
export const BEGIN_WITH = 'beginWith';

function oneStatement(connection: unknown, query: object): Promise<unknown> {
  return PostgresClient.prototype._query(connection, Object.assign(query, { options: { queryMode: 'extended' } }));
}

class TenantClient extends PostgresClient {
  override transaction(...args: unknown[]): unknown {
    return new TenantTransaction(this, ...args);
  }
}

/**
 * A transaction whose role and search path are sent with BEGIN in one round trip. Everything after it is sent by the
 * extended protocol, which accepts one statement at a time: no injected text can reset the role with another statement.
 */
class TenantTransaction extends PostgresTransaction {
  override async begin(connection: unknown): Promise<unknown> {
    const settings = this.userParams?.[BEGIN_WITH];
    if (typeof settings !== 'string') return super.begin(connection);
    try {
      // Not by `this.query`: on an error that immediately releases the connection inside a failed transaction,
      // because BEGIN itself succeeded.
      const result = await this.trxClient.query(connection, `BEGIN; ${settings}`);
      this.trxClient._query = oneStatement;
      return result;
    } catch (error) {
      await this.trxClient.query(connection, 'ROLLBACK').catch(() => undefined);
      throw error;
    }
  }
}

const ignore = (): void => undefined;

const DATE = pg.types.builtins.DATE;
const INT8 = pg.types.builtins.INT8;

const getTypeParser: Knex.PgGetTypeParser = (oid, format) => {
  if (oid === DATE) return (text: string) => text;
  if (oid === INT8) return safeInteger;
  return pg.types.getTypeParser(oid, format === 'binary' ? 'binary' : 'text');
};

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is too large for a number`);
  return value;
}
