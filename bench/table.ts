/** One figure beside what it is measured against. */
export interface Row {
  readonly what: string;
  readonly ours: number;
  readonly peer: string;
  readonly theirs: number;
  readonly unit: string;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle) - 1] ?? Number.NaN)) / 2;
}

/** A table in Markdown, with the ratio of each figure to its peer. */
export function table(rows: readonly Row[]): string {
  const lines = rows.map(({ what, ours, peer, theirs, unit }) =>
    [what, `${round(ours)} ${unit}`, peer, `${round(theirs)} ${unit}`, ratio(ours, theirs)].join(' | '),
  );
  return [
    '| what | median | measured against | median | ratio |',
    '| --- | --- | --- | --- | --- |',
    ...lines.map((line) => `| ${line} |`),
  ].join('\n');
}

/** Nothing is as it shall be where nothing is the goal; what is lost in the noise has no ratio. */
function ratio(ours: number, theirs: number): string {
  if (theirs === 0) return ours === 0 ? 'met' : 'missed';
  return theirs < 0 ? '–' : (ours / theirs).toFixed(2);
}

function round(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(1);
}

/** Compares the medians of two series. */
export function against(
  what: string,
  ours: readonly number[],
  peer: string,
  theirs: readonly number[],
  unit: string,
): Row {
  return { what, ours: median(ours), peer, theirs: median(theirs), unit };
}

/** @returns how long `work` took, in seconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}
