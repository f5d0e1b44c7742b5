import knex, { type Knex } from 'knex';
import pg from 'pg';
import { getTypeParser } from './postgres-types.ts';

export interface ConnectOptions {
  /** Maximum number of connections, default 10. */
  readonly poolSize?: number;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName?: string;
  /** Timeout of one statement in ms, default 30 000: a server that hangs must not block its callers forever. */
  readonly statementTimeoutMs?: number;
  /** Called right before a statement is sent. If it throws, the statement is not sent. Rollbacks always are. */
  readonly beforeStatement?: () => void;
}

const STATEMENT_TIMEOUT_MS = 30_000;
/** The server cancels a slow statement. If it does not answer at all, the client aborts it. */
const CLIENT_PATIENCE_MS = 5_000;
/** A process that hangs in a transaction must not hold its locks, which another process may wait for. */
const IDLE_TIMEOUT_MS = 15_000;
/** Timeout of connecting, and of waiting for a free connection. */
const CONNECT_TIMEOUT_MS = 5_000;
export const ACQUIRE_TIMEOUT_MS = 10_000;

/**
 * A pool of connections for statements that belong to no hospital: the registry, and the operator's work.
 *
 * Values are returned as: `timestamptz` a Date, `date` its text, `int8` a number, or an error if a number can't hold it.
 *
 * @param url `postgres://role:password@host:port/database`. Nothing is opened until the first query.
 */
export function connect(url: string, options: ConnectOptions = {}): Knex {
  return knex({
    client: 'pg',
    connection: { ...connectionSettings(url, options), connectionTimeoutMillis: CONNECT_TIMEOUT_MS },
    pool: {
      ...{ min: 0, max: options.poolSize ?? 10, idleTimeoutMillis: 30_000 },
      afterCreate: (client: pg.Client, done: () => void) => {
        if (options.beforeStatement) guard(client, options.beforeStatement);
        done();
      },
    },
    acquireConnectionTimeout: ACQUIRE_TIMEOUT_MS,
    // Errors are thrown. knex would also print them, between the lines of a process's own log.
    log: { warn: ignore, error: ignore, deprecate: ignore, debug: ignore },
  });
}

/** A check before knex waits for a connection would come too early: time may pass until there is one. */
function guard(client: pg.Client, beforeStatement: () => void): void {
  const send = client.query.bind(client) as (...parameters: unknown[]) => unknown;
  const guarded = (statement: { readonly text?: string } | string, ...rest: unknown[]) => {
    const text = typeof statement === 'string' ? statement : (statement.text ?? '');
    if (!/^\s*ROLLBACK\b/i.test(text)) beforeStatement();
    return send(statement, ...rest);
  };
  Object.assign(client, { query: guarded });
}

/** Settings of each connection, in pg's form. */
function connectionSettings(url: string, { applicationName = 'hms', statementTimeoutMs }: ConnectOptions) {
  const timeout = statementTimeoutMs ?? STATEMENT_TIMEOUT_MS;
  return {
    connectionString: url,
    application_name: applicationName,
    keepAlive: true,
    statement_timeout: timeout,
    idle_in_transaction_session_timeout: IDLE_TIMEOUT_MS,
    query_timeout: timeout + CLIENT_PATIENCE_MS,
    types: { getTypeParser },
  };
}

/** A pool for a library that takes one. Errors of idle connections are ignored: the pool replaces them. */
export function openPool(url: string, options: ConnectOptions = {}): pg.Pool {
  return poolWith({ ...pgSettings(url, options), options: KEEPALIVES }, options.poolSize);
}

/** The server ends the connection of a machine that vanished within half a minute, instead of two hours. */
const KEEPALIVES = '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3';

/** The same for the server and role of another pool. */
export function openPoolLike(db: Knex, options: { readonly poolSize: number }): pg.Pool {
  const { config } = db.client as { readonly config: { readonly connection: pg.ClientConfig } };
  return poolWith(config.connection, options.poolSize);
}

function poolWith(settings: pg.ClientConfig, max = 10): pg.Pool {
  const pool = new pg.Pool({
    ...settings,
    max,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: ACQUIRE_TIMEOUT_MS,
  });
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));
  return pool;
}

/** One connection, for LISTEN. It is not connected yet. */
export function openClient(url: string, options: ConnectOptions = {}): pg.Client {
  return new pg.Client({ ...pgSettings(url, options), connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
}

/** knex types the same function with an argument that pg's types call optional. */
export function pgSettings(url: string, options: ConnectOptions): pg.ClientConfig {
  return {
    ...connectionSettings(url, options),
    types: { getTypeParser: getTypeParser as pg.CustomTypesConfig['getTypeParser'] },
  };
}

const ignore = (): void => undefined;
