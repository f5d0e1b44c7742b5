/** Pauses that end early when there is a reason to go on. */
export class Naps {
  readonly #sleeping = new Set<() => void>();

  /** @param ms at the longest. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const awake = () => {
        clearTimeout(timer);
        this.#sleeping.delete(awake);
        resolve();
      };
      const timer = setTimeout(awake, ms);
      this.#sleeping.add(awake);
    });
  }

  wake(): void {
    for (const awake of this.#sleeping) awake();
  }
}
