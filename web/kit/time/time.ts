/** Days and moments as the hospital sees them, wherever the browser is. */
import { locale } from '../i18n/i18n.ts';

/**
 * Invisible marks of direction. Arabic has them between the parts of a day, for digits that are not ours: without them, a
 * day that is read has the order of one that is typed.
 */
export const MARKS = /[\u200E\u200F\u061C]/gu;

const formats = new Map<string, Intl.DateTimeFormat>();

/** A format takes far longer to make than to use, and lists use one in each row. */
function formatIn(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language} ${JSON.stringify(options)}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat(language, options);
  formats.set(key, format);
  return format;
}

const format = (at: Date, options: Intl.DateTimeFormatOptions) =>
  formatIn(locale(), options).format(at).replaceAll(MARKS, '');

/** A calendar day, such as a day of birth. No time zone shifts it. @param iso the day at midnight UTC */
export function showDay(iso: string): string {
  return format(new Date(iso), { dateStyle: 'medium', timeZone: 'UTC' });
}

/** With a clock of 24 hours, as lists show it. @param zone the hospital's time zone */
export function showMoment(iso: string, zone: string | undefined): string {
  const clock = { timeStyle: 'short', hourCycle: 'h23' } as const;
  return format(new Date(iso), { dateStyle: 'medium', ...clock, ...(zone ? { timeZone: zone } : {}) });
}

/** The age of a person: in days for the first month, in months up to two years, then in years. */
export function showAge(birth: string, today: string): string {
  const [bornOn, now] = [birth.slice(0, 10), today.slice(0, 10)];
  const number = (day: string, from: number, to: number) => Number(day.slice(from, to));
  const monthsApart = 12 * (number(now, 0, 4) - number(bornOn, 0, 4)) + number(now, 5, 7) - number(bornOn, 5, 7);
  const months = now.slice(8) < bornOn.slice(8) ? monthsApart - 1 : monthsApart;
  if (months < 1) return inUnit('day', Math.round((Date.parse(now) - Date.parse(bornOn)) / 86_400_000));
  return months < 24 ? inUnit('month', months) : inUnit('year', Math.floor(months / 12));
}

const ages = new Map<string, Intl.NumberFormat>();

function inUnit(unit: 'day' | 'month' | 'year', count: number): string {
  const key = `${locale()} ${unit}`;
  const age = ages.get(key) ?? new Intl.NumberFormat(locale(), { style: 'unit', unit, unitDisplay: 'long' });
  ages.set(key, age);
  return age.format(count);
}

/** Today in a time zone, as `YYYY-MM-DD`. */
export function todayIn(zone: string | undefined, now = new Date()): string {
  const options = { dateStyle: 'short', ...(zone ? { timeZone: zone } : {}) } as const;
  return formatIn('en-CA', options).format(now);
}

/** Whether clocks of the browser and of the hospital differ now. */
export function isElsewhere(zone: string | undefined, now = new Date()): boolean {
  if (!zone) return false;
  const clock = (timeZone?: string) =>
    new Intl.DateTimeFormat('en-GB', {
      dateStyle: 'short',
      timeStyle: 'short',
      ...(timeZone ? { timeZone } : {}),
    }).format(now);
  return clock(zone) !== clock();
}

/** What the clock in a time zone shows, as `YYYY-MM-DDTHH:MM`. */
export function clockIn(zone: string | undefined, iso: string): string {
  const options = { dateStyle: 'short', timeStyle: 'short', ...(zone ? { timeZone: zone } : {}) } as const;
  return formatIn('sv-SE', options).format(new Date(iso)).replace(' ', 'T');
}

const DAY = 86_400_000;

/** The first moment of a day in a time zone, in ISO 8601. @param day `YYYY-MM-DD` */
export function startOfDay(zone: string | undefined, day: string): string {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const shown = (at: number) => clockIn(zone, new Date(at).toISOString());
  // What the clock there shows tells how far it is ahead, before the day and after its begin.
  const begins = [-DAY, DAY]
    .map((away) => midnight + away)
    .map((at) => midnight - (Date.parse(`${shown(at)}:00Z`) - at))
    .sort((one, other) => one - other);
  // Where clocks are set forward at midnight, one of the two is on the day before. Some zones have left out a day.
  return new Date(begins.find((at) => shown(at).startsWith(day)) ?? begins[1] ?? midnight).toISOString();
}

/** The name of a calendar day. @param length `long` for ears, such as “Monday 30 November”. `short` for eyes. */
export function dayName(day: string, length: 'long' | 'short'): string {
  const options = { weekday: length, day: 'numeric', month: length, timeZone: 'UTC' } as const;
  return formatIn(locale(), options).format(new Date(day));
}

/** The name of a weekday. @param weekday 1 is Monday. */
export function weekdayName(weekday: number): string {
  // A Monday is the first day of 2024.
  return formatIn(locale(), { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, 0, weekday));
}
