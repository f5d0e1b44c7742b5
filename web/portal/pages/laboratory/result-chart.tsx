/** The numbers of one test over time. The table beside it says the same in words. Time runs from left to right everywhere. */
import { useTranslation } from 'react-i18next';
import { showDay } from '../../../kit/time/time.ts';
import type { PastResult } from './laboratory.queries.ts';
import { scaleOf } from './result-scale.ts';

const [WIDTH, HEIGHT] = [640, 220];
const [LEFT, RIGHT, TOP, BOTTOM] = [56, 16, 16, 28];
const [NORMAL, ABNORMAL, CRITICAL] = ['brand', 'warning', 'bad'].map((name) => `var(--mantine-color-${name}-text)`);

/** @param results the latest first. */
export function ResultChart({ results }: { readonly results: readonly PastResult[] }) {
  const { t } = useTranslation();
  const points = results.flatMap(({ number, ...rest }) => (number === null ? [] : [{ ...rest, number }])).toReversed();
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || points.length < 2) return null;
  const [low, high] = [limitOf(last.range?.low), limitOf(last.range?.high)];
  const values = [...points.map(({ number }) => number), ...(low ?? []), ...(high ?? [])];
  const scale = scaleOf(values);
  const [from, to] = [Date.parse(first.collectedAt), Date.parse(last.collectedAt)];
  const x = (at: string) => LEFT + (to === from ? 0.5 : (Date.parse(at) - from) / (to - from)) * (WIDTH - LEFT - RIGHT);
  const y = (value: number) => TOP + (1 - (value - scale.least) / (scale.most - scale.least)) * (HEIGHT - TOP - BOTTOM);
  const [upper, lower] = [high?.[0] ?? scale.most, low?.[0] ?? scale.least];
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      direction="ltr"
      aria-label={t('laboratory.chart', {
        count: points.length,
        from: showDay(first.collectedAt),
        to: showDay(last.collectedAt),
      })}
      style={{ width: '100%', maxWidth: '44rem', height: 'auto' }}
      fontSize={12}
      fill="var(--mantine-color-dimmed)"
    >
      {(low || high) && (
        <rect
          x={LEFT}
          y={y(upper)}
          width={WIDTH - LEFT - RIGHT}
          height={Math.max(0, y(lower) - y(upper))}
          fill="var(--mantine-color-good-text)"
          opacity={0.1}
        />
      )}
      {scale.ticks.map((tick) => (
        <g key={tick}>
          <line x1={LEFT} x2={WIDTH - RIGHT} y1={y(tick)} y2={y(tick)} stroke="var(--mantine-color-default-border)" />
          <text x={LEFT - 8} y={y(tick) + 4} textAnchor="end">
            {tick}
          </text>
        </g>
      ))}
      <polyline
        points={points.map(({ collectedAt, number }) => `${x(collectedAt)},${y(number)}`).join(' ')}
        fill="none"
        stroke={NORMAL}
        strokeWidth={2}
      />
      {points.map(({ id, collectedAt, number, flag, isCritical }) => (
        <circle
          key={id}
          cx={x(collectedAt)}
          cy={y(number)}
          r={isCritical ? 6 : 4.5}
          fill={isCritical ? CRITICAL : flag === 'N' || flag === null ? NORMAL : ABNORMAL}
        />
      ))}
      <text x={LEFT} y={HEIGHT - 8}>
        {showDay(first.collectedAt)}
      </text>
      <text x={WIDTH - RIGHT} y={HEIGHT - 8} textAnchor="end">
        {showDay(last.collectedAt)}
      </text>
    </svg>
  );
}

function limitOf(limit: string | null | undefined): readonly [number] | undefined {
  return limit === null || limit === undefined ? undefined : [Number(limit)];
}
