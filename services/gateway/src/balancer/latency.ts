/**
 * How long a member takes to answer: an exponentially weighted moving average of its response times, of which a third
 * remains after ten seconds. Without answers it falls, so that a member that was slow once is tried again.
 * As Kong's `latency` algorithm (runloop/balancer/latency.lua). Times are in seconds.
 */
export class Latency {
  #average: number;
  #at: number;

  /** @param others members whose average a new one starts with, so that it is not flooded with requests */
  constructor(others: readonly Latency[] = [], now = clock()) {
    this.#average = others.reduce((sum, other) => sum + other.#average / others.length, 0);
    this.#at = now;
  }

  observe(seconds: number, now = clock()): void {
    this.#average = this.#with(seconds, now);
    this.#at = now;
  }

  /** The expected time of the next answer. */
  expected(now = clock()): number {
    return this.#with(0, now);
  }

  #with(seconds: number, now: number): number {
    const share = Math.exp((this.#at - now) / DECAY_SECONDS);
    return this.#average * share + seconds * (1 - share);
  }
}

/** Seconds of a monotonic clock. */
export function clock(): number {
  return performance.now() / 1000;
}

const DECAY_SECONDS = 10;
