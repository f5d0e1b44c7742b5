/** What a chart draws: the first figure of each group, beside that of the period before. */
import { locale } from '../../../kit/i18n/i18n.ts';
import { MARKS } from '../../../kit/time/time.ts';
import { useNames } from './names.ts';
import type { Figures, Measure, Report } from './reports.queries.ts';

interface Point {
  readonly name: string;
  /** On the axis, where there is little room. */
  readonly axis: string;
  readonly now: number | null;
  readonly before: number | null;
}

export interface Drawn {
  readonly points: readonly Point[];
  readonly all: number;
  readonly kind: Measure['kind'];
  /** Whether the points are in the order of time. Others are lines below each other, since their names are longer. */
  readonly isOfTime: boolean;
}

const OF_TIME = ['day', 'week', 'month', 'weekday', 'hour'];
/** More would be too thin to read. */
const MOST_NAMES = 10;

export function useDrawn(report: Report, measure: Measure, figures: Figures): Drawn {
  const names = useNames();
  const isOfTime = figures.groupBy.length === 1 && OF_TIME.includes(figures.groupBy[0] ?? '');
  const points = figures.groups.map(({ keys, labels, values, previous }) => {
    const name = keys
      .map((key, index) => names.ofKey(report, figures.groupBy[index] ?? '', key, labels[index] ?? null))
      .join(', ');
    return {
      name,
      axis: isOfTime ? shortName(figures.groupBy[0], keys[0], name) : name,
      now: values[measure.name] ?? null,
      before: previous?.[measure.name] ?? null,
    };
  });
  const shown = isOfTime ? points : largest(points);
  return { points: shown, all: points.length, kind: measure.kind, isOfTime };
}

function shortName(group: string | undefined, key: string | null | undefined, name: string): string {
  if (!key) return name;
  // A Monday is the first day of 2024.
  if (group === 'weekday') return format(new Date(Date.UTC(2024, 0, Number(key))), { weekday: 'short' });
  if (group === 'month') return format(new Date(key), { month: 'short', year: '2-digit' });
  return group === 'hour' ? name : format(new Date(key), { day: 'numeric', month: 'short' });
}

function format(day: Date, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(locale(), { ...options, timeZone: 'UTC' }).format(day).replaceAll(MARKS, '');
}

/** Those with the largest values, in the order of the report. */
function largest(points: readonly Point[]): readonly Point[] {
  const kept = new Set(points.toSorted((one, other) => (other.now ?? 0) - (one.now ?? 0)).slice(0, MOST_NAMES));
  return points.filter((point) => kept.has(point));
}
