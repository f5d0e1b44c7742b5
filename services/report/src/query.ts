/** The SQL of a report, from its declaration. Names come from declarations, values are parameters. */
import { type FactsContext, type Group, groupsOf, type Measure, type Report, type Span } from './declare.ts';

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

/** The key of facts without one, such as those of no department. */
export const NO_KEY = 'none';

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
export const LINKED = ['id::text', 'link', 'link_id', 'patient_id'];

/** The list behind a figure, in the order in which it happened: `more`, and the columns `c0` and so on. */
export function recordsQuery(
  report: Report,
  span: Span,
  selection: RecordSelection,
  clock: Clock,
  input: unknown,
  more: readonly string[] = [],
): Query {
  const columns = Object.values(report.columns).map(({ sql }, index) => `${sql} AS c${index}`);
  const { from, values } = facts(report, span, selection, clock, input, []);
  const shown = [...more, ...columns].join(', ');
  return { text: `${from.with} SELECT ${shown} ${from.where}${behind(selection)} ORDER BY at, id`, values };
}

/** How many facts the list has, as `total`, and the sums of its columns that are amounts, as `c0` and so on. */
export function sumsQuery(report: Report, span: Span, selection: RecordSelection, clock: Clock, input: unknown): Query {
  const sums = Object.values(report.columns).map(({ sql, kind }, index) =>
    isSummed(kind) ? `sum(${sql})::bigint AS c${index}` : `NULL AS c${index}`,
  );
  const { from, values } = facts(report, span, selection, clock, input, []);
  return {
    text: `${from.with} SELECT count(*) AS total, ${sums.join(', ')} ${from.where}${behind(selection)}`,
    values,
  };
}

/** Whether the sum of such a column says something. */
export function isSummed(kind: Report['columns'][string]['kind']): boolean {
  return kind === 'money' || kind === 'count';
}

function behind({ measure }: RecordSelection): string {
  return measure?.where === undefined ? '' : ` AND (${measure.where})`;
}

function facts(
  report: Report,
  { begin, until }: Span,
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
        , facts AS (SELECT *, ${timeColumns(firstWeekday)} FROM timed)`,
      where: `FROM facts WHERE ${[all, ...wanted].join(' AND ')}`,
    },
    values,
  };
}

/** Keys of the groups by time, by the clock of the hospital. */
function timeColumns(firstWeekday: number): string {
  return `
    local_at::date AS on_day,
    local_at::date - (extract(isodow FROM local_at)::integer - ${firstWeekday} + 7) % 7 AS on_week,
    date_trunc('month', local_at)::date AS on_month,
    extract(isodow FROM local_at)::integer AS on_weekday,
    to_char(local_at, 'HH24') AS on_hour`;
}

function groupOf(report: Report, name: string): Group {
  const group = groupsOf(report)[name];
  if (!group) throw new Error(`report ${report.name} has no group ${name}`);
  return group;
}
