/** The days of reports. Pure. `from` is the first day, and `to` the day after the last one. */
import { isDay } from '../../../kit/time/typed-day.ts';
import { laterOf, mondayOf, plusDays } from '../schedules/week.ts';

export interface Period {
  readonly from: string;
  readonly to: string;
}

/** The periods that have a name. */
export const PRESETS = ['today', 'yesterday', 'thisWeek', 'thisMonth', 'lastMonth', 'last30', 'last90'] as const;
export type Preset = (typeof PRESETS)[number];

/** @param firstWeekday with which weeks begin where the hospital is. 1 is Monday. */
export function presetPeriod(preset: Preset, today: string, firstWeekday: number): Period {
  const tomorrow = plusDays(today, 1);
  const month = `${today.slice(0, 7)}-01`;
  const week = plusDays(mondayOf(plusDays(today, 1 - firstWeekday)), firstWeekday - 1);
  const periods: Readonly<Record<Preset, Period>> = {
    today: { from: today, to: tomorrow },
    yesterday: { from: plusDays(today, -1), to: today },
    thisWeek: { from: week, to: plusDays(week, 7) },
    thisMonth: { from: month, to: plusMonths(month, 1) },
    lastMonth: { from: plusMonths(month, -1), to: month },
    last30: { from: plusDays(tomorrow, -30), to: tomorrow },
    last90: { from: plusDays(tomorrow, -90), to: tomorrow },
  };
  return periods[preset];
}

/** The days of an address. Without them, or if they are none: the last 30 days. */
export function periodIn({ from, to }: Readonly<Record<string, unknown>>, today: string): Period {
  const isWhole = typeof from === 'string' && typeof to === 'string' && isDay(from) && isDay(to) && from < to;
  return isWhole ? { from, to } : presetPeriod('last30', today, 1);
}

/** The period after, or before: whole months after whole months, and as many days after other days. */
export function shifted({ from, to }: Period, direction: 1 | -1): Period {
  const isOfMonths = from.endsWith('-01') && to.endsWith('-01');
  if (isOfMonths) {
    const months = monthOf(to) - monthOf(from);
    return { from: plusMonths(from, direction * months), to: plusMonths(to, direction * months) };
  }
  const days = direction * Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
  return { from: plusDays(from, days), to: plusDays(to, days) };
}

/** The day that people call the last one. */
export function lastDay({ to }: Period): string {
  return plusDays(to, -1);
}

/** Ends on its own first day at the earliest. */
export function withFirst({ to }: Period, from: string): Period {
  return { from, to: laterOf(to, plusDays(from, 1)) };
}

/** Begins on its own last day at the latest. */
export function withLast({ from }: Period, last: string): Period {
  const to = plusDays(last, 1);
  return from < to ? { from, to } : { from: last, to };
}

/** @param code of a language and its region. Browsers that do not know begin on Mondays. */
export function firstWeekdayOf(code: string): number {
  const region = new Intl.Locale(code) as Intl.Locale & { getWeekInfo?(): { readonly firstDay: number } };
  return region.getWeekInfo?.().firstDay ?? 1;
}

function monthOf(day: string): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
}

/** @param first the first day of a month. */
function plusMonths(first: string, months: number): string {
  const month = monthOf(first) + months;
  return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-01`;
}
