/** Ages, as people write them, and as a range has them: in hours or in days. */

export const AGE_UNITS = ['hours', 'days', 'months', 'years'] as const;
export type AgeUnit = (typeof AGE_UNITS)[number];
type RangeUnit = 'hours' | 'days';

export interface Age {
  readonly count: number;
  readonly unit: AgeUnit;
}

/** Days of a calendar with leap years. */
const DAYS: Readonly<Record<AgeUnit, number>> = { hours: 1 / 24, days: 1, months: 365.25 / 12, years: 365.25 };

/** @param unit of the result. Hours are not written in days: a range has hours as soon as one of its ages has. */
export function inUnit({ count, unit: written }: Age, unit: RangeUnit): number {
  if (written === 'hours') return count;
  // The youngest that somebody of that age is: whoever turns 18 is in the range that begins there.
  const days = Math.floor(count * DAYS[written]);
  return unit === 'hours' ? days * 24 : days;
}

/** In the largest unit that says exactly the same: 6574 days are 18 years. Hours stay hours. */
export function ageOf(count: number, unit: RangeUnit): Age {
  if (unit === 'hours') return { count, unit };
  if (count > 0)
    for (const larger of ['years', 'months'] as const) {
      const age = { count: Math.round(count / DAYS[larger]), unit: larger };
      if (age.count > 0 && inUnit(age, 'days') === count) return age;
    }
  return { count, unit: count === 0 ? 'years' : 'days' };
}

/** Where the next range begins. Whole days are written as such, because a range in hours has to end. */
export function nextAge({ count, unit }: Age): Age {
  return unit === 'hours' && count % 24 === 0 ? { count: count / 24, unit: 'days' } : { count, unit };
}
