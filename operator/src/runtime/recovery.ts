import { type Backoff, backoffDelay } from '@hms/kubernetes';
import type { Logger } from 'pino';

export interface RecoveryOptions {
  /** Name of the server, for the log. */
  readonly name: string;
  /** Pings the server. Rejects if it does not answer. Must have its own timeout. */
  readonly probe: () => Promise<void>;
  /** Called with the keys to retry immediately, because the server answers again. */
  readonly onRecovered: (keys: readonly string[]) => void;
  readonly logger: Logger;
  readonly backoff?: Backoff;
  readonly now?: () => number;
}

/** Between two probes, in ms. */
export const PROBE_BACKOFF: Backoff = { baseMs: 1_000, maxMs: 5_000 };
/**
 * Backs off from a server that answers the probe but fails the work: without a failed probe in
 * between, a key is woken at most once in this time, in addition to its own retries.
 */
const WAKE_AGAIN_MS = 30_000;

interface Waiting {
  /** When the outage began that the key waits for, in ms since 1970. */
  readonly since: number;
  wokenAt: number | undefined;
  asleep: boolean;
}

/**
 * Waits for one server on behalf of many keys: while any of them has failed, one small probe replaces all
 * their retries, and when it succeeds, all of them are woken together.
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

  /** Since when the server has not answered the probe, in ms since 1970. */
  get silentSince(): number | undefined {
    return this.#failures > 0 ? this.#downSince : undefined;
  }

  /**
   * The key failed because the server was unavailable. @returns since when, in ms since 1970: unchanged until it
   * succeeds.
   */
  failed(key: string): number {
    const waiting = this.#waiting.get(key);
    this.#downSince ??= this.#now();
    const since = waiting?.since ?? this.#downSince;
    this.#waiting.set(key, { since, wokenAt: waiting?.wokenAt, asleep: true });
    this.#schedule();
    return since;
  }

  /** The key succeeded at the server, or no longer needs it. */
  forget(key: string): void {
    this.#waiting.delete(key);
    if (this.#waiting.size === 0) this.#stopProbing();
  }

  stop(): void {
    this.#stopped = true;
    this.#stopProbing();
  }

  #stopProbing(): void {
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
    this.#stopProbing();
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
