import { hash } from 'node:crypto';

export type Period = 'second' | 'minute' | 'hour' | 'day' | 'month' | 'year';

/** Shortest first. */
export const PERIODS: readonly Period[] = ['second', 'minute', 'hour', 'day', 'month', 'year'];

/** The length of each period's window in seconds. As in Kong, a month has 30 days here. */
export const SECONDS: Readonly<Record<Period, number>> = {
  second: 1,
  minute: 60,
  hour: 3600,
  day: 86_400,
  month: 2_592_000,
  year: 31_536_000,
};

/** The requests of one window. */
export interface Counter {
  readonly windowStart: number;
  count: number;
}

/**
 * Requests counted in fixed windows of the UTC calendar. Reading and counting happen in the same turn of the event
 * loop, so parallel requests are counted exactly. The counts are lost at a restart.
 */
export class RateCounters {
  readonly #counters: Readonly<Record<Period, Map<string, Counter>>> = {
    second: new Map(),
    minute: new Map(),
    hour: new Map(),
    day: new Map(),
    month: new Map(),
    year: new Map(),
  };
  #sweptAt = 0;
  readonly #capacity: number;

  /** @param capacity the maximum number of windows of one period */
  constructor(capacity = 200_000) {
    this.#capacity = capacity;
  }

  /** How many windows are kept. */
  get size(): number {
    return PERIODS.reduce((sum, period) => sum + this.#counters[period].size, 0);
  }

  /** The window that holds `now` (ms). */
  window(key: string, period: Period, now: number): Counter {
    const start = windowStart(period, now);
    const present = this.#counters[period].get(key);
    if (present?.windowStart === start) return present;
    this.#sweep(now);
    const counter = { windowStart: start, count: 0 };
    const counters = this.#counters[period];
    counters.set(key, counter);
    // A client that sends another header with each request must not fill the memory. Kong's memory is bounded too.
    const [oldest] = counters.keys();
    if (counters.size > this.#capacity && oldest !== undefined) counters.delete(oldest);
    return counter;
  }

  /** Drops expired windows, at most once a minute. */
  #sweep(now: number): void {
    if (now - this.#sweptAt < 60_000) return;
    this.#sweptAt = now;
    for (const period of PERIODS) {
      const start = windowStart(period, now);
      for (const [key, counter] of this.#counters[period]) {
        if (counter.windowStart !== start) this.#counters[period].delete(key);
      }
    }
  }
}

/** A short digest of the identifier: tokens are long and must not stay in memory. */
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
