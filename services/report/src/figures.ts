/** Runs reports: their figures, and the lists behind them. */
import { fields, type PageMeta, type Work } from '@hms/service';
import { localeOf } from '@hms/tenancy';
import { z } from 'zod';
import { groupsOf, isPeriodGroup, LINKS, type Measure, NO_KEY, type Report, type Span } from './declare.ts';
import { firstWeekdayOf, partIn, partsOf, spanBefore, weekName } from './period.ts';
import {
  type Clock,
  figuresQuery,
  isSummed,
  LINKED,
  type Query,
  recordsQuery,
  type Selection,
  sumsQuery,
} from './query.ts';

const value = z.number().nullable().describe('Null: there is nothing to compute it from');
const values = z.record(z.string(), value).describe('By the name of the measure');
const records = z.string().describe('Where the list behind the figures is. The parameter `measure` names one of them');
const days = z.object({
  from: z.iso.date(),
  to: z.iso.date().describe('The day after the last one'),
  until: fields.timestamp.describe(
    'The end of the last day, or when it was computed if that is earlier. Never before the first day',
  ),
});

export const figures = z
  .object({
    report: z.string(),
    ...days.shape,
    timezone: z.string(),
    currency: z.string().describe('Of the amounts, which are whole numbers of its smallest unit'),
    groupBy: z.array(z.string()),
    filters: z
      .array(
        z.object({
          group: z.string(),
          key: z.string().nullable().describe('Null: those without one'),
          label: z.string().nullable().describe('What the key is called. Null: by the list of reports, or unknown'),
        }),
      )
      .describe('Only facts with all of these keys count'),
    previous: days.nullable().describe('What it is compared with. Of how things are: the beginning of the period'),
    total: z.object({ values, previous: values.nullable(), records }),
    groups: z.array(
      z.object({
        keys: z.array(z.string().nullable()).describe('One for each name in groupBy. Null: it has none'),
        labels: z.array(z.string().nullable()).describe('What the keys are called. Null: by the list of reports'),
        values,
        previous: values.nullable().describe('Of the same key before, or of the same part of the period before'),
        records,
      }),
    ),
  })
  .meta({ id: 'ReportFigures' });
export type Figures = z.output<typeof figures>;
type Values = z.output<typeof values>;

/** What a report is asked for. */
export interface Wanted extends Selection {
  readonly span: Span;
  /** Whether it is compared with the period before. */
  readonly isCompared: boolean;
}

/** The zone of a hospital, and when its weeks begin. */
export function clockOf({ timezone, settings }: Work['hospital']): Clock {
  return { timezone, firstWeekday: firstWeekdayOf(localeOf(settings)) };
}

/** Figures of a report, in a read-only transaction. */
export async function readFigures(work: Work, report: Report, wanted: Wanted): Promise<Figures> {
  const { hospital, trx } = work;
  const { span, isCompared } = wanted;
  const clock = clockOf(hospital);
  const before = isCompared ? spanToCompare(report, span, clock, trx.moment) : undefined;
  const [now, then] = [
    await rowsOf(work, report, span, wanted, clock),
    before && (await rowsOf(work, report, before, wanted, clock)),
  ];
  const shown = (one: Span) => ({ from: one.from, to: one.to, until: one.until.toISOString() });
  return {
    ...{ report: report.name, ...shown(span), timezone: hospital.timezone, currency: hospital.currency },
    ...{ groupBy: [...wanted.groupBy], previous: before ? shown(before) : null },
    filters: await filtersNamed(work, report, wanted.filters),
    total: {
      ...{ values: now.total, previous: then?.total ?? null },
      records: recordsPath(report, span, [], [], wanted.filters),
    },
    groups: groupsIn(report, wanted, clock, now, then),
  };
}

/** How things were when the period began, or what happened in the one before. */
function spanToCompare({ of }: Report, span: Span, { timezone }: Clock, now: Date): Span {
  if (of === 'period') return spanBefore(span, timezone, now);
  return { ...span, to: span.from, until: span.begin };
}

async function filtersNamed({ trx }: Work, report: Report, filters: Selection['filters']): Promise<Figures['filters']> {
  const named: Figures['filters'] = [];
  for (const [group, key] of Object.entries(filters)) {
    const sql = groupsOf(report)[group]?.named;
    const found = sql === undefined || key === NO_KEY ? [] : await trx.query<{ name: string | null }>(sql, [key]);
    named.push({ group, key: key === NO_KEY ? null : key, label: found[0]?.name ?? null });
  }
  return named;
}

interface Rows {
  readonly total: Values;
  readonly groups: ReadonlyMap<string, Group>;
}

interface Group {
  readonly keys: readonly (string | null)[];
  readonly labels: readonly (string | null)[];
  readonly values: Values;
}

type FigureRow = Readonly<Record<string, unknown>> & { readonly is_total: boolean };

async function rowsOf(work: Work, report: Report, span: Span, wanted: Selection, clock: Clock): Promise<Rows> {
  const input = await report.input?.(work, span);
  const { text, values } = figuresQuery(report, span, wanted, clock, input);
  const rows = await work.trx.query<FigureRow>(text, values);
  const names = Object.keys(report.measures);
  const valuesOf = (row: FigureRow): Values =>
    Object.fromEntries(names.map((name, index) => [name, (row[`m${index}`] ?? null) as number | null]));
  const groups = rows
    .filter(({ is_total }) => !is_total)
    .map((row): Group => {
      const column = (letter: string) =>
        wanted.groupBy.map((_, index) => (row[`${letter}${index}`] ?? null) as string | null);
      return { keys: column('k'), labels: column('l'), values: valuesOf(row) };
    });
  const total = rows.find(({ is_total }) => is_total);
  return {
    total: total ? valuesOf(total) : {},
    groups: new Map(groups.map((group) => [keyOf(group.keys), group])),
  };
}

function groupsIn(
  report: Report,
  { groupBy, filters, span }: Wanted,
  clock: Clock,
  now: Rows,
  then: Rows | undefined,
): Figures['groups'] {
  const nothing = emptyOf(report);
  const all = sorted(report, groupBy, now, then, partsIn(report, groupBy, span, clock), nothing);
  return all.map(({ keys, labels, values }) => ({
    keys: [...keys],
    labels: keys.map((key, index) => labelOf(report, groupBy[index] ?? '', key, labels[index] ?? null, clock)),
    values,
    previous: then ? (then.groups.get(keyOf(keys))?.values ?? nothing) : null,
    records: recordsPath(report, span, groupBy, keys, filters),
  }));
}

/** Figures of no facts: what is counted is 0. */
function emptyOf({ measures }: Report): Values {
  return Object.fromEntries(
    Object.entries(measures).map(([name, { kind }]) => [name, kind === 'count' || kind === 'money' ? 0 : null]),
  );
}

/** The parts of the period that have begun, also those without facts, if it is grouped by one kind of them only. */
function partsIn(
  report: Report,
  groupBy: readonly string[],
  span: Span,
  { firstWeekday, timezone }: Clock,
): readonly string[] {
  const [name = ''] = groupBy;
  if (groupBy.length !== 1 || report.of !== 'period' || !isPeriodGroup(name)) return [];
  return partsOf(span, name, firstWeekday, timezone);
}

/**
 * Parts of the period in their order, keys with declared labels in that of their declaration, and others by the first
 * figure, the largest first. Those that were there only before come last.
 */
function sorted(
  report: Report,
  groupBy: readonly string[],
  now: Rows,
  then: Rows | undefined,
  parts: readonly string[],
  nothing: Values,
): readonly Group[] {
  const empty = parts
    .filter((part) => !now.groups.has(keyOf([part])))
    .map((part): Group => ({ keys: [part], labels: [part], values: nothing }));
  const known = new Set([...now.groups.keys(), ...empty.map(({ keys }) => keyOf(keys))]);
  const gone = [...(then?.groups ?? [])].filter(([key]) => !known.has(key));
  const all = [...now.groups.values(), ...empty, ...gone.map(([, group]) => ({ ...group, values: nothing }))];
  const [first = ''] = Object.keys(report.measures);
  const ranks = groupBy.map((name) => rankOf(report, name));
  return all.sort((one, other) => {
    for (const [index, rank] of ranks.entries()) {
      const difference = rank?.(one.keys[index] ?? null, other.keys[index] ?? null) ?? 0;
      if (difference !== 0) return difference;
    }
    return (other.values[first] ?? 0) - (one.values[first] ?? 0) || (keyOf(one.keys) < keyOf(other.keys) ? -1 : 1);
  });
}

/** Compares keys of a group that have an order. */
function rankOf(report: Report, name: string): ((one: string | null, other: string | null) => number) | undefined {
  const { labels } = groupsOf(report)[name] ?? {};
  if (isPeriodGroup(name) || name === 'hour') return (one, other) => (one ?? '').localeCompare(other ?? '');
  if (!labels) return undefined;
  const known = Object.keys(labels);
  const rank = (key: string | null) => (key === null ? known.length : known.indexOf(key));
  return (one, other) => rank(one) - rank(other);
}

/** @returns null if the declaration has the label, in each language. */
function labelOf(
  report: Report,
  name: string,
  key: string | null,
  label: string | null,
  { firstWeekday }: Clock,
): string | null {
  if (key === null || groupsOf(report)[name]?.labels?.[key]) return null;
  return name === 'week' ? weekName(key, firstWeekday) : label;
}

/** The list behind a group: its part of the period, and its keys as filters. */
function recordsPath(
  report: Report,
  span: Span,
  groupBy: readonly string[],
  keys: readonly (string | null)[],
  filters: Selection['filters'],
): string {
  const period = groupBy.reduce<{ readonly from: string; readonly to: string }>(
    (part, name, index) => (isPeriodGroup(name) ? partIn(part, name, keys[index] ?? '') : part),
    span,
  );
  const own = groupBy.flatMap((name, index) => (isPeriodGroup(name) ? [] : [[name, keys[index] ?? NO_KEY] as const]));
  const query = new URLSearchParams({ from: period.from, to: period.to, ...filters, ...Object.fromEntries(own) });
  return `/api/report/${report.name}/records?${query}`;
}

function keyOf(keys: readonly (string | null)[]): string {
  return JSON.stringify(keys);
}

export const listed = z
  .object({
    records: z.array(
      z.object({
        id: z.string(),
        link: z
          .object({ to: z.enum(LINKS).describe('The kind of record'), id: z.uuid() })
          .nullable()
          .describe('The record that it is about'),
        values: z
          .record(z.string(), z.union([z.string(), z.number()]).nullable())
          .describe('By the name of the column'),
      }),
    ),
    sums: z.record(z.string(), z.number()).describe('Of all pages, of each column of amounts'),
  })
  .meta({ id: 'ReportRecords' });
export type Listed = z.output<typeof listed>;

export interface WantedRecords {
  readonly span: Span;
  readonly filters: Selection['filters'];
  readonly measure: Measure | undefined;
}

/** A row of a list, as PostgreSQL returns it: the columns `c0` and so on. */
export type RecordRow = Readonly<Record<string, unknown>>;

type LinkedRow = RecordRow & {
  readonly id: string;
  readonly link: (typeof LINKS)[number] | null;
  readonly link_id: string | null;
  readonly patient_id: string | null;
};

/** The statement of a list behind a figure, with its columns only. */
export async function recordsOf(work: Work, report: Report, wanted: WantedRecords): Promise<Query> {
  const input = await report.input?.(work, wanted.span);
  return recordsQuery(report, wanted.span, wanted, clockOf(work.hospital), input);
}

/** One page of a list, and the patients whom it shows. */
export async function readRecords(
  work: Work,
  report: Report,
  wanted: WantedRecords,
  { page, limit }: { readonly page: number; readonly limit: number },
): Promise<{ readonly data: Listed; readonly meta: PageMeta; readonly patientIds: readonly string[] }> {
  const input = await report.input?.(work, wanted.span);
  const clock = clockOf(work.hospital);
  const list = recordsQuery(report, wanted.span, wanted, clock, input, LINKED);
  const sums = sumsQuery(report, wanted.span, wanted, clock, input);
  const [rows, [all]] = await Promise.all([
    work.trx.query<LinkedRow>(`${list.text} LIMIT ${limit} OFFSET ${(page - 1) * limit}`, list.values),
    work.trx.query<Readonly<Record<string, number | null>>>(sums.text, sums.values),
  ]);
  const columns = Object.entries(report.columns);
  const data = {
    records: rows.map((row) => ({ id: row.id, link: linkOf(row), values: valuesIn(report, row) })),
    sums: Object.fromEntries(
      columns.flatMap(([name, { kind }], index) => (isSummed(kind) ? [[name, all?.[`c${index}`] ?? 0] as const] : [])),
    ),
  };
  const patientIds = [...new Set(rows.flatMap(({ patient_id }) => patient_id ?? []))];
  return { data, meta: { page, limit, total: all?.total ?? 0 }, patientIds };
}

/** A row by the names of its columns. Moments are in UTC. */
function valuesIn({ columns }: Report, row: RecordRow): Listed['records'][number]['values'] {
  return Object.fromEntries(
    Object.keys(columns).map((name, index) => {
      const cell = row[`c${index}`] ?? null;
      return [name, cell instanceof Date ? cell.toISOString() : (cell as string | number | null)];
    }),
  );
}

function linkOf({ link, link_id }: LinkedRow): Listed['records'][number]['link'] {
  return link === null || link_id === null ? null : { to: link, id: link_id };
}
