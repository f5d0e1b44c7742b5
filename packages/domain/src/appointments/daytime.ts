/** The hours in which people are called, by the clock of the hospital. */

import { addDays } from '../schedules/rules.ts';
import { momentOf } from '../schedules/schedules.ts';
import { inZone } from '../schedules/times.ts';

const FROM = '08:00';
const TO = '20:00';
const MINUTE = 60_000;

/**
 * The moment at which some minutes of daytime have passed: the night does not count. Pure.
 * @param moment in ms since 1970
 * @param minutes with 0, the moment itself by day, and otherwise the next morning
 */
export function afterDaytime(moment: number, minutes: number, zone: string): number {
  const day = inZone(moment, zone).slice(0, 10);
  const begin = Math.max(moment, momentOf(day, FROM, zone));
  const end = momentOf(day, TO, zone);
  const needed = minutes * MINUTE;
  if (begin < end && begin + needed <= end) return begin + needed;
  const left = needed - Math.max(0, end - begin);
  return afterDaytime(momentOf(addDays(day, 1), FROM, zone), left / MINUTE, zone);
}
