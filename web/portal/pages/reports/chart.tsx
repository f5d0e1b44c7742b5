/** A chart of one figure. The table beside it says the same, so that it is hidden from screen readers. */

import { useTranslation } from 'react-i18next';
import {
  Bar,
  CartesianGrid,
  ComposedChart,
  type DotItemDotProps,
  Line,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import type { Drawn } from './chart-data.ts';
import { useValues } from './values.ts';

interface Props {
  readonly drawn: Drawn;
  readonly type: 'bars' | 'line';
}

const NOW = 'var(--mantine-color-brand-text)';
const THEN = 'var(--mantine-color-placeholder)';
const SURFACE = 'var(--mantine-color-body)';
const TEXT = { fontSize: 12, fill: 'var(--mantine-color-dimmed)' };
const HEIGHT = 220;
/** Of a name with its two bars. */
const ROW = 36;
const LONGEST_NAME = 18;
const MARGIN = { top: 8, right: 12, bottom: 0, left: 0 };

export default function Chart({ drawn, type }: Props) {
  const { t } = useTranslation();
  const values = useValues();
  const { points, kind, isOfTime } = drawn;
  const height = isOfTime ? HEIGHT : Math.max(120, points.length * ROW + 40);
  const amounts = { tickFormatter: (value: number) => values.short(kind, value), tick: TEXT, tickLine: false } as const;
  const named = { dataKey: 'axis', tick: TEXT, tickLine: false } as const;
  const isLine = type === 'line' && isOfTime;
  return (
    <div dir="ltr" className="hms-chart">
      <ResponsiveContainer width="100%" height={height}>
        <ComposedChart
          data={[...points]}
          layout={isOfTime ? 'horizontal' : 'vertical'}
          margin={MARGIN}
          barGap={1}
          accessibilityLayer={false}
        >
          <CartesianGrid stroke="var(--hms-soft)" vertical={!isOfTime} horizontal={isOfTime} />
          {isOfTime ? <XAxis {...named} minTickGap={12} /> : <XAxis type="number" {...amounts} axisLine={false} />}
          {isOfTime ? (
            <YAxis {...amounts} axisLine={false} width={52} />
          ) : (
            <YAxis type="category" {...named} width={124} interval={0} tickFormatter={cut} />
          )}
          <Tooltip
            labelFormatter={(_, [first]) => (first?.payload as Drawn['points'][number] | undefined)?.name}
            formatter={(value) => values.show(kind, value as number)}
            isAnimationActive={false}
            separator=": "
            contentStyle={{ fontSize: 13, background: SURFACE, borderColor: 'var(--mantine-color-default-border)' }}
            itemStyle={{ color: 'inherit' }}
            cursor={{ fill: 'var(--hms-soft)' }}
          />
          {isLine ? (
            <Line
              {...{ ...STILL, ...DASHED, type: 'linear', dataKey: 'before', name: t('reports.formerly') }}
              dot={alone(points, 'before', THEN)}
            />
          ) : null}
          {isLine ? (
            <Line
              {...{ ...STILL, type: 'linear', dataKey: 'now', name: t('reports.now'), stroke: NOW, strokeWidth: 2.5 }}
              dot={alone(points, 'now', NOW)}
            />
          ) : null}
          {isLine ? null : <Bar {...STILL} dataKey="now" name={t('reports.now')} fill={NOW} maxBarSize={28} />}
          {isLine ? null : (
            <Bar {...STILL} dataKey="before" name={t('reports.formerly')} maxBarSize={12} {...DASHED} fill={SURFACE} />
          )}
        </ComposedChart>
      </ResponsiveContainer>
    </div>
  );
}

const STILL = { isAnimationActive: false } as const;
const DASHED = { stroke: THEN, strokeWidth: 1.25, strokeDasharray: '4 3' } as const;

/** Draws the values that no line reaches, since there is none on either side. */
function alone(points: Drawn['points'], key: 'now' | 'before', color: string) {
  return ({ index, cx, cy }: DotItemDotProps) => {
    const isReached = [points[index - 1], points[index + 1]].some((point) => typeof point?.[key] === 'number');
    const isDrawn = !isReached && typeof points[index]?.[key] === 'number';
    return <circle key={index} cx={cx} cy={cy} r={isDrawn ? 3 : 0} fill={color} stroke="none" />;
  };
}

function cut(name: string): string {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name;
}
