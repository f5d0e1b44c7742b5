/**
 * A report is declared once. Its routes, OpenAPI document, CSV, XLSX, PDF and page follow from the declaration.
 *
 * Its SQL gives facts: one row for each record, or part of one, that counts. Figures are computed from facts, and the list
 * behind a figure shows the same facts. So a figure and its list can't disagree.
 */
import type { Work } from '@hms/service';
import type { MailLanguage } from '@hms/tenancy';

/** A text in each language of the pages. */
export type Words = Readonly<Record<MailLanguage, string>>;

/** The kinds of reports. Each has a permission, `reports.<area>`. */
export const AREAS = ['financial', 'clinical', 'operational', 'pharmacy'] as const;
export type Area = (typeof AREAS)[number];

/** How a value is written. `share` is a number from 0 to 1, `money` an integer of the smallest unit. */
export const KINDS = ['count', 'money', 'minutes', 'share', 'text', 'day', 'moment'] as const;
export type Kind = (typeof KINDS)[number];

/** What facts can be grouped and filtered by. */
export interface Group {
  readonly title: Words;
  /** Column of the facts with the key. */
  readonly key: string;
  /** Column with what the key is called. Default: the key itself. */
  readonly label?: string;
  /** SQL of what the key `$1` is called, whether or not a fact has it. With `label` only. */
  readonly named?: string;
  /** What each possible key is called, in the order in which they are shown. */
  readonly labels?: Readonly<Record<string, Words>>;
}

/** The key of facts without one, such as those of no department. */
export const NO_KEY = 'none';

/** A figure. */
export interface Measure {
  readonly title: Words;
  readonly kind: Kind;
  /** An aggregate of the facts. */
  readonly sql: string;
  /** Which facts are behind it. Default: all. */
  readonly where?: string;
  /** Column whose different values are counted. The list has one row for each of them. */
  readonly each?: string;
}

/** A column of the list behind a figure. */
export interface Column {
  readonly title: Words;
  readonly kind: Kind;
  /** Column of the facts. */
  readonly sql: string;
}

/** The records that a row of a list opens. The pages know where each is shown. */
export const LINKS = [
  ...(['appointment', 'doctor-day', 'invoice', 'lab-order', 'patient', 'prescription'] as const),
  ...(['shift', 'stock-batch', 'visitor'] as const),
] as const;

/** What the SQL of facts can refer to as `$1` to `$4`. */
export interface FactsContext {
  /** Whether the query uses a group. Its joins can be left out otherwise. */
  uses(group: string): boolean;
}

/** Days of a report, and the moments between which its facts are. */
export interface Span {
  /** First day, `YYYY-MM-DD`. */
  readonly from: string;
  /** The day after the last one. */
  readonly to: string;
  readonly begin: Date;
  /** The end of the last day, or now if that is earlier. */
  readonly until: Date;
  /**
   * How much later the period is that is compared with this one, as an interval of PostgreSQL. The days, weeks and months
   * of the facts are those of that period.
   */
  readonly later?: string;
}

export interface Report {
  /** As in the path: `lab-turnaround`. */
  readonly name: string;
  readonly area: Area;
  readonly title: Words;
  /** One sentence: what is counted, and when. */
  readonly about: Words;
  /**
   * Whether it is about what happened in the period, or how things are at its end. The latter is compared with how they
   * were at the beginning.
   */
  readonly of: 'period' | 'moment';
  /**
   * SQL of the facts. `$1` is the beginning, `$2` the end, `$3` the name of the time zone, `$4` what `input` has read.
   * Columns: `id`, `at` (a timestamptz, which orders them), `link`, `link_id`, `patient_id`, and those that are named below.
   */
  facts(context: FactsContext): string;
  /** What the facts need besides the tables, as a value for `$4`. */
  input?(work: Work, span: Span): Promise<unknown>;
  readonly groups: Readonly<Record<string, Group>>;
  /** The most important first. */
  readonly measures: Readonly<Record<string, Measure>>;
  readonly columns: Readonly<Record<string, Column>>;
  /** By which it is grouped unless the client says otherwise. */
  readonly groupBy: string;
}

/** Checks a declaration when the module starts. @throws Error that names what is missing. */
export function report(spec: Report): Report {
  if (!(spec.groupBy in groupsOf(spec))) throw new Error(`report ${spec.name} has no group ${spec.groupBy}`);
  for (const [name, { label, named }] of Object.entries(spec.groups))
    if ((label === undefined) !== (named === undefined))
      throw new Error(`group ${name} of report ${spec.name} needs both label and named, or none of them`);
  return spec;
}

/** Groups of facts by the clock of the hospital. Those of periods narrow `from` and `to`. */
const TIME_GROUPS = {
  day: { title: { en: 'Day', ar: 'اليوم' }, key: 'on_day' },
  week: { title: { en: 'Week', ar: 'الأسبوع' }, key: 'on_week' },
  month: { title: { en: 'Month', ar: 'الشهر' }, key: 'on_month' },
  weekday: {
    title: { en: 'Day of the week', ar: 'يوم الأسبوع' },
    key: 'on_weekday',
    labels: {
      1: { en: 'Monday', ar: 'الاثنين' },
      2: { en: 'Tuesday', ar: 'الثلاثاء' },
      3: { en: 'Wednesday', ar: 'الأربعاء' },
      4: { en: 'Thursday', ar: 'الخميس' },
      5: { en: 'Friday', ar: 'الجمعة' },
      6: { en: 'Saturday', ar: 'السبت' },
      7: { en: 'Sunday', ar: 'الأحد' },
    },
  },
  hour: { title: { en: 'Hour of the day', ar: 'ساعة اليوم' }, key: 'on_hour' },
} as const satisfies Readonly<Record<string, Group>>;

/** Groups that are parts of the period. */
const PERIOD_GROUPS = ['day', 'week', 'month'] as const;
export type PeriodGroup = (typeof PERIOD_GROUPS)[number];

export function isPeriodGroup(name: string): name is PeriodGroup {
  return PERIOD_GROUPS.some((one) => one === name);
}

/** All groups of a report, by name. */
export function groupsOf({ of, groups }: Pick<Report, 'of' | 'groups'>): Readonly<Record<string, Group>> {
  return of === 'period' ? { ...TIME_GROUPS, ...groups } : groups;
}

/** Groups by which the list behind a figure can be filtered: each but those of periods. */
export function filtersOf(spec: Pick<Report, 'of' | 'groups'>): readonly string[] {
  return Object.keys(groupsOf(spec)).filter((name) => !isPeriodGroup(name));
}

/** The number of facts. */
export function count(title: Words, where?: string): Measure {
  return { title, kind: 'count', sql: `count(*)${only(where)}`, ...(where === undefined ? {} : { where }) };
}

/** The number of different values of a column. */
export function distinct(title: Words, column: string, where?: string): Measure {
  return {
    ...{ title, kind: 'count', sql: `count(DISTINCT ${column})${only(where)}`, each: column },
    ...(where === undefined ? {} : { where }),
  };
}

/** The sum of a column. */
export function sum(title: Words, kind: Kind, column: string, where?: string): Measure {
  return {
    ...{ title, kind, sql: `coalesce(sum(${column})${only(where)}, 0)::bigint` },
    ...(where === undefined ? {} : { where }),
  };
}

/** The value below which a part of the values of a column is. Facts without a value don't count. @param part from 0 to 1 */
export function percentile(title: Words, kind: Kind, part: number, column: string): Measure {
  return {
    ...{ title, kind, where: `${column} IS NOT NULL` },
    sql: `round(percentile_cont(${part}) WITHIN GROUP (ORDER BY ${column})::numeric, 1)::float8`,
  };
}

/** The share of some facts among all, or among others. */
export function share(title: Words, where: string, among?: string): Measure {
  const all = `count(*)${only(among)}`;
  return { title, kind: 'share', where, sql: `round(count(*)${only(where)}::numeric / nullif(${all}, 0), 4)::float8` };
}

/** The sum of a column as a share of the sum of another one. */
export function ratio(title: Words, part: string, whole: string): Measure {
  return { title, kind: 'share', sql: `round(sum(${part})::numeric / nullif(sum(${whole}), 0), 4)::float8` };
}

function only(where: string | undefined): string {
  return where === undefined ? '' : ` FILTER (WHERE ${where})`;
}
