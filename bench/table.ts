/** One figure and its baseline. */
export interface Row {
  readonly measurement: string;
  readonly value: number;
  readonly baseline: string;
  readonly baselineValue: number;
  readonly unit: string;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle) - 1] ?? Number.NaN)) / 2;
}

/** A table in Markdown, with the ratio of each figure to its baseline. */
export function table(rows: readonly Row[]): string {
  const lines = rows.map(({ measurement, value, baseline, baselineValue, unit }) =>
    [measurement, figure(value, unit), baseline, figure(baselineValue, unit), ratio(value, baselineValue)].join(' | '),
  );
  return [
    '| measurement | median | baseline | median | ratio |',
    '| --- | --- | --- | --- | --- |',
    ...lines.map((line) => `| ${line} |`),
  ].join('\n');
}

/** A baseline of zero is a goal to meet. A negative baseline is measurement noise and has no ratio. */
function ratio(value: number, baseline: number): string {
  if (baseline === 0) return value === 0 ? 'met' : 'missed';
  return baseline < 0 ? '–' : (value / baseline).toFixed(2);
}

function figure(value: number, unit: string): string {
  return `${round(value)} ${unit}`;
}

function round(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(1);
}

/** Compares the medians of a series and its baseline. */
export function compare(
  measurement: string,
  values: readonly number[],
  baseline: string,
  baselineValues: readonly number[],
  unit: string,
): Row {
  return { measurement, value: median(values), baseline, baselineValue: median(baselineValues), unit };
}

/** @returns the duration of `work` in seconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}
