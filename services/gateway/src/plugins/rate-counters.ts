import { hash } from 'node:crypto';

export type Period = 'second' | 'minute' | 'hour' | 'day' | 'month' | 'year';

/** Shortest first. */
export const PERIODS: readonly Period[] = ['second', 'minute', 'hour', 'day', 'month', 'year'];

/** How long a window of a period is counted as, in seconds; as Kong, months have 30 days here. */
export const SECONDS: Readonly<Record<Period, number>> = {
  second: 1,
  minute: 60,
  hour: 3600,
  day: 86_400,
  month: 2_592_000,
  year: 31_536_000,
};

interface Counter {
  readonly windowStart: number;
  readonly period: Period;
  count: number;
}

/**
 * Requests counted in fixed windows of the UTC calendar. Reading and counting happen in one turn of the event loop, so
 * parallel requests are counted exactly. The counts are lost at a restart.
 */
export class RateCounters {
  readonly #counters = new Map<string, Counter>();
  #sweptAt = 0;

  /** How many requests the window that holds `now` (ms) has counted. */
  used(key: string, period: Period, now: number): number {
    return this.#current(key, period, now)?.count ?? 0;
  }

  count(key: string, period: Period, now: number): void {
    const current = this.#current(key, period, now);
    if (current) {
      current.count += 1;
      return;
    }
    this.#sweep(now);
    this.#counters.set(`${period}:${key}`, { windowStart: windowStart(period, now), period, count: 1 });
  }

  #current(key: string, period: Period, now: number): Counter | undefined {
    const counter = this.#counters.get(`${period}:${key}`);
    return counter?.windowStart === windowStart(period, now) ? counter : undefined;
  }

  /** Windows that are over are dropped, at most once a minute. */
  #sweep(now: number): void {
    if (now - this.#sweptAt < 60_000) return;
    this.#sweptAt = now;
    for (const [key, { windowStart: start, period }] of this.#counters) {
      if (start !== windowStart(period, now)) this.#counters.delete(key);
    }
  }
}

/** A short stand-in for what is counted: tokens are long, and have no business in memory. */
export function counterKey(identifier: string): string {
  return identifier.length <= 64 ? identifier : hash('sha256', identifier, 'base64url');
}

/** The start of the calendar window that holds `now`, in ms. */
export function windowStart(period: Period, now: number): number {
  if (period === 'month' || period === 'year') {
    const date = new Date(now);
    return Date.UTC(date.getUTCFullYear(), period === 'month' ? date.getUTCMonth() : 0);
  }
  const length = SECONDS[period] * 1000;
  return now - (now % length);
}
