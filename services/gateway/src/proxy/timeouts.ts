/** A service that was waited for long enough. */
export class TimedOut extends Error {
  readonly code = 'ETIMEDOUT';
}

/**
 * Waits for the next sign of life, to the millisecond: undici's own timers are for many connections and round up to
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

  /** Begins to wait, or begins anew. */
  start(): void {
    if (this.#timer) this.#timer.refresh();
    else this.#timer = setTimeout(this.#onEnd, this.#ms).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
