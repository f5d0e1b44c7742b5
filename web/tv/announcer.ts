/** Announces calls, one after the other. */
import { type Call, NEWS } from './calls.ts';

/** Calls that wait for their turn. More can't be said while they are news. */
const MOST = 12;

export class Announcer {
  readonly #announce: (call: Call) => Promise<void>;
  /** By the clock of the server, in ms. */
  readonly #now: () => number;
  #waiting: readonly Call[] = [];
  #isBusy = false;

  constructor(announce: (call: Call) => Promise<void>, now: () => number) {
    this.#announce = announce;
    this.#now = now;
  }

  /** Whether something is being said. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  add(calls: readonly Call[]): void {
    // Who is called again is not announced for the call before.
    const isAgain = (one: Call) =>
      calls.some(({ clinicId, label }) => clinicId === one.clinicId && label === one.label);
    const others = this.#waiting.filter((one) => !isAgain(one));
    this.#waiting = [...others, ...calls].slice(-MOST);
    if (!this.#isBusy) void this.#work();
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    for (;;) {
      const [call, ...rest] = this.#waiting;
      if (!call) break;
      this.#waiting = rest;
      if (this.#now() - Date.parse(call.since) < NEWS) await this.#announce(call).catch(() => undefined);
    }
    this.#isBusy = false;
  }
}
