/** Limits how many tasks run at a time. The others wait for their turn. */
export class Limiter {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  async run<T>(limit: number, work: () => Promise<T>): Promise<T> {
    if (this.#running >= limit) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }
}
