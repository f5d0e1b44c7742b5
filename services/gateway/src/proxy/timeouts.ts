/** A service did not respond in time. */
export class TimedOut extends Error {
  readonly code = 'ETIMEDOUT';
}

/**
 * A timeout that restarts with each progress, exact to the millisecond: undici's own timers round up to seconds.
 * Progress only records the time, because restarting the timer costs a twentieth of the throughput.
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

  /** Starts or restarts the timeout. */
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
