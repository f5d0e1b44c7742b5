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
