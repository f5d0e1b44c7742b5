import type { Logger } from 'pino';
import { type Backoff, backoffDelay } from './backoff.ts';

export interface RecoveryOptions {
  /** Name of the server, for the log. */
  readonly name: string;
  /** Asks the server for a sign of life; rejects while it gives none. Must come to an end by itself. */
  readonly probe: () => Promise<void>;
  /** Told of the keys that may be tried at once, as the server answers again. */
  readonly onRecovered: (keys: readonly string[]) => void;
  readonly logger: Logger;
  readonly backoff?: Backoff;
  readonly now?: () => number;
}

/** Between two probes, in ms. */
export const PROBE_BACKOFF: Backoff = { baseMs: 1_000, maxMs: 5_000 };
/**
 * A server that answers the probe and fails the work must not be run against again and again: without a failed probe in
 * between, a key is woken once in this time, and tried by its own delays besides.
 */
const WAKE_AGAIN_MS = 30_000;

interface Waiting {
  /** When the outage that the key fails by began, in ms since 1970. */
  readonly since: number;
  wokenAt: number | undefined;
  asleep: boolean;
}

/**
 * Waits for one server on behalf of many keys: while any of them failed by it, one small probe runs in place of all
 * their retries, and when it goes through, all of them are handed out at once.
 */
export class Recovery {
  readonly #options: RecoveryOptions;
  readonly #now: () => number;
  readonly #waiting = new Map<string, Waiting>();
  #downSince: number | undefined;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  #probing = false;
  #stopped = false;

  constructor(options: RecoveryOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** How many keys wait for the server. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Since when the server has given the probe no answer, in ms since 1970. */
  get silentSince(): number | undefined {
    return this.#failures > 0 ? this.#downSince : undefined;
  }

  /** The key could not be finished, as the server was away. @returns since when, in ms since 1970: the same until it succeeds. */
  failed(key: string): number {
    const known = this.#waiting.get(key);
    this.#downSince ??= this.#now();
    const since = known?.since ?? this.#downSince;
    this.#waiting.set(key, { since, wokenAt: known?.wokenAt, asleep: true });
    this.#schedule();
    return since;
  }

  /** The key needs the server no more, or got what it wanted from it. */
  forget(key: string): void {
    this.#waiting.delete(key);
    if (this.#waiting.size === 0) this.#rest();
  }

  stop(): void {
    this.#stopped = true;
    this.#rest();
  }

  #rest(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#failures = 0;
    this.#downSince = undefined;
  }

  #schedule(): void {
    if (this.#stopped || this.#timer || this.#probing) return;
    const delay = backoffDelay(this.#options.backoff ?? PROBE_BACKOFF, this.#failures + 1);
    this.#timer = setTimeout(() => void this.#probe(), delay);
  }

  async #probe(): Promise<void> {
    this.#timer = undefined;
    this.#probing = true;
    const alive = await this.#options.probe().then(
      () => true,
      () => false,
    );
    this.#probing = false;
    if (this.#stopped || this.#waiting.size === 0) return;
    if (alive) {
      this.#wake();
      return;
    }
    this.#failures += 1;
    this.#schedule();
  }

  #wake(): void {
    const { name, logger, onRecovered } = this.#options;
    const seenDown = this.#failures > 0;
    this.#rest();
    const now = this.#now();
    const woken = [...this.#waiting].filter(
      ([, { asleep, wokenAt }]) => asleep && (seenDown || wokenAt === undefined || now - wokenAt >= WAKE_AGAIN_MS),
    );
    for (const entry of this.#waiting.values()) entry.asleep = false;
    if (woken.length === 0) return;
    logger.info({ backend: name, waiting: woken.length }, 'available again: retrying the hospitals that failed');
    for (const [, entry] of woken) entry.wokenAt = now;
    onRecovered(woken.map(([key]) => key));
  }
}
