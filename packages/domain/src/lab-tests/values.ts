/** What a value may be, and how it is flagged. Pure. */

import { compareDecimals, decimalsOf, type Measured, readMeasured } from './decimals.ts';
import type { Range } from './ranges.ts';
import type { Option } from './record.ts';

/** HL7's flags: critically low, low, normal, high, critically high, abnormal. */
export const FLAGS = ['LL', 'L', 'N', 'H', 'HH', 'A'] as const;
type Flag = (typeof FLAGS)[number];

/**
 * Why a value has no flag: no range fits the patient, the value says only that it is below or above a number and could
 * be normal or not, or the test has texts.
 */
export const UNFLAGGED = ['no_range', 'uncertain', 'text'] as const;

export interface Judgement {
  readonly flag: Flag | null;
  readonly unflagged: (typeof UNFLAGGED)[number] | null;
  /** Whether the value is beyond a critical limit, or may be, because of its comparator. */
  readonly isCritical: boolean;
}

/** What of a test decides about values. */
export interface Kind {
  readonly valueType: 'numeric' | 'text' | 'coded';
  readonly decimals: number | null;
  readonly options: readonly Option[] | null;
}

/** A value as it is stored, or what is wrong with it. */
export function readValue(
  { valueType, decimals, options }: Kind,
  written: string,
): { readonly value: string } | { readonly problem: string } {
  if (valueType === 'text') return { value: written };
  if (valueType === 'coded') {
    const option = options?.find(({ code }) => code.toLowerCase() === written.toLowerCase());
    if (option) return { value: option.code };
    return { problem: `must be one of ${(options ?? []).map(({ code }) => code).join(', ')}` };
  }
  const measured = readMeasured(written);
  if ('problem' in measured) return measured;
  if (decimals !== null && decimalsOf(measured.number) > decimals) {
    return { problem: `must have at most ${decimals} decimals: nothing is rounded` };
  }
  return { value: `${measured.comparator ?? ''}${measured.number}` };
}

/** Flags a value that `readValue` has accepted. @param range the one that fits the patient. */
export function judge({ valueType, options }: Kind, value: string, range: Range | undefined): Judgement {
  if (valueType === 'text') return { flag: null, unflagged: 'text', isCritical: false };
  if (valueType === 'coded') {
    const meaning = options?.find(({ code }) => code === value)?.meaning ?? 'normal';
    return { flag: meaning === 'normal' ? 'N' : 'A', unflagged: null, isCritical: meaning === 'critical' };
  }
  const measured = readMeasured(value);
  if (!range || 'problem' in measured) return { flag: null, unflagged: 'no_range', isCritical: false };
  const [lowest, highest] = zonesOf(measured, range);
  const isCritical = lowest === 0 || highest === ZONES.length - 1;
  const zone = certainZone(lowest, highest);
  return zone === undefined
    ? { flag: null, unflagged: 'uncertain', isCritical }
    : { flag: zone, unflagged: null, isCritical };
}

/** From the lowest to the highest. */
const ZONES = ['LL', 'L', 'N', 'H', 'HH'] as const;
const NORMAL = ZONES.indexOf('N');

/** The lowest and the highest zone that a value may be in, which differ only with a comparator. */
function zonesOf({ comparator, number }: Measured, range: Range): readonly [lowest: number, highest: number] {
  const at = zoneAt(number, range, 0);
  switch (comparator) {
    case undefined:
      return [at, at];
    case '<':
      return [lowestZone(range), zoneAt(number, range, -1)];
    case '<=':
      return [lowestZone(range), at];
    case '>':
      return [zoneAt(number, range, 1), highestZone(range)];
    case '>=':
      return [at, highestZone(range)];
  }
}

/** If all zones are on one side of the range, the mildest one is certain. If one of them is the range itself, nothing is. */
function certainZone(lowest: number, highest: number): (typeof ZONES)[number] | undefined {
  if (lowest === highest || lowest > NORMAL) return ZONES[lowest];
  return highest < NORMAL ? ZONES[highest] : undefined;
}

function lowestZone({ low, criticalLow }: Range): number {
  return criticalLow !== null ? 0 : low !== null ? 1 : NORMAL;
}

function highestZone({ high, criticalHigh }: Range): number {
  return criticalHigh !== null ? 4 : high !== null ? 3 : NORMAL;
}

/**
 * Index of the zone of a number. The limits belong to the inner zone.
 * @param side -1 for numbers just below it, 1 for those just above it, 0 for itself.
 */
function zoneAt(number: string, { low, high, criticalLow, criticalHigh }: Range, side: -1 | 0 | 1): number {
  const isBelow = (limit: string | null) => limit !== null && (compareDecimals(number, limit) || side) < 0;
  const isAbove = (limit: string | null) => limit !== null && (compareDecimals(number, limit) || side) > 0;
  if (isBelow(criticalLow)) return 0;
  if (isBelow(low)) return 1;
  if (isAbove(criticalHigh)) return 4;
  return isAbove(high) ? 3 : NORMAL;
}
