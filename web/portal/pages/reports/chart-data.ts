/** What a chart draws: the first figure of each group, beside that of the period before. */
import { useNames } from './names.ts';
import type { Figures, Measure, Report } from './reports.queries.ts';

interface Point {
  readonly name: string;
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
  const points = figures.groups.map(({ keys, labels, values, previous }) => ({
    name: keys
      .map((key, index) => names.ofKey(report, figures.groupBy[index] ?? '', key, labels[index] ?? null))
      .join(', '),
    now: values[measure.name] ?? null,
    before: previous?.[measure.name] ?? null,
  }));
  const shown = isOfTime ? points : largest(points);
  return { points: shown, all: points.length, kind: measure.kind, isOfTime };
}

/** Those with the largest values, in the order of the report. */
function largest(points: readonly Point[]): readonly Point[] {
  const kept = new Set(points.toSorted((one, other) => (other.now ?? 0) - (one.now ?? 0)).slice(0, MOST_NAMES));
  return points.filter((point) => kept.has(point));
}
