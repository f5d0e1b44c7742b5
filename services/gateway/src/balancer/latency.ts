/**
 * How long a member takes to answer: an exponentially weighted moving average of its answers' times, of which a third is
 * left after ten seconds. Without answers it falls, so that a member which was slow once is tried again.
 * As Kong's `latency` algorithm (runloop/balancer/latency.lua). Times are in seconds.
 */
export class Latency {
  #average: number;
  #at: number;

  /** @param others what a new member starts from, so that it is not flooded because nothing is known of it */
  constructor(others: readonly Latency[] = [], now = clock()) {
    this.#average = others.reduce((sum, other) => sum + other.#average / others.length, 0);
    this.#at = now;
  }

  observe(seconds: number, now = clock()): void {
    this.#average = this.#with(seconds, now);
    this.#at = now;
  }

  /** What is to be expected of the next answer. */
  expected(now = clock()): number {
    return this.#with(0, now);
  }

  #with(seconds: number, now: number): number {
    const kept = Math.exp((this.#at - now) / DECAY_SECONDS);
    return this.#average * kept + seconds * (1 - kept);
  }
}

/** Seconds of a clock that only goes forward. */
export function clock(): number {
  return performance.now() / 1000;
}

const DECAY_SECONDS = 10;
