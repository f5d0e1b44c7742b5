/** What is going to happen, in the order of time. */
export class Agenda {
  /** The next one is the last of the array. */
  readonly #entries: { readonly at: Date; run(): Promise<void> }[] = [];

  add(at: Date, run: () => Promise<void>): void {
    let index = this.#entries.length;
    while (index > 0 && (this.#entries[index - 1] as { readonly at: Date }).at <= at) index -= 1;
    this.#entries.splice(index, 0, { at, run });
  }

  /** Runs whatever is due by then, one after the other. It may add more. */
  async runUntil(moment: Date): Promise<void> {
    for (let next = this.#entries.at(-1); next && next.at <= moment; next = this.#entries.at(-1)) {
      this.#entries.pop();
      await next.run();
    }
  }
}
