/** Offsets of time zones, kept for whole days: to ask for each moment takes a hundred times as long. */
import { Temporal } from 'temporal-polyfill';

const MINUTE = 60_000;
export const DAY = 86_400_000;
/** Days of all zones, so that nobody's dates fill the memory. */
const MOST_KEPT = 20_000;

const kept = new Map<string, number | undefined>();

/**
 * The offset that a zone has all day, in milliseconds. No zone has changed it twice within 24 hours.
 * @param day of UTC, in days since 1970
 * @returns undefined if it changes on that day, or is no whole number of minutes, as before there were time zones.
 */
export function offsetOn(day: number, zone: string): number | undefined {
  const key = `${day} ${zone}`;
  if (!kept.has(key)) {
    if (kept.size >= MOST_KEPT) kept.clear();
    const [begin, end] = [offsetAt(day * DAY, zone), offsetAt((day + 1) * DAY, zone)];
    kept.set(key, begin === end && begin % MINUTE === 0 ? begin : undefined);
  }
  return kept.get(key);
}

function offsetAt(moment: number, zone: string): number {
  return Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(zone).offsetNanoseconds / 1e6;
}
