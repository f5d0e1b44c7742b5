/** A service that was waited for long enough. */
export class TimedOut extends Error {
  readonly code = 'ETIMEDOUT';
}

/**
 * Waits for the next sign of life, to the millisecond: undici's own timers are for many connections and round up to
 * seconds. A sign of life only notes the time. To restart the timer each time costs a twentieth of the throughput.
 */
export class Patience {
  readonly #ms: number;
  readonly #onEnd: () => void;
  /** On the clock of `performance.now`. */
  #endsAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(ms: number, onEnd: () => void) {
    this.#ms = ms;
    this.#onEnd = onEnd;
  }

  /** Begins to wait, or begins anew. */
  start(): void {
    this.#endsAt = performance.now() + this.#ms;
    this.#timer ??= this.#check(this.#ms);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #check(afterMs: number): NodeJS.Timeout {
    return setTimeout(() => {
      const left = this.#endsAt - performance.now();
      this.#timer = left > 0 ? this.#check(Math.ceil(left)) : undefined;
      if (left <= 0) this.#onEnd();
    }, afterMs).unref();
  }
}
