/** Reference ranges of a test, by sex and age. Pure. */
import { z } from 'zod';
import { compareDecimals, decimal } from './decimals.ts';

const SEXES = ['any', 'female', 'male'] as const;
const AGE_UNITS = ['days', 'hours'] as const;
type AgeUnit = (typeof AGE_UNITS)[number];
/** Nobody is older, in days. */
const MOST_DAYS = 55_000;
/** Ages are told in hours for the first 28 days of life. */
export const MOST_HOURS = 672;

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
    ageUnit: z
      .enum(AGE_UNITS)
      .default('days')
      .describe(`Of both ages. \`hours\` is for newborns, up to ${MOST_HOURS} hours, which are 28 days`),
    fromAge: z
      .int()
      .min(0)
      .max(MOST_DAYS)
      .default(0)
      .describe('Age from which it counts. 0 is the day of birth, or the hour of birth'),
    toAge: z
      .int()
      .min(1)
      .max(MOST_DAYS)
      .nullish()
      .describe('Age from which it no longer counts. Null: for ever, which a range in hours can not be'),
    ...limits,
  })
  .meta({ id: 'NewLabRange' });
export type NewRange = z.output<typeof newRange>;

/** As it is stored and shown. */
export const range = z
  .object({
    sex: z.enum(SEXES),
    ageUnit: z.enum(AGE_UNITS),
    fromAge: z.int(),
    toAge: z.int().nullable(),
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
  /**
   * The ages that the patient may have, by the unit of a range. A range counts if it contains all of them. Of a patient
   * whose day of birth is unknown, only ranges for any age count.
   */
  readonly ages: Readonly<Record<AgeUnit, Hours>> | undefined;
}

/** Ages in hours: from the first, up to and excluding the second. */
export interface Hours {
  readonly from: number;
  readonly to: number;
}

export function completeRange({ toAge, low, high, criticalLow, criticalHigh, ...given }: NewRange): Range {
  return {
    ...{ ...given, toAge: toAge ?? null, low: low ?? null, high: high ?? null },
    ...{ criticalLow: criticalLow ?? null, criticalHigh: criticalHigh ?? null },
  };
}

/** What is wrong with a range in itself, and with which of its fields, or undefined. */
export function rangeProblem({
  ageUnit,
  fromAge,
  toAge,
  low,
  high,
  criticalLow,
  criticalHigh,
}: Range): { readonly field: keyof Range; readonly message: string } | undefined {
  if (toAge !== null && toAge <= fromAge) return { field: 'toAge', message: 'must be larger than fromAge' };
  if (ageUnit === 'hours' && (toAge === null || toAge > MOST_HOURS)) {
    const message = `must be at most ${MOST_HOURS} in a range in hours, which is 28 days: use days for what is older`;
    return { field: 'toAge', message };
  }
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
export function rangeFor(ranges: readonly Range[], { sex, ages }: Subject): Range | undefined {
  return ranges.find((one) => {
    if (one.sex !== 'any' && one.sex !== sex) return false;
    const { from, to } = hoursOf(one);
    const age = ages?.[one.ageUnit] ?? ANY_AGE;
    return from <= age.from && age.to <= to;
  });
}

/** For messages: `female, from 0 to 365 days`. */
export function rangeName({ sex, ageUnit, fromAge, toAge }: Range): string {
  const ages = toAge === null ? `from ${fromAge}` : `from ${fromAge} to ${toAge}`;
  return `${sex === 'any' ? 'any sex' : sex}, ${ages} ${ageUnit}`;
}

const ANY_AGE: Hours = { from: 0, to: Number.POSITIVE_INFINITY };

function hoursOf({ ageUnit, fromAge, toAge }: Range): Hours {
  const hours = ageUnit === 'hours' ? 1 : 24;
  return { from: fromAge * hours, to: toAge === null ? ANY_AGE.to : toAge * hours };
}

function overlaps(one: Range, other: Range): boolean {
  const sameSex = one.sex === 'any' || other.sex === 'any' || one.sex === other.sex;
  const [first, second] = [hoursOf(one), hoursOf(other)];
  return sameSex && first.from < second.to && second.from < first.to;
}
