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
  if (!measured) return { problem: 'must be a number, like 5.1, or one with a comparator, like <0.01 or >1000' };
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
  if (!range || !measured) return { flag: null, unflagged: 'no_range', isCritical: false };
  const zone = zoneOf(measured, range);
  if (zone === undefined) return { flag: null, unflagged: 'uncertain', isCritical: false };
  return { flag: zone, unflagged: null, isCritical: zone === 'LL' || zone === 'HH' };
}

/** From the lowest to the highest. */
const ZONES = ['LL', 'L', 'N', 'H', 'HH'] as const;
const NORMAL = ZONES.indexOf('N');

/**
 * A value with a comparator may be in several zones. If all of them are on one side of the range, the mildest one is
 * certain. If one of them is the range itself, nothing is.
 */
function zoneOf({ comparator, number }: Measured, range: Range): (typeof ZONES)[number] | undefined {
  const [lowest, highest] = [range.criticalLow !== null ? 0 : range.low !== null ? 1 : NORMAL, highestZone(range)];
  const at = zoneAt(number, range, 0);
  const [from, to] =
    comparator === undefined
      ? [at, at]
      : comparator === '<'
        ? [lowest, zoneAt(number, range, -1)]
        : comparator === '<='
          ? [lowest, at]
          : comparator === '>'
            ? [zoneAt(number, range, 1), highest]
            : [at, highest];
  if (from === to || from > NORMAL) return ZONES[from];
  return to < NORMAL ? ZONES[to] : undefined;
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
