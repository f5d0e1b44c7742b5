/** Days and moments as the hospital sees them, wherever the browser is. */
import { locale } from '../i18n/i18n.ts';

/** A calendar day, such as a day of birth. No time zone shifts it. @param iso the day at midnight UTC */
export function showDay(iso: string): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(iso));
}

/** @param zone the hospital's time zone */
export function showMoment(iso: string, zone: string | undefined): string {
  const options = { dateStyle: 'medium', timeStyle: 'short', ...(zone ? { timeZone: zone } : {}) } as const;
  return new Intl.DateTimeFormat(locale(), options).format(new Date(iso));
}

/** Whole years since a day of birth. */
export function ageOn(birth: string, today: string): number {
  const years = Number(today.slice(0, 4)) - Number(birth.slice(0, 4));
  return today.slice(5, 10) < birth.slice(5, 10) ? years - 1 : years;
}

/** Today in a time zone, as `YYYY-MM-DD`. */
export function todayIn(zone: string | undefined, now = new Date()): string {
  const options = { dateStyle: 'short', ...(zone ? { timeZone: zone } : {}) } as const;
  return new Intl.DateTimeFormat('en-CA', options).format(now);
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
  return new Intl.DateTimeFormat('sv-SE', options).format(new Date(iso)).replace(' ', 'T');
}

/** The first moment of a day in a time zone, in ISO 8601. @param day `YYYY-MM-DD` */
export function startOfDay(zone: string | undefined, day: string): string {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  // What the clock there shows tells how far it is ahead, shortly before the day too.
  const ahead = (at: number) => Date.parse(`${clockIn(zone, new Date(at).toISOString())}:00Z`) - at;
  return new Date(midnight - ahead(midnight - ahead(midnight))).toISOString();
}

/** The name of a calendar day. @param length `long` for ears, such as “Monday 30 November”. `short` for eyes. */
export function dayName(day: string, length: 'long' | 'short'): string {
  const options = { weekday: length, day: 'numeric', month: length, timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(locale(), options).format(new Date(day));
}

/** The name of a weekday. @param weekday 1 is Monday. */
export function weekdayName(weekday: number): string {
  // A Monday is the first day of 2024.
  return new Intl.DateTimeFormat(locale(), { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, 0, weekday));
}
