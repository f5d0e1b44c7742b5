/** Reference ranges of a test, by sex and age. Pure. */
import { z } from 'zod';
import { compareDecimals, decimal } from './decimals.ts';

const SEXES = ['any', 'female', 'male'] as const;
/** Nobody is older, in days. */
const MOST_DAYS = 55_000;

const limits = {
  low: decimal.nullish().describe('Lower values are low (L)'),
  high: decimal.nullish().describe('Higher values are high (H)'),
  criticalLow: decimal.nullish().describe('Lower values are critically low (LL)'),
  criticalHigh: decimal.nullish().describe('Higher values are critically high (HH)'),
};

/** As a client sends it. */
export const newRange = z
  .object({
    sex: z.enum(SEXES).default('any').describe('`any` is one range for everybody, whatever the record says'),
    fromDays: z
      .int()
      .min(0)
      .max(MOST_DAYS)
      .default(0)
      .describe('Age in days from which it counts. 0 is the day of birth'),
    toDays: z
      .int()
      .min(1)
      .max(MOST_DAYS)
      .nullish()
      .describe('Age in days from which it no longer counts. Null: for ever'),
    ...limits,
  })
  .meta({ id: 'NewLabRange' });
export type NewRange = z.output<typeof newRange>;

/** As it is stored and shown. */
export const range = z
  .object({
    sex: z.enum(SEXES),
    fromDays: z.int(),
    toDays: z.int().nullable(),
    low: z.string().nullable(),
    high: z.string().nullable(),
    criticalLow: z.string().nullable(),
    criticalHigh: z.string().nullable(),
  })
  .meta({ id: 'LabRange' });
export type Range = z.output<typeof range>;

/** Whose result is judged. */
export interface Subject {
  /** Of a patient who is neither, only ranges for any sex count. */
  readonly sex: 'female' | 'male' | undefined;
  /** Of a patient whose day of birth is unknown, only ranges for any age count. */
  readonly ageDays: number | undefined;
}

export function completeRange({ sex, fromDays, toDays, low, high, criticalLow, criticalHigh }: NewRange): Range {
  return {
    ...{ sex, fromDays, toDays: toDays ?? null, low: low ?? null, high: high ?? null },
    ...{ criticalLow: criticalLow ?? null, criticalHigh: criticalHigh ?? null },
  };
}

/** What is wrong with a range in itself, and with which of its fields, or undefined. */
export function rangeProblem({
  fromDays,
  toDays,
  low,
  high,
  criticalLow,
  criticalHigh,
}: Range): { readonly field: keyof Range; readonly message: string } | undefined {
  if (toDays !== null && toDays <= fromDays) return { field: 'toDays', message: 'must be larger than fromDays' };
  const limits = { criticalLow, low, high, criticalHigh };
  const inOrder = (Object.keys(limits) as (keyof typeof limits)[]).flatMap((name) => {
    const limit = limits[name];
    return limit === null ? [] : [{ name, limit }];
  });
  if (inOrder.length === 0) {
    return { field: 'low', message: 'or one of high, criticalLow and criticalHigh must have a value' };
  }
  for (const [index, { name, limit }] of inOrder.entries()) {
    const next = inOrder[index + 1];
    if (!next) break;
    const difference = compareDecimals(limit, next.limit);
    // A critical limit may be the limit itself.
    const mayEqual = [name, next.name].join() === 'criticalLow,low' || [name, next.name].join() === 'high,criticalHigh';
    if (difference > 0 || (difference === 0 && !mayEqual)) {
      return { field: next.name, message: `must be above ${name}, which is ${limit}` };
    }
  }
  return undefined;
}

/** The first two ranges that somebody could be in at the same time, or undefined. */
export function overlapOf(ranges: readonly Range[]): readonly [Range, Range] | undefined {
  for (const [index, one] of ranges.entries()) {
    const other = ranges.slice(index + 1).find((later) => overlaps(one, later));
    if (other) return [one, other];
  }
  return undefined;
}

/** The range for somebody, or undefined. There is at most one, because none overlap. */
export function rangeFor(ranges: readonly Range[], { sex, ageDays }: Subject): Range | undefined {
  return ranges.find(
    (one) =>
      (one.sex === 'any' || one.sex === sex) &&
      (ageDays === undefined
        ? one.fromDays === 0 && one.toDays === null
        : one.fromDays <= ageDays && (one.toDays === null || ageDays < one.toDays)),
  );
}

/** For messages: `female, from 0 to 365 days`. */
export function rangeName({ sex, fromDays, toDays }: Range): string {
  return `${sex === 'any' ? 'any sex' : sex}, ${toDays === null ? `from ${fromDays} days` : `from ${fromDays} to ${toDays} days`}`;
}

const DAY_MS = 86_400_000;

/** Age in days. @param birth and @param on as `YYYY-MM-DD`. Never negative. */
export function ageInDays(birth: string, on: string): number {
  return Math.max(0, Math.round((Date.parse(`${on}T00:00:00Z`) - Date.parse(`${birth}T00:00:00Z`)) / DAY_MS));
}

function overlaps(one: Range, other: Range): boolean {
  const sameSex = one.sex === 'any' || other.sex === 'any' || one.sex === other.sex;
  const begins = (range: Range, before: Range) => before.toDays === null || range.fromDays < before.toDays;
  return sameSex && begins(one, other) && begins(other, one);
}
