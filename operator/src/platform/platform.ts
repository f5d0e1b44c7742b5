import { type Backoff, backoffDelay, jitter } from '@hms/kubernetes';
import type { Logger } from 'pino';
import { type Change, describe, listed } from '../backends/backend.ts';
import { BackendError, toBackendError } from '../backends/errors.ts';
import { NotLeader } from '../runtime/leader.ts';

/**
 * Sets up or restores the shared part of one engine. @param again requests the next check after so many milliseconds, if
 * the resync is later. @returns the changes.
 */
export type Ensure = (again: (ms: number) => void) => Promise<readonly Change[]>;

export interface PlatformOptions {
  /** The shared part of each engine that has one, by the name of its backend. */
  readonly pieces: ReadonlyMap<string, Ensure>;
  readonly resyncMs: number;
  readonly logger: Logger;
  /**
   * Called when an engine is ready after hospitals may have failed because of it, or has a shared part again that was
   * deleted, with which hospitals may have lost theirs.
   */
  readonly onReady: (name: string) => void;
  /** Called with the changes of an engine. @param drift whether this process had found it in order before. */
  readonly onChanged: (name: string, changes: readonly Change[], drift: boolean) => void;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

const BACKOFF: Backoff = { baseMs: 500, maxMs: 10_000 };
/** Corrections within this time may not be effective yet. */
const JUST_NOW_MS = 15_000;

/** The outcome of the last check of an engine. */
interface Check {
  readonly endedAt: number;
  readonly error?: BackendError;
  readonly changes: readonly Change[];
}

/** The next check of an engine. */
interface Next {
  readonly due: number;
  readonly timer: NodeJS.Timeout;
  /** How many checks in a row have failed. */
  readonly failures: number;
}

/** Ensures the shared part of each engine. An unavailable engine is retried until it is available. */
export class Platform {
  readonly #options: PlatformOptions;
  readonly #now: () => number;
  readonly #errors = new Map<string, BackendError>();
  /** The next check. None while one is running. */
  readonly #timers = new Map<string, Next>();
  readonly #checks = new Map<string, Check>();
  /** The running check, or the last one. */
  readonly #running = new Map<string, Promise<void>>();
  /** The first check of each engine, or the first one after its recovery. */
  readonly #tried = new Map<string, Promise<void>>();
  #stopped = false;

  constructor(options: PlatformOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    for (const name of this.#options.pieces.keys()) {
      this.#errors.set(name, new BackendError('Unavailable', `the ${name} part of the platform is being set up`));
    }
  }

  start(): void {
    // Elected during shutdown.
    if (this.#stopped) return;
    for (const name of this.#options.pieces.keys()) this.#tried.set(name, this.#run(name, 0));
  }

  /** Starts no more checks and waits for running ones, because they may write. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const { timer } of this.#timers.values()) clearTimeout(timer);
    await Promise.all(this.#running.values());
  }

  /**
   * Waits for the first check: an engine that has not been checked yet, or not since its recovery, must not make
   * a hospital unready.
   * @throws BackendError if the engine could not be set up.
   */
  async require(name: string): Promise<void> {
    await this.#tried.get(name);
    const error = this.#errors.get(name);
    if (error) throw error;
  }

  /**
   * An engine answers again: if it was never set up, which every hospital waits for, it is set up immediately, or
   * after a running check, because that may have started before.
   */
  async answers(name: string): Promise<void> {
    await this.#running.get(name);
    const next = this.#timers.get(name);
    if (!next || this.#stopped || !this.#errors.has(name)) return;
    clearTimeout(next.timer);
    this.#tried.set(name, this.#run(name, next.failures));
  }

  /** The outcome of the last check of an engine's shared part. Undefined before the first one. */
  outcomeOf(name: string): 'in order' | BackendError | undefined {
    const check = this.#checks.get(name);
    return check && (check.error ?? 'in order');
  }

  /** What is not ready yet, one sentence per engine. */
  notReady(): readonly string[] {
    return [...this.#errors.values()].map(({ message }) => message);
  }

  /**
   * Checks an engine before its resync is due, because a hospital had a reason to. Many calls cause one check.
   * A failing engine keeps its own backoff.
   * @param spacingMs minimum time since the last check.
   */
  hasten(name: string, spacingMs: number): void {
    const next = this.#timers.get(name);
    const last = this.#checks.get(name);
    if (!next || !last || last.error) return;
    const delay = Math.max(0, last.endedAt + spacingMs - this.#now());
    if (this.#now() + delay < next.due) this.#schedule(name, 0, delay);
  }

  /** The problem of an engine's shared part at the last check, if that explains why a hospital is not served now. */
  trouble(name: string): string | undefined {
    const last = this.#checks.get(name);
    if (last?.error) return `the platform's shared part of ${name} can't be read: ${last.error.message}`;
    if (!last || last.changes.length === 0 || this.#now() - last.endedAt > JUST_NOW_MS) return undefined;
    return `the platform's shared part of ${name} was corrected a moment ago: ${last.changes.map(describe).join('; ')}`;
  }

  #run(name: string, failures: number): Promise<void> {
    const check = this.#check(name, failures);
    this.#running.set(name, check);
    return check;
  }

  async #check(name: string, failures: number): Promise<void> {
    const { pieces, resyncMs, logger, onReady, onChanged } = this.#options;
    this.#timers.delete(name);
    try {
      let nextMs = jitter(resyncMs, 0.2);
      const again = (ms: number) => {
        nextMs = Math.min(nextMs, ms);
      };
      const changes = (await pieces.get(name)?.(again)) ?? [];
      for (const change of changes) logger.info({ backend: name }, `platform: ${describe(change)}`);
      const firstTime = this.#errors.delete(name);
      const isRestored = !firstTime && changes.some(({ action, isNews }) => action === 'create' && !isNews);
      if ((firstTime && failures > 0) || isRestored) onReady(name);
      if (changes.length > 0) onChanged(name, changes, !firstTime);
      this.#checks.set(name, { endedAt: this.#now(), changes });
      this.#schedule(name, 0, nextMs);
    } catch (cause) {
      const delay = backoffDelay(BACKOFF, failures + 1);
      if (cause instanceof NotLeader) {
        this.#schedule(name, failures + 1, delay);
        return;
      }
      const error = toBackendError(cause, name);
      logger.warn({ backend: name, kind: error.kind, retryInMs: Math.round(delay) }, error.message);
      // An engine that was ready stays in use: a hospital's own reconcile reports errors more precisely.
      if (this.#errors.has(name)) this.#errors.set(name, error);
      this.#checks.set(name, { endedAt: this.#now(), changes: [], error });
      this.#schedule(name, failures + 1, delay);
    }
  }

  #schedule(name: string, failures: number, delayMs: number): void {
    if (this.#stopped) return;
    clearTimeout(this.#timers.get(name)?.timer);
    const timer = setTimeout(() => void this.#run(name, failures), delayMs);
    this.#timers.set(name, { due: this.#now() + delayMs, timer, failures });
  }
}

/** The changes of an engine as an event's reason and message. Pure. */
export function platformNews(name: string, changes: readonly Change[], drift: boolean): [string, string] {
  const what = `${name}: ${listed(changes.map(describe))}`;
  if (drift)
    return ['DriftCorrected', `restored in the platform's shared parts what was changed outside the operator: ${what}`];
  return ['PlatformUpdated', `the platform's shared parts were set up or updated: ${what}`];
}
