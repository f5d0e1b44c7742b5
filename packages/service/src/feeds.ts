/**
 * Feeds: records, or parts of them, in the order of their last change, a page at a time. A client that remembers how far
 * it got misses no change, because what changes moves to the end.
 */
import { build, type Transaction } from '@hms/database';
import type { Knex } from 'knex';
import { FOLDED } from './search.ts';
import type { Work } from './work.ts';

/** What can be followed. Each value is an SQL expression over the rows. */
export interface Feed<Field extends string = string> {
  /** All that there is, without columns. */
  rows(work: Work): Knex.QueryBuilder;
  readonly id: string;
  /** The record of which it is a part. Default: it is a record itself. */
  readonly of?: string;
  /** When it was last changed: `timestamptz`. */
  readonly changedAt: string;
  /** What it can be found by. */
  readonly fields: Readonly<Record<Field, string>>;
}

/** A place between two rows. */
export interface FeedPosition {
  /** As PostgreSQL writes it, with microseconds. */
  readonly changedAt: string;
  readonly id: string;
}

export interface FeedQuery {
  readonly limit: number;
  /** The latest change first. */
  readonly descending: boolean;
  /** Default: from the start. */
  readonly after?: FeedPosition | undefined;
}

export interface FeedRow extends FeedPosition {
  /** Id of the record of which it is a part, or its own. */
  readonly of: string;
  readonly at: Date;
}

/** One page of a restricted feed. @param rows of the feed. */
export function readFeed(
  trx: Transaction,
  feed: Pick<Feed, 'id' | 'of' | 'changedAt'>,
  rows: Knex.QueryBuilder,
  { limit, descending, after }: FeedQuery,
): Promise<readonly FeedRow[]> {
  const { id, changedAt, of = id } = feed;
  const [order, follows] = descending ? (['desc', '<'] as const) : (['asc', '>'] as const);
  if (after) rows.whereRaw(`(${changedAt}, ${id}) ${follows} (?::timestamptz, ?::uuid)`, [after.changedAt, after.id]);
  rows.select(build.raw(`${id} AS id, ${of} AS "of", ${changedAt} AS at, ${changedAt}::text AS "changedAt"`));
  return trx.run<FeedRow>(rows.orderByRaw(`${changedAt} ${order}, ${id} ${order}`).limit(limit));
}

/** How many rows there are. @param rows of a feed. */
export async function countFeed(trx: Transaction, rows: Knex.QueryBuilder): Promise<number> {
  const [found] = await trx.run<{ total: number }>(rows.select(build.raw('count(*)::int AS total')));
  return found?.total ?? 0;
}

/**
 * Restricts rows to those with a word that starts with the text, as a search folds both.
 * @param names expression of the text. @param search column that contains it, with a trigram index.
 */
export function matchNames(rows: Knex.QueryBuilder, names: string, text: string, search?: string): void {
  if (search !== undefined) rows.whereRaw(`${search} LIKE '%' || ${FOLDED} || '%'`, [text]);
  rows.whereRaw(`' ' || search_text(${names}) LIKE '% ' || ${FOLDED} || '%'`, [text]);
}
