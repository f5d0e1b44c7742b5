/** The vertical scale of a chart. Pure. */

const STEPS = [1, 2, 5, 10];
const MOST_TICKS = 5;
/** 0.07 − 0.02 is a little more than 0.05 for a computer. */
const ROUNDING = 1e-9;

interface Scale {
  readonly least: number;
  readonly most: number;
  /** From the least to the most. */
  readonly ticks: readonly number[];
}

/** Round numbers around some values. */
export function scaleOf(values: readonly number[]): Scale {
  const [smallest, largest] = [Math.min(...values), Math.max(...values)];
  const span = largest - smallest || Math.abs(largest) || 1;
  const power = 10 ** Math.floor(Math.log10(span / MOST_TICKS));
  const step = power * (STEPS.find((one) => span / (one * power) <= MOST_TICKS + ROUNDING) ?? 10);
  const [below, above] = [Math.floor(smallest / step + ROUNDING), Math.ceil(largest / step - ROUNDING)];
  const [from, to] = below === above ? [below - 1, above + 1] : [below, above];
  const ticks = Array.from({ length: to - from + 1 }, (_, index) => Number(((from + index) * step).toPrecision(12)));
  return { least: ticks[0] ?? 0, most: ticks.at(-1) ?? 1, ticks };
}
