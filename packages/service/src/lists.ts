/** Paging, sorting, filters and search, the same for every list. */
import { build } from '@hms/database';
import type { Knex } from 'knex';
import { z } from 'zod';
import { INSTANT, instant, isoDate, searched } from './fields.ts';
import { queryBoolean, withTraits } from './records/traits.ts';
import type { PageMeta } from './route.ts';
import { orderByMatch, type Precision, type SearchColumns } from './search.ts';
import type { CountedRows } from './totals.ts';
import type { Work } from './work.ts';

export const DEFAULT_LIMIT = 20;
export const MAX_LIMIT = 100;

export interface Sort {
  readonly field: string;
  readonly descending: boolean;
}

/** A moment, or a day, which starts at midnight in the hospital's time zone. */
export type Moment = { readonly instant: string } | { readonly day: string };

export interface ListOptions<Filters extends z.ZodRawShape> {
  /** Fields that the list can be sorted by. */
  readonly sort: readonly string[];
  /** e.g. `-createdAt`. */
  readonly defaultSort: string;
  /** Schemas of exact filters by field name. Unknown parameters are ignored. */
  readonly filters: Filters;
  /** Whether the list has a search, as `q`. Default: no. */
  readonly hasSearch?: boolean;
}

/** Query parameters that choose a page. */
export function pageParameters() {
  return {
    page: withTraits(wholeNumber.pipe(z.int().min(1, AT_LEAST_ONE).max(1_000_000)), {
      accepts: { type: 'integer', minimum: 1, maximum: 1_000_000, default: 1 },
    })
      .default(1)
      .describe('Page, from 1'),
    limit: withTraits(
      wholeNumber.pipe(z.int().min(1, AT_LEAST_ONE)).transform((value) => Math.min(value, MAX_LIMIT)),
      { accepts: { type: 'integer', minimum: 1, maximum: 999_999_999, default: DEFAULT_LIMIT } },
    )
      .default(DEFAULT_LIMIT)
      .describe(`Records on a page; more than ${MAX_LIMIT} means ${MAX_LIMIT}`),
  };
}

/** Query parameters that choose a period. @param what happened then, such as `Created`. */
export function periodParameters(what: string) {
  return {
    from: moment.optional().describe(`${what} at this time or later; a date starts at midnight in the hospital`),
    to: moment.optional().describe(`${what} before this time`),
  };
}

/** Query schema of a list. */
export function listQuery<Filters extends z.ZodRawShape>(options: ListOptions<Filters>) {
  const { sort, defaultSort, filters, hasSearch = false } = options;
  const common = z.object({
    ...pageParameters(),
    sort: sortParameter(sort, defaultSort),
    q: searched(100, 2)
      .optional()
      .describe('Search text of at least two characters; without sort, the best matches come first'),
    search: searched(100, 2).optional().describe('The same as q'),
    ...periodParameters('Created'),
    includeDeleted: queryBoolean().optional().describe('Deleted ones too, for those who may delete them'),
  });
  const names = new Set(Object.keys(filters));
  const exact = z.object(filters).partial();
  // A text that nothing is compared with would find everything.
  const shared = (hasSearch ? common : common.omit({ q: true, search: true })) as typeof common;
  return shared.extend(exact.shape).transform((value) => {
    const { page, limit, sort, q, search, from, to, includeDeleted } = value as z.output<typeof common>;
    return {
      ...{ page, limit, sort: sort ?? sortsIn(defaultSort), q: q ?? search, from, to },
      byMatch: sort === undefined && (q ?? search) !== undefined,
      includeDeleted: includeDeleted ?? false,
      filters: Object.fromEntries(Object.entries(value).filter(([name]) => names.has(name))) as z.output<typeof exact>,
    };
  });
}

export interface ListQuery {
  readonly page: number;
  readonly limit: number;
  readonly sort: readonly Sort[];
  readonly q: string | undefined;
  /** Whether the best matches of `q` come first. */
  readonly byMatch: boolean;
  readonly from: Moment | undefined;
  readonly to: Moment | undefined;
  readonly includeDeleted: boolean;
}

/** What `readPage` needs to know about a table. */
export interface ListColumns {
  /** Column of each sortable field. */
  readonly sort: Readonly<Record<string, string>>;
  /** Column of `from` and `to`. */
  readonly time: string;
  /** Where `q` is searched. */
  readonly search?: SearchColumns;
  /** Of the search. Default: exact. */
  readonly precision?: Precision;
  /** Breaks ties, so that each record is on exactly one page. */
  readonly id: string;
  /** `meta.total` counts no further, for tables that are too large to count. Default: all. */
  readonly countUpTo?: number;
  /** Set if all rows are records of one table. Then the total may be kept, and a page far down the list stays cheap. */
  readonly counted?: CountedRows;
}

/** Reads one page of a filtered query. `from` and `to` given as days are those of the hospital. */
export async function readPage<Row extends object>(
  { trx, hospital, totals }: Pick<Work, 'trx' | 'hospital' | 'totals'>,
  rows: Knex.QueryBuilder,
  query: Omit<ListQuery, 'includeDeleted'>,
  columns: ListColumns,
): Promise<{ readonly rows: readonly Row[]; readonly meta: PageMeta }> {
  const { page, limit, sort, from, to, q, byMatch } = query;
  restrictTime(rows, columns.time, { from, to }, hospital.timezone);
  const all = rows.clone().clearSelect();
  const counting = columns.counted
    ? totals.of(trx, hospital, all.clone(), columns.counted)
    : trx.run<{ total: number }>(countOf(all, columns.countUpTo)).then(([row]) => row?.total ?? 0);
  if (byMatch && q !== undefined && columns.search) orderByMatch(rows, columns.search, q, columns.precision ?? 'exact');
  for (const { field, descending } of sort) {
    rows.orderBy(columns.sort[field] ?? columns.id, descending ? 'desc' : 'asc');
  }
  rows.orderBy(columns.id, sort[0]?.descending ? 'desc' : 'asc');
  const offset = (page - 1) * limit;
  const wanted =
    offset > 0 && columns.counted && !byMatch
      ? byIds(rows, columns.id, limit, offset)
      : rows.limit(limit).offset(offset);
  const [total, pageRows] = await Promise.all([counting, trx.run<Row>(wanted)]);
  return { rows: pageRows, meta: { page, limit, total } };
}

/** PostgreSQL skips rows of an index without reading the records. */
function byIds(rows: Knex.QueryBuilder, id: string, limit: number, offset: number): Knex.QueryBuilder {
  const ids: Knex.QueryBuilder = rows.clone().clearSelect().select(id).limit(limit).offset(offset);
  return rows.clearWhere().whereIn(id, ids);
}

const AT_LEAST_ONE = 'must be a whole number of at least 1';
const wholeNumber = z
  .string()
  .regex(/^\d{1,9}$/, AT_LEAST_ONE)
  .transform(Number);

export const moment = withTraits(
  z.union(
    [
      isoDate.transform((value): Moment => ({ day: value })),
      instant.transform((value): Moment => ({ instant: value })),
    ],
    { error: 'must be a date, like 2026-01-31, or a date and time with its offset, like 2026-01-31T08:00:00Z' },
  ),
  {
    accepts: {
      anyOf: [{ type: 'string', format: 'date' }, INSTANT],
    },
  },
);

export function sortParameter(allowed: readonly string[], defaultSort: string) {
  const field = String.raw`\s*[-+]?(?:${allowed.join('|')})\s*`;
  const sorts = z.string().transform((value, context): readonly Sort[] => {
    const sorts = sortsIn(value);
    if (sorts.some(({ field }) => !allowed.includes(field))) {
      context.addIssue({ code: 'custom', message: `must name fields of ${allowed.join(', ')}, like ${defaultSort}` });
    }
    return sorts;
  });
  return withTraits(sorts, {
    accepts: { type: 'string', pattern: `^${field}(?:,${field})*$`, examples: [defaultSort] },
  })
    .optional()
    .describe(
      `Fields to sort by, with a comma between them and - for descending: ${allowed.join(', ')}. Default ${defaultSort}`,
    );
}

function sortsIn(value: string): readonly Sort[] {
  const fields = value.split(',').map((part) => part.trim());
  return fields.map((part) => ({ field: part.replace(/^[-+]/, ''), descending: part.startsWith('-') }));
}

function countOf(rows: Knex.QueryBuilder, limit: number | undefined): Knex.QueryBuilder {
  if (limit === undefined) return rows.count({ total: '*' });
  const some: Knex.QueryBuilder = build.from(rows.select(build.raw('1')).limit(limit).as('some'));
  return some.count({ total: '*' });
}

/** Restricts a query to a period. @param timezone IANA name, for days. */
export function restrictTime(
  rows: Knex.QueryBuilder,
  column: string,
  { from, to }: Partial<Pick<ListQuery, 'from' | 'to'>>,
  timezone: string,
): void {
  if (from) restrict(rows, column, '>=', from, timezone);
  if (to) restrict(rows, column, '<', to, timezone);
}

function restrict(rows: Knex.QueryBuilder, column: string, operator: '>=' | '<', at: Moment, timezone: string): void {
  if ('instant' in at) rows.where(column, operator, at.instant);
  else rows.whereRaw(`?? ${operator} (?::timestamp AT TIME ZONE ?)`, [column, at.day, timezone]);
}
