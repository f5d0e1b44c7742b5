/** A service did not respond in time. */
export class TimedOut extends Error {
  readonly code = 'ETIMEDOUT';
}

/**
 * A timeout that restarts with each progress, exact to the millisecond: undici's own timers round up to
 * seconds.
 */
export class Patience {
  readonly #ms: number;
  readonly #onEnd: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(ms: number, onEnd: () => void) {
    this.#ms = ms;
    this.#onEnd = onEnd;
  }

  /** Starts or restarts the timeout. */
  start(): void {
    if (this.#timer) this.#timer.refresh();
    else this.#timer = setTimeout(this.#onEnd, this.#ms).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
