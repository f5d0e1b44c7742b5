/** A report as it is printed. Pure. */
import type { ReportSheet } from '@hms/documents';
import type { Work } from '@hms/service';
import type { MailLanguage } from '@hms/tenancy';
import { groupsOf, isPeriodGroup, type Report } from './declare.ts';
import type { Figures } from './figures.ts';
import { nameOf } from './files.ts';
import { type Shown, shownIn } from './show.ts';

const WORDS = {
  en: {
    ...{ period: 'Period', atEnd: 'At the end of', before: 'Compared with', beginning: 'the beginning of the period' },
    ...{ total: 'Total', was: 'before', outline: 'The outline is the period before', printed: 'Printed' },
  },
  ar: {
    ...{ period: 'الفترة', atEnd: 'في نهاية', before: 'مقارنة مع', beginning: 'بداية الفترة' },
    ...{ total: 'المجموع', was: 'سابقًا', outline: 'الإطار يمثل الفترة السابقة', printed: 'طُبع' },
  },
} as const;

/** Figures that are printed large. */
const LARGE = 3;
/** More would be too small to read. The table has all groups. */
const MOST_BARS = 20;

export function reportSheet(
  report: Report,
  figures: Figures,
  hospital: Work['hospital'],
  language: MailLanguage,
  now: Date,
): ReportSheet {
  const word = WORDS[language];
  const shown = shownIn(hospital, language);
  const measures = Object.entries(report.measures);
  const { groupBy, previous, total } = figures;
  const [first = ''] = Object.keys(report.measures);
  const titleOf = (name: string) => groupsOf(report)[name]?.title[language] ?? name;
  return {
    title: report.title[language],
    about: report.about[language],
    facts: [
      ...periodOf(report, figures, shown, word),
      ...figures.filters.map(({ group, key, label }): readonly [string, string] => [
        titleOf(group),
        labelOf(report, group, key, label, shown, language),
      ]),
    ],
    figures: measures.slice(0, LARGE).map(([name, { title, kind }]) => {
      const [value, before] = [total.values[name] ?? null, total.previous?.[name] ?? null];
      const change = shown.change(value, before);
      const was = before === null ? '' : `(${word.was}: ${shown.value(kind, before)})`;
      return {
        label: title[language],
        value: shown.value(kind, value),
        change: [change, was].filter(Boolean).join(' '),
      };
    }),
    chart: chartOf(report, figures, shown, language),
    columns: [
      groupBy.map(titleOf).join(', '),
      ...measures.map(([, { title }]) => title[language]),
      ...(previous ? [word.was] : []),
    ],
    rows: figures.groups.map(({ keys, labels, values, previous: before }) => [
      keys
        .map((key, index) => labelOf(report, groupBy[index] ?? '', key, labels[index] ?? null, shown, language))
        .join(', '),
      ...measures.map(([name, { kind }]) => shown.value(kind, values[name] ?? null)),
      ...(before ? [shown.value(report.measures[first]?.kind ?? 'count', before[first] ?? null)] : []),
    ]),
    total: [
      word.total,
      ...measures.map(([name, { kind }]) => shown.value(kind, total.values[name] ?? null)),
      ...(total.previous ? [shown.value(report.measures[first]?.kind ?? 'count', total.previous[first] ?? null)] : []),
    ],
    issued: `${word.printed} ${shown.moment(now)}`,
  };
}

function periodOf(
  { of }: Report,
  { from, to, previous }: Figures,
  shown: Shown,
  word: (typeof WORDS)[MailLanguage],
): ReportSheet['facts'] {
  if (of === 'moment')
    return [[word.atEnd, shown.days({ from, to })], ...(previous ? [[word.before, word.beginning] as const] : [])];
  return [[word.period, shown.days({ from, to })], ...(previous ? [[word.before, shown.days(previous)] as const] : [])];
}

/** The first figure of each group. Without a chart if there are two kinds of groups. */
function chartOf(report: Report, figures: Figures, shown: Shown, language: MailLanguage): ReportSheet['chart'] {
  const [name = '', ...others] = figures.groupBy;
  const [[measure = '', { title, kind }] = ['', { title: { en: '', ar: '' }, kind: 'count' as const }]] =
    Object.entries(report.measures);
  const isTime = isPeriodGroup(name) || name === 'hour';
  const groups = others.length > 0 ? [] : isTime ? figures.groups : figures.groups.slice(0, MOST_BARS);
  const largest = Math.max(
    ...groups.flatMap(({ values, previous }) => [values[measure] ?? 0, previous?.[measure] ?? 0]),
    0,
  );
  const part = (value: number | null | undefined) => (largest > 0 ? Math.max(0, value ?? 0) / largest : 0);
  const caption = [title[language], ...(figures.previous ? [WORDS[language].outline] : [])].join('. ');
  return {
    ...{ form: isTime ? 'columns' : 'bars', caption },
    rows: groups.map(({ keys: [key = null], labels: [label = null], values, previous }) => ({
      label: isTime ? (label ?? key ?? '').slice(-5) : labelOf(report, name, key, label, shown, language),
      value: shown.value(kind, values[measure] ?? null),
      part: part(values[measure]),
      before: previous ? part(previous[measure]) : null,
    })),
  };
}

function labelOf(
  report: Report,
  group: string,
  key: string | null,
  label: string | null,
  shown: Shown,
  language: MailLanguage,
): string {
  if (group === 'day' && key !== null) return shown.day(key);
  if (group === 'month' && key !== null) return key.slice(0, 7);
  return nameOf(report, group, key, label, language);
}
