import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { isKind, type Kind } from '../entities/index.ts';
import type { Change, Holder, Journal, OpenJournal, Stored } from './journal.ts';

export interface DatabaseJournalOptions {
  /** Called when there may be newer changes: the owner of the store refreshes it. */
  readonly changed: () => void;
  /** Called for each failed attempt to connect at the start. The next attempt follows a second later. */
  readonly waiting: (error: unknown) => void;
}

/**
 * The configuration that several gateways share, in their own database. Opening waits until it is available.
 * @param url `postgres://role:password@host:port/database`
 */
export function databaseJournal(url: string, { changed, waiting }: DatabaseJournalOptions): OpenJournal {
  return async (holder) => {
    for (;;) {
      try {
        return await DatabaseJournal.open(url, holder, changed);
      } catch (error) {
        waiting(error);
        await setTimeout(RETRY_MS);
      }
    }
  };
}

/**
 * A row of PostgreSQL for each entity, numbered by the revision that wrote it last. A write locks the single row of
 * `gateway_state` from reading the newest configuration to its commit, so the writes of all gateways are serialised.
 * Each gateway follows by querying what is newer than its own revision. A deleted entity leaves its id with a null row,
 * until no gateway can be so far behind.
 */
class DatabaseJournal implements Journal {
  readonly #pool: pg.Pool;
  readonly #holder: Holder;
  readonly #changed: () => void;
  #listener: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #revision = 0;
  #closed = false;

  private constructor(url: string, holder: Holder, changed: () => void) {
    this.#holder = holder;
    this.#changed = changed;
    this.#pool = new pg.Pool({
      connectionString: url,
      application_name: APPLICATION,
      max: 4,
      connectionTimeoutMillis: 5_000,
      statement_timeout: 10_000,
      query_timeout: 12_000,
      keepAlive: true,
    });
    // An idle connection that breaks is replaced by the next query, which reports the error.
    this.#pool.on('error', () => undefined);
  }

  /** Creates missing tables and passes the configuration to the holder. */
  static async open(url: string, holder: Holder, changed: () => void): Promise<DatabaseJournal> {
    const journal = new DatabaseJournal(url, holder, changed);
    try {
      await journal.#transaction(async (client) => {
        await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [APPLICATION]);
        await client.query(TABLES);
      });
      await journal.refresh();
    } catch (error) {
      await journal.close();
      throw error;
    }
    journal.#follow();
    return journal;
  }

  async write(prepare: () => readonly Change[]): Promise<void> {
    const written = await this.#transaction(async (client) => {
      await client.query('SELECT 1 FROM gateway_state FOR UPDATE');
      await this.#catchUp(client);
      const changes = prepare();
      if (changes.length === 0) return undefined;
      const { rows } = await client.query<{ revision: string }>(WRITE, columnsOf(changes));
      return { changes, revision: Number(rows[0]?.revision) };
    });
    if (!written) return;
    this.#holder.apply(written.changes);
    this.#revision = written.revision;
  }

  refresh(): Promise<void> {
    return this.#catchUp(this.#pool);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#listener?.end().catch(() => undefined);
    await this.#pool.end();
  }

  async #catchUp(on: pg.Pool | pg.PoolClient): Promise<void> {
    const revision = this.#revision;
    const rows = await read(on, revision);
    const [first] = rows;
    if (!first || Number(first.newest) === revision) return;
    if (revision > 0 && revision < Number(first.forgotten)) {
      this.#holder.replace(changesOf(await read(on, 0)));
    } else {
      this.#holder.apply(changesOf(rows));
    }
    this.#revision = Number(first.newest);
  }

  async #transaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    let broken: Error | undefined;
    // Without a listener, the error of a connection that breaks between two queries would end the process.
    const onError = (error: Error) => {
      broken = error;
    };
    client.on('error', onError);
    try {
      await client.query('BEGIN');
      const result = await work(client);
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch((failure: Error) => {
        broken = failure;
      });
      throw error;
    } finally {
      client.off('error', onError);
      client.release(broken);
    }
  }

  /** Is notified of each write, and also polls for writes that it missed while disconnected. */
  #follow(): void {
    const tick = () => {
      this.#changed();
      if (!this.#listener) void this.#listen();
    };
    this.#timer = setInterval(tick, POLL_MS);
    this.#timer.unref();
    tick();
  }

  async #listen(): Promise<void> {
    const listener = new pg.Client({
      connectionString: this.#pool.options.connectionString,
      application_name: `${APPLICATION}-listen`,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
    });
    this.#listener = listener;
    const disconnected = () => {
      if (this.#listener === listener) this.#listener = undefined;
    };
    listener.on('notification', () => this.#changed());
    listener.on('error', disconnected);
    listener.on('end', disconnected);
    try {
      await listener.connect();
      await listener.query(`LISTEN ${CHANNEL}`);
      this.#changed();
    } catch {
      disconnected();
      await listener.end().catch(() => undefined);
    }
    if (this.#closed) await listener.end().catch(() => undefined);
  }
}

interface EntityRow {
  readonly newest: string;
  readonly forgotten: string;
  readonly kind: string | null;
  readonly id: string;
  readonly row: Stored | null;
}

async function read(on: pg.Pool | pg.PoolClient, after: number): Promise<readonly EntityRow[]> {
  const { rows } = await on.query<EntityRow>(READ, [after]);
  return rows;
}

/**
 * Kinds, ids and rows. An entity that changes twice in one write, such as one deleted through two parents, counts once.
 */
function columnsOf(changes: readonly Change[]): [string[], string[], (string | null)[]] {
  const last = new Map<string, readonly [string, string, string | null]>();
  for (const change of changes) {
    const kind = 'put' in change ? change.put : change.delete;
    const id = 'put' in change ? change.row.id : change.id;
    last.set(`${kind} ${id}`, [kind, id, 'put' in change ? JSON.stringify(change.row) : null]);
  }
  const rows = [...last.values()];
  return [rows.map(([kind]) => kind), rows.map(([, id]) => id), rows.map(([, , row]) => row)];
}

/** Unknown kinds belong to a newer version that runs in parallel. */
function changesOf(rows: readonly EntityRow[]): Change[] {
  return rows.flatMap(({ kind, id, row }): Change[] => {
    if (kind === null || !isKind(kind)) return [];
    return [row ? { put: kind satisfies Kind, row } : { delete: kind, id }];
  });
}

const APPLICATION = 'hms-gateway';
const CHANNEL = 'hms_gateway';
const POLL_MS = 5_000;
const RETRY_MS = 1_000;

const TABLES = `
  CREATE TABLE IF NOT EXISTS gateway_state (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    revision bigint NOT NULL DEFAULT 0,
    -- entities deleted up to this revision have no row left: a gateway that is further behind reads everything
    forgotten bigint NOT NULL DEFAULT 0
  );
  INSERT INTO gateway_state DEFAULT VALUES ON CONFLICT DO NOTHING;
  CREATE TABLE IF NOT EXISTS gateway_entities (
    kind text NOT NULL,
    id text NOT NULL,
    -- null: deleted
    row json,
    revision bigint NOT NULL,
    written_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (kind, id)
  );
  CREATE INDEX IF NOT EXISTS gateway_entities_revision ON gateway_entities (revision);
  WITH gone AS (
    DELETE FROM gateway_entities WHERE row IS NULL AND written_at < now() - interval '1 day' RETURNING revision
  )
  UPDATE gateway_state SET forgotten = greatest(forgotten, (SELECT max(revision) FROM gone))
  WHERE EXISTS (SELECT FROM gone);
`;

const READ = `
  SELECT state.revision AS newest, state.forgotten, entity.kind, entity.id, entity.row
  FROM gateway_state AS state
  LEFT JOIN gateway_entities AS entity ON entity.revision > $1
  ORDER BY entity.revision
`;

const WRITE = `
  WITH state AS (UPDATE gateway_state SET revision = revision + 1 RETURNING revision),
  written AS (
    INSERT INTO gateway_entities (kind, id, row, revision)
    SELECT change.kind, change.id, change.row, state.revision
    FROM state, unnest($1::text[], $2::text[], $3::json[]) AS change (kind, id, row)
    ON CONFLICT (kind, id) DO UPDATE SET row = excluded.row, revision = excluded.revision, written_at = now()
  )
  SELECT revision, pg_notify('${CHANNEL}', '') FROM state
`;
