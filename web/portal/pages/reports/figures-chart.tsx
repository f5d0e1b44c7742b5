/** The chart of a report, and what its two colors mean. Its code is loaded when the numbers are there. */
import { Skeleton, Text } from '@mantine/core';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { later } from '../../../kit/ui/later.ts';
import { useDrawn } from './chart-data.ts';
import type { Figures, Measure, Report } from './reports.queries.ts';

const Chart = later(() => import('./chart.tsx'), 'default');

interface Props {
  readonly report: Report;
  readonly measure: Measure;
  readonly figures: Figures;
  readonly type: 'bars' | 'line';
}

export function FiguresChart({ report, measure, figures, type }: Props) {
  const { t } = useTranslation();
  const drawn = useDrawn(report, measure, figures);
  const { points, all } = drawn;
  if (points.every(({ now, before }) => !now && !before)) {
    const isEmpty = Object.values(figures.total.values).every((value) => !value);
    return isEmpty ? <Text c="dimmed">{t('reports.nothing')}</Text> : null;
  }
  return (
    <div aria-hidden>
      <Suspense fallback={<Skeleton height={220} animate={false} />}>
        <Chart drawn={drawn} type={type} />
      </Suspense>
      <p className="hms-legend">
        <span className="hms-legend-now">{t('reports.now')}</span>
        {figures.previous && <span className="hms-legend-then">{t('reports.formerly')}</span>}
        {points.length < all && <span>{t('reports.largest', { count: points.length, all })}</span>}
      </p>
    </div>
  );
}
