/** Transactions as one hospital: the third fence of tenant isolation. */
import { createHash } from 'node:crypto';
import { hospitalNames } from '@hms/tenancy';
import knex, { type Knex } from 'knex';
import pg from 'pg';
import { cancelStatement } from './cancel.ts';
import { ACQUIRE_TIMEOUT_MS, type ConnectOptions, pgSettings } from './connect.ts';
import { quote } from './sql.ts';

/** Builds statements for `Transaction.run`. It has no connection of its own. */
export const build: Knex = knex({ client: 'pg' });

/** A statement that `build` made. */
export type Statement = Pick<Knex.QueryBuilder, 'toSQL'> | Pick<Knex.Raw, 'toSQL'>;

interface BeginOptions {
  /** Name of a savepoint at the start of the transaction. */
  readonly savepoint?: string;
  /** Isolation level SERIALIZABLE instead of READ COMMITTED. PostgreSQL may then demand that it runs again (40001). */
  readonly serializable?: boolean;
}

/** The pool of a module's connections on which it acts as hospitals. */
export interface TenantPool {
  /**
   * Runs `work` in one transaction as the hospital's own role, with only its schema on the search path:
   * a query without a tenant filter can't read other tenants, and one that names another schema is refused.
   * Commits if `work` resolves, and rolls back if it throws.
   *
   * @param hospital prefix of a hospital from the registry, never from a request.
   * @throws PostgreSQL's 42501 (insufficient_privilege) if the hospital is suspended or deleted.
   */
  inTenant<T>(
    hospital: { readonly prefix: string },
    work: (trx: Transaction) => Promise<T>,
    begin?: BeginOptions,
  ): Promise<T>;
  /** Ends the connections when their transactions have ended. */
  end(): Promise<void>;
}

interface TenantPoolOptions {
  /** Transactions only read. */
  readonly readOnly?: boolean;
  /**
   * PostgreSQL keeps the plan of each statement. For a process that runs few different ones very often, and
   * in one hospital only: a plan of one does not fit the tables of another one.
   */
  readonly prepared?: boolean;
}

/**
 * Statements are sent without waiting for the results of earlier ones (pipelining), in order. Role and search path
 * therefore travel with BEGIN and the first statement in one round trip. Nothing is opened until the first transaction.
 *
 * @param url `postgres://role:password@host:port/database`
 */
export function openTenantPool(
  url: string,
  { readOnly = false, prepared = false, ...options }: ConnectOptions & TenantPoolOptions = {},
): TenantPool {
  const settings: pg.PoolConfig & { pipeline: true } = {
    ...pgSettings(url, options),
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_TIMEOUT_MS,
    pipeline: true,
    max: options.poolSize ?? 10,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: ACQUIRE_TIMEOUT_MS,
  };
  const pool = new pg.Pool(settings);
  // A connection that ends while no statement runs fails the next statement, or is replaced. Without a listener, its
  // error would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return {
    inTenant: ({ prefix }, work, { savepoint, serializable = false } = {}) => {
      const { role, schema } = hospitalNames(prefix);
      const begin = [
        `BEGIN${serializable ? ' ISOLATION LEVEL SERIALIZABLE' : ''}${readOnly ? ' READ ONLY' : ''}`,
        `SET LOCAL ROLE ${quote(role)}`,
        `SET LOCAL search_path TO ${quote(schema)}`,
        ...(savepoint === undefined ? [] : [`SAVEPOINT ${quote(savepoint)}`]),
      ];
      return transaction(pool, begin.join('; '), work, prepared);
    },
    end: () => pool.end(),
  };
}

/**
 * One transaction of one hospital. It accepts one statement at a time (the extended protocol), so no injected text can
 * reset the role with a second statement.
 */
export class Transaction {
  #client: pg.ClientBase | undefined;
  readonly #prepared: boolean;
  #moment = new Date();

  constructor(client: pg.ClientBase, prepared = false) {
    this.#client = client;
    this.#prepared = prepared;
  }

  /** When it happens: as `moment()` in SQL, but by the clock of this process. */
  get moment(): Date {
    return this.#moment;
  }

  /** From now on, records get this time instead. For records of the past, in the order in which they came. */
  async setMoment(moment: Date): Promise<void> {
    this.#moment = moment;
    await this.query(`SET LOCAL hms.moment TO '${moment.toISOString()}'`);
  }

  /**
   * Sends a statement at once, behind those that were sent before. If one fails, all later ones fail too.
   * @param text SQL with parameters `$1`, `$2`, …
   * @returns its rows.
   */
  query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.#send<Row>({ text, values: [...values], queryMode: 'extended' });
  }

  /** Sends a statement that `build` made. */
  run<Row extends object>(statement: Statement): Promise<Row[]> {
    const { sql, bindings } = (statement.toSQL() as Knex.Sql).toNative();
    return this.query<Row>(sql, bindings);
  }

  /**
   * Runs `work`, and cancels its statements when nobody waits for its result any more. They fail with 57014.
   * @param abandoned for example because the client has disconnected.
   * @throws the signal's reason, without any work, if nobody has waited from the start.
   */
  async whileWanted<T>(abandoned: AbortSignal, work: () => Promise<T>): Promise<T> {
    abandoned.throwIfAborted();
    let cancelled: Promise<void> | undefined;
    const cancel = () => {
      cancelled = this.#client && cancelStatement(this.#client);
    };
    abandoned.addEventListener('abort', cancel, { once: true });
    try {
      return await work();
    } finally {
      abandoned.removeEventListener('abort', cancel);
      // A late request must not meet another transaction on the same connection.
      await cancelled;
    }
  }

  /** Marks the state that `rollBackTo` returns to. */
  async savepoint(name: string): Promise<void> {
    await this.query(`SAVEPOINT ${quote(name)}`);
  }

  /** Undoes everything since the savepoint, also after an error of PostgreSQL. */
  async rollBackTo(name: string): Promise<void> {
    await this.query(`ROLLBACK TO SAVEPOINT ${quote(name)}`);
  }

  /** Refuses all later statements: the connection may serve another hospital by then. */
  end(): void {
    this.#client = undefined;
  }

  async #send<Row extends object>(query: pg.QueryConfig & { queryMode: 'extended' }): Promise<Row[]> {
    if (!this.#client) throw new Error('this transaction has ended');
    // The time of a record is a part of the statement that sets it.
    const name = this.#prepared && query.values?.length ? nameOf(query.text) : undefined;
    return (await this.#client.query<Row>(name === undefined ? query : { ...query, name })).rows;
  }
}

const names = new Map<string, string>();

/** The name of a prepared statement. */
function nameOf(text: string): string {
  const known = names.get(text) ?? createHash('sha1').update(text).digest('base64url');
  names.set(text, known);
  return known;
}

/** A statement that waits longer for another transaction fails with 55P03. */
const LOCK_TIMEOUT_MS = 10_000;
/** A transaction that waits longer for its process, or for a client that reads slowly, is ended. */
const IDLE_TIMEOUT_MS = 60_000;

async function transaction<T>(
  pool: pg.Pool,
  begin: string,
  work: (trx: Transaction) => Promise<T>,
  prepared: boolean,
): Promise<T> {
  const client = await pool.connect();
  const trx = new Transaction(client, prepared);
  let broken = false;
  // If this fails, PostgreSQL refuses the statements behind it: the transaction has begun and is in error.
  const begun = client.query(begin);
  begun.catch(() => undefined);
  try {
    const result = await work(trx);
    await begun;
    trx.end();
    const { command } = await client.query('COMMIT');
    if (command !== 'COMMIT') throw new Error('a statement failed, and its error was ignored: nothing was committed');
    return result;
  } catch (error) {
    trx.end();
    await client.query('ROLLBACK').catch(() => {
      broken = true;
    });
    // The cause comes before the errors that follow from it.
    await begun;
    throw error;
  } finally {
    client.release(broken);
  }
}
