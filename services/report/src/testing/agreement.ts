/** For tests: compares all figures of a hospital with a second way to compute them, and with the lists behind them. */
import type { TestHospital, TestModule } from '@hms/service/testing';
import { expect } from '@jest/globals';
import { filtersOf, type Report } from '../declare.ts';
import type { Figures, Listed } from '../figures.ts';
import { NAIVE, naiveSql, percentileOf, type Row } from './naive.ts';

export interface Subject {
  readonly module: TestModule;
  readonly hospital: TestHospital;
  readonly token: string;
  readonly from: string;
  readonly to: string;
}

async function readReport({ module, token, from, to }: Subject, name: string, more = ''): Promise<Figures> {
  const { error, ...answer } = await module.send('GET', `/api/report/${name}?from=${from}&to=${to}${more}`, { token });
  expect([name, error]).toEqual([name, undefined]);
  return answer.data();
}

/** Each figure of each day, or of each group, and of all together. @returns how many of them are not 0 */
export async function expectNaive(subject: Subject, report: Report): Promise<number> {
  const { hospital, from, to } = subject;
  const zone = hospital.hospital.timezone;
  const naive = NAIVE[report.name];
  if (!naive) throw new Error(`there is no second way to compute ${report.name}`);
  expect(Object.keys(naive.measures).sort()).toEqual(Object.keys(report.measures).sort());
  const all = await subject.module.platform.replica.inTenant(hospital.hospital, (trx) =>
    trx.query<Row>(naiveSql(report.name, { from, to, zone })),
  );
  const isPeriod = report.of === 'period';
  const rows = isPeriod ? all.filter(({ part }) => String(part) >= from && String(part) < to) : all;
  const figures = await readReport(subject, report.name, isPeriod ? '&groupBy=day' : '');
  const valuesOf = (some: readonly Row[]) =>
    Object.fromEntries(Object.entries(naive.measures).map(([name, compute]) => [name, compute(some)]));
  const of = Map.groupBy(rows, ({ part }) => String(part));
  const shown = figures.groups.map(({ keys: [key = null], values }) => [key, values]);
  const wanted = figures.groups.map(({ keys: [key = null] }) => [key, valuesOf(of.get(String(key)) ?? [])]);
  expect([report.name, shown]).toEqual([report.name, wanted]);
  expect([...of.keys()].filter((part) => figures.groups.every(({ keys }) => keys[0] !== part))).toEqual([]);
  expect([report.name, figures.total.values]).toEqual([report.name, valuesOf(rows)]);
  return figures.groups.flatMap(({ values }) => Object.values(values)).filter(Boolean).length;
}

/** Columns whose sum is a figure, where they have another name. */
const COLUMN: Readonly<Record<string, string>> = { overdue: 'balance', expired: 'value', soon: 'value' };
const PARTS: Readonly<Record<string, number>> = { median: 0.5, minutes: 0.5, p90: 0.9 };
/** Groups of each kind that are compared. Each is the same statement. */
const SOME = 4;

/** Lists behind figures, of each kind of group. @returns how many were compared */
export async function expectRecords(subject: Subject, report: Report): Promise<number> {
  let compared = 0;
  for (const groupBy of [...filtersOf(report), ...(report.of === 'period' ? ['week'] : [])]) {
    const { groups } = await readReport(subject, report.name, `&groupBy=${groupBy}&compare=false`);
    for (const { records, values } of groups.slice(0, SOME)) {
      for (const [name, { kind }] of Object.entries(report.measures)) {
        if (kind === 'share') continue;
        const shown = await figureOf(subject, report, `${records}&measure=${name}`, name);
        // A list has minutes with one decimal.
        if (kind === 'minutes') expect(Math.abs((shown ?? 0) - (values[name] ?? 0))).toBeLessThan(0.15);
        else expect([records, name, shown]).toEqual([records, name, values[name]]);
        compared += 1;
      }
    }
  }
  return compared;
}

/**
 * Of days that are divided by a month, and by weeks: the figures of the groups add up to those of all, now and before.
 * @returns how many of those before are not 0
 */
export async function expectSums(
  subject: Subject,
  report: Report,
  days: Pick<Subject, 'from' | 'to'>,
): Promise<number> {
  let found = 0;
  // Shares, percentiles and different values don't add up.
  const added = Object.entries(report.measures).flatMap(([name, { sql, each }]) =>
    /^(count|coalesce\(sum)/.test(sql) && each === undefined ? [name] : [],
  );
  const [other = ''] = filtersOf(report).filter((name) => name in report.groups);
  for (const groupBy of ['day', 'week', 'month', `month,${other}`]) {
    const { groups, total } = await readReport({ ...subject, ...days }, report.name, `&groupBy=${groupBy}`);
    for (const { records } of groups) {
      const query = new URL(records, subject.module.url).searchParams;
      const [from, to] = [query.get('from') ?? '', query.get('to') ?? ''];
      expect([records, days.from <= from && from < to && to <= days.to]).toEqual([records, true]);
    }
    for (const name of added) {
      const sum = (of: 'values' | 'previous') => groups.reduce((all, group) => all + (group[of]?.[name] ?? 0), 0);
      expect([groupBy, name, sum('values'), sum('previous')]).toEqual([
        ...[groupBy, name, total.values[name], total.previous?.[name]],
      ]);
      found += total.previous?.[name] ? 1 : 0;
    }
  }
  return found;
}

/** A figure, from its list. */
async function figureOf(subject: Subject, report: Report, path: string, name: string): Promise<number | null> {
  const { kind, sql } = report.measures[name] as Report['measures'][string];
  const { total, sums, rows } = await listOf(subject, path);
  if (kind === 'minutes') {
    const minutes = rows.flatMap(({ minutes }) => (typeof minutes === 'number' ? [minutes] : []));
    expect(minutes).toHaveLength(total);
    return percentileOf(minutes, PARTS[name] ?? 0);
  }
  return sql.startsWith('count') ? total : (sums[COLUMN[name] ?? name] ?? 0);
}

/** All pages of a list, whose sums are those of its rows. */
async function listOf({ module, token }: Subject, path: string) {
  const rows: Listed['records'][number]['values'][] = [];
  for (let page = 1; ; page += 1) {
    const answer = await module.send('GET', `${path}&limit=100&page=${page}`, { token });
    expect([path, answer.error]).toEqual([path, undefined]);
    const { records, sums } = answer.data<Listed>();
    rows.push(...records.map(({ values }) => values));
    const total = answer.meta?.total ?? 0;
    if (records.length === 100) continue;
    expect([path, rows.length]).toEqual([path, total]);
    for (const [name, sum] of Object.entries(sums))
      expect([name, rows.reduce((all, row) => all + Number(row[name] ?? 0), 0)]).toEqual([name, sum]);
    return { total, sums, rows };
  }
}
