/**
 * The number of records of a list, `meta.total`. Counting 100,000 records costs PostgreSQL more than everything else about
 * a page, so a process keeps the totals of large tables for a moment.
 */
import { build, type Hospital, type Transaction } from '@hms/database';
import type { Knex } from 'knex';
import { LRUCache } from 'lru-cache';

export interface CountedRows {
  /** The table whose records are counted. */
  readonly table: string;
  /** Whether a notice of this table tells each change of the total. Otherwise it is kept for a second at most. */
  readonly isNoticed: boolean;
}

/** What a process knows of changes. */
interface Changes {
  /** For how long a table has not changed, in ms. Undefined while no notices can arrive. */
  quietFor(hospital: Pick<Hospital, 'prefix'>, table: string): number | undefined;
}

interface Count {
  /** In ms since 1970, not later than what it has counted. */
  readonly startedAt: number;
  readonly total: Promise<number>;
}

/** Tables with fewer rows are counted each time, by PostgreSQL's estimate and by the total. */
const LARGE = 1_000;
/** A total is at most this old, in ms. What is written without a notice counts from then on. */
const NOTICED_MS = 30_000;
const UNNOTICED_MS = 1_000;
/** Lists of all hospitals, with each of their filters. */
const MOST_KEPT = 2_000;

export class Totals {
  readonly #changes: Changes | undefined;
  readonly #counts = new LRUCache<string, Count>({ max: MOST_KEPT });

  /** @param changes default: none are known, and each total is counted again after a second. */
  constructor(changes?: Changes) {
    this.#changes = changes;
  }

  /** @param rows without order and limit. */
  async of(trx: Transaction, hospital: Hospital, rows: Knex.QueryBuilder, counted: CountedRows): Promise<number> {
    const { table } = counted;
    const key = `${hospital.id} ${rows.toQuery()}`;
    const known = this.#counts.get(key);
    if (known && this.#isFresh(known, hospital, counted)) {
      // The transaction that counts may end early.
      const total = await known.total.catch(() => undefined);
      if (total !== undefined) return total;
    }
    const startedAt = Date.now();
    const counting = trx.run<{ total: number; estimate: number }>(
      rows
        .count({ total: '*' })
        .select(build.raw('(SELECT reltuples FROM pg_class WHERE oid = ?::regclass) AS estimate', [table])),
    );
    const total = counting.then(([row]) => row?.total ?? 0);
    // Whoever waits for it counts again.
    total.catch(() => undefined);
    // Of a table that was large, whoever asks meanwhile waits for the same count.
    if (known) this.#counts.set(key, { startedAt, total });
    const [{ estimate } = { estimate: 0 }] = await counting;
    if (Math.max(await total, estimate) > LARGE) this.#counts.set(key, { startedAt, total });
    else this.#counts.delete(key);
    return total;
  }

  #isFresh({ startedAt }: Count, hospital: Hospital, { table, isNoticed }: CountedRows): boolean {
    const age = Date.now() - startedAt;
    const quiet = this.#changes?.quietFor(hospital, table);
    if (quiet === undefined) return age < UNNOTICED_MS;
    return quiet > age && age < (isNoticed ? NOTICED_MS : UNNOTICED_MS);
  }
}
