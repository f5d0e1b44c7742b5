/** The SQL of a report, from its declaration. Names come from declarations, values are parameters. */
import {
  type FactsContext,
  type Group,
  groupsOf,
  type Kind,
  type Measure,
  NO_KEY,
  type Report,
  type Span,
} from './declare.ts';

/** What is wanted of a report. */
export interface Selection {
  /** Names of groups. */
  readonly groupBy: readonly string[];
  /** Keys of groups by name. Only facts of these count. */
  readonly filters: Readonly<Record<string, string>>;
}

/** A statement with its parameters. */
export interface Query {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The place and the time of the hospital. */
export interface Clock {
  readonly timezone: string;
  /** 1 is Monday. */
  readonly firstWeekday: number;
}

/**
 * Figures: one row for all facts, and one for each group. Rows have `is_total`, keys `k0`, `k1`, labels `l0`, `l1`, and
 * the measures `m0`, `m1` and so on, in the order of the declaration.
 */
export function figuresQuery(report: Report, span: Span, selection: Selection, clock: Clock, input: unknown): Query {
  const groups = selection.groupBy.map((name) => groupOf(report, name));
  const keys = groups.map(({ key }) => key);
  const columns = [
    keys.length === 0 ? 'true AS is_total' : `grouping(${keys.join(', ')}) <> 0 AS is_total`,
    ...groups.flatMap(({ key, label = key }, index) => [
      `${key}::text AS k${index}`,
      `min(${label}::text) AS l${index}`,
    ]),
    ...Object.values(report.measures).map(({ sql }, index) => `${sql} AS m${index}`),
  ];
  const { from, values } = facts(report, span, selection, clock, input, [...selection.groupBy]);
  const sets = keys.length === 0 ? '()' : `(), (${keys.join(', ')})`;
  return { text: `${from.with} SELECT ${columns.join(', ')} ${from.where} GROUP BY GROUPING SETS (${sets})`, values };
}

/** The facts behind a figure. */
export interface RecordSelection {
  readonly filters: Selection['filters'];
  /** Default: all facts. */
  readonly measure?: Measure | undefined;
}

/** What a page shows of a fact, besides its columns. */
export const LINKED = ['id', 'link', 'link_id', 'patient_id'];

/** The list behind a figure, in the order in which it happened: `more`, and the columns `c0` and so on. */
export function recordsQuery(
  report: Report,
  span: Span,
  selection: RecordSelection,
  clock: Clock,
  input: unknown,
  more: readonly string[] = [],
): Query {
  const each = selection.measure?.each;
  const columns = Object.values(report.columns).map(
    ({ sql, kind }, index) => `${each === undefined ? sql : ofEach(sql, kind)} AS c${index}`,
  );
  const linked = more.map(
    (column) => `${each === undefined ? `${column}::text` : `min(${column}::text)`} AS ${column}`,
  );
  const { from, values } = facts(report, span, selection, clock, input, []);
  const order = each === undefined ? 'ORDER BY at, id' : `GROUP BY ${each} ORDER BY min(at), min(id::text)`;
  const shown = [...linked, ...columns].join(', ');
  return { text: `${from.with} SELECT ${shown} ${from.where}${behind(selection)} ${order}`, values };
}

/** A column of several facts in one row: the sum of amounts, all texts, and the first moment. */
function ofEach(sql: string, kind: Kind): string {
  if (kind === 'text') return `string_agg(DISTINCT ${sql}::text, ', ' ORDER BY ${sql}::text)`;
  return isSummed(kind) ? `sum(${sql})::bigint` : `min(${sql})`;
}

/** How many facts the list has, as `total`, and the sums of its columns that are amounts, as `c0` and so on. */
export function sumsQuery(report: Report, span: Span, selection: RecordSelection, clock: Clock, input: unknown): Query {
  const sums = Object.values(report.columns).map(({ sql, kind }, index) =>
    isSummed(kind) ? `sum(${sql})::bigint AS c${index}` : `NULL AS c${index}`,
  );
  const { from, values } = facts(report, span, selection, clock, input, []);
  const { each } = selection.measure ?? {};
  const total = each === undefined ? 'count(*)' : `count(DISTINCT ${each})`;
  return {
    text: `${from.with} SELECT ${total} AS total, ${sums.join(', ')} ${from.where}${behind(selection)}`,
    values,
  };
}

/** Whether the sum of such a column says something. */
export function isSummed(kind: Kind): boolean {
  return kind === 'money' || kind === 'count';
}

function behind({ measure }: RecordSelection): string {
  return measure?.where === undefined ? '' : ` AND (${measure.where})`;
}

function facts(
  report: Report,
  { begin, until, later }: Span,
  { filters }: Pick<Selection, 'filters'>,
  { timezone, firstWeekday }: Clock,
  input: unknown,
  grouped: readonly string[],
) {
  const used = new Set([...grouped, ...Object.keys(filters)]);
  const context: FactsContext = { uses: (group) => used.has(group) };
  const values: unknown[] = [begin, until, timezone, input === undefined ? null : JSON.stringify(input)];
  const wanted = Object.entries(filters).map(([name, key]) => {
    const { key: column } = groupOf(report, name);
    if (key === NO_KEY) return `${column} IS NULL`;
    values.push(key);
    return `${column}::text = $${values.length}`;
  });
  // PostgreSQL refuses parameters that no expression uses.
  const all =
    '$1::timestamptz IS NOT NULL AND $2::timestamptz IS NOT NULL AND $3::text IS NOT NULL AND ($4::jsonb IS NULL OR true)';
  return {
    from: {
      with: `WITH records AS (${report.facts(context)}), timed AS (SELECT *, at AT TIME ZONE $3 AS local_at FROM records)
        , facts AS (SELECT *, ${timeColumns(firstWeekday, later)} FROM timed)`,
      where: `FROM facts WHERE ${[all, ...wanted].join(' AND ')}`,
    },
    values,
  };
}

/** Keys of the groups by time, by the clock of the hospital. @param later as in {@link Span} */
function timeColumns(firstWeekday: number, later: string | undefined): string {
  const day = later === undefined ? 'local_at' : `(local_at + interval '${later}')`;
  return `
    ${day}::date AS on_day,
    ${day}::date - (extract(isodow FROM ${day})::integer - ${firstWeekday} + 7) % 7 AS on_week,
    date_trunc('month', ${day})::date AS on_month,
    extract(isodow FROM local_at)::integer AS on_weekday,
    to_char(local_at, 'HH24') AS on_hour`;
}

function groupOf(report: Report, name: string): Group {
  const group = groupsOf(report)[name];
  if (!group) throw new Error(`report ${report.name} has no group ${name}`);
  return group;
}
