/** Ages in days, as people write them. */

export const AGE_UNITS = ['days', 'months', 'years'] as const;
export type AgeUnit = (typeof AGE_UNITS)[number];

/** Of a calendar with leap years. */
const DAYS: Readonly<Record<AgeUnit, number>> = { days: 1, months: 365.25 / 12, years: 365.25 };

export function daysOf(count: number, unit: AgeUnit): number {
  return Math.round(count * DAYS[unit]);
}

/** In the largest unit that says exactly the same: 6575 days are 18 years. */
export function ageOf(days: number): { readonly count: number; readonly unit: AgeUnit } {
  if (days > 0)
    for (const unit of ['years', 'months'] as const) {
      const count = Math.round(days / DAYS[unit]);
      if (count > 0 && daysOf(count, unit) === days) return { count, unit };
    }
  return { count: days, unit: days === 0 ? 'years' : 'days' };
}
