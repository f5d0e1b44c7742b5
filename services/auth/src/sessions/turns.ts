import PQueue from 'p-queue';

/** How much may happen at a time for one key. */
export interface TurnLimit {
  /** Runs at the same time. */
  readonly running: number;
  /** Waits for one of these to end. */
  readonly waiting: number;
}

/** Limits how much work runs at the same time, for each key by itself. It holds no key without work. */
export class Turns {
  readonly #limit: TurnLimit;
  readonly #queues = new Map<string, PQueue>();

  constructor(limit: TurnLimit) {
    this.#limit = limit;
  }

  /** The number of keys with work. */
  get size(): number {
    return this.#queues.size;
  }

  /**
   * Runs the work when it is its turn.
   * @param full the error if too much waits already.
   */
  async run<T>(key: string, work: () => Promise<T>, full: () => Error): Promise<T> {
    const queue = this.#queues.get(key) ?? new PQueue({ concurrency: this.#limit.running });
    if (queue.size >= this.#limit.waiting) throw full();
    this.#queues.set(key, queue);
    try {
      return await queue.add(work);
    } finally {
      if (queue.size === 0 && queue.pending === 0) this.#queues.delete(key);
    }
  }
}
