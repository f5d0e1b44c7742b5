export interface BudgetOptions {
  /** Maximum number of parallel calls. */
  readonly concurrency: number;
  /** Average calls per second, and the burst after a quiet second. */
  readonly perSecond: number;
}

/**
 * The rate limit of a server. Calls above it wait in order of arrival, so that neither a thousand simultaneous tasks
 * nor many failures in a row overload the server.
 */
export class Budget {
  readonly #options: BudgetOptions;
  readonly #now: () => number;
  readonly #queue: (() => void)[] = [];
  #running = 0;
  #tokens: number;
  #filledAt: number;
  #pausedUntil = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param now monotonic milliseconds. */
  constructor(options: BudgetOptions, now: () => number = () => performance.now()) {
    this.#options = options;
    this.#now = now;
    this.#tokens = options.perSecond;
    this.#filledAt = now();
  }

  /** How many calls wait. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** Runs `work` as soon as the budget allows it. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await new Promise<void>((resolve) => {
      this.#queue.push(resolve);
      this.#next();
    });
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#next();
    }
  }

  /** Starts no call for a while, because the server asked for that. */
  pause(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#now() + ms);
  }

  #next(): void {
    while (this.#queue.length > 0 && this.#running < this.#options.concurrency) {
      const wait = this.#waitMs();
      if (wait > 0) {
        this.#wake(wait);
        return;
      }
      this.#tokens -= 1;
      this.#running += 1;
      this.#queue.shift()?.();
    }
  }

  #waitMs(): number {
    const now = this.#now();
    const { perSecond } = this.#options;
    this.#tokens = Math.min(perSecond, this.#tokens + ((now - this.#filledAt) / 1000) * perSecond);
    this.#filledAt = now;
    const forToken = this.#tokens >= 1 ? 0 : ((1 - this.#tokens) / perSecond) * 1000;
    return Math.max(forToken, this.#pausedUntil - now);
  }

  #wake(ms: number): void {
    if (this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#next();
    }, Math.ceil(ms));
  }
}
