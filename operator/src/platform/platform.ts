import type { Logger } from 'pino';
import { type BackendName, type Change, describe, listed } from '../backends/backend.ts';
import { BackendError, toBackendError } from '../backends/errors.ts';
import { type Backoff, backoffDelay, jitter } from '../runtime/backoff.ts';
import { NotLeader } from '../runtime/leader.ts';

/** Makes one engine ready for hospitals, or puts it right. @returns what was done. */
export type Ensure = () => Promise<readonly Change[]>;

export interface PlatformOptions {
  /** What exists once in each engine. */
  readonly pieces: Readonly<Record<BackendName, Ensure>>;
  readonly resyncMs: number;
  readonly logger: Logger;
  /** Told when an engine is ready after hospitals may have failed by it. */
  readonly onReady: (name: BackendName) => void;
  /** Told what was done to an engine. @param drift whether this process had found it right before. */
  readonly onChanged: (name: BackendName, changes: readonly Change[], drift: boolean) => void;
  /** Milliseconds that never go back. */
  readonly now?: () => number;
}

const BACKOFF: Backoff = { baseMs: 500, maxMs: 10_000 };
/** What was put back this short a time ago may not be served yet. */
const JUST_NOW_MS = 15_000;

/** How the last look at an engine ended. */
interface Look {
  readonly endedAt: number;
  readonly error?: BackendError;
  readonly changes: readonly Change[];
}

/** When an engine is looked at next. */
interface Next {
  readonly due: number;
  readonly timer: NodeJS.Timeout;
  /** How many looks have failed since the last one that did not. */
  readonly failures: number;
}

/** Keeps in each engine what all hospitals share. An engine that is away is tried again until it is there. */
export class Platform {
  readonly #options: PlatformOptions;
  readonly #now: () => number;
  readonly #errors = new Map<BackendName, BackendError>();
  /** The next look; none while one is under way. */
  readonly #timers = new Map<BackendName, Next>();
  readonly #looks = new Map<BackendName, Look>();
  /** The look that is under way, or the last one. */
  readonly #running = new Map<BackendName, Promise<void>>();
  /** The first try with each engine, or the first one after it answered again. */
  readonly #tried = new Map<BackendName, Promise<void>>();
  #stopped = false;

  constructor(options: PlatformOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    for (const name of this.#names()) {
      this.#errors.set(name, new BackendError('Unavailable', `the ${name} part of the platform is being set up`));
    }
  }

  start(): void {
    // Elected while it ends.
    if (this.#stopped) return;
    for (const name of this.#names()) this.#tried.set(name, this.#run(name, 0));
  }

  /** Begins no look any more and waits for those that are under way, as they may write. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const { timer } of this.#timers.values()) clearTimeout(timer);
    await Promise.all(this.#running.values());
  }

  /**
   * Waits for the first try: what only has not been looked at yet, or not since the engine is back, is no reason to call
   * a hospital not ready.
   * @throws BackendError when the engine could not be made ready.
   */
  async require(name: BackendName): Promise<void> {
    await this.#tried.get(name);
    const error = this.#errors.get(name);
    if (error) throw error;
  }

  /**
   * An engine answers again: where it was never made ready, which every hospital waits for, that is done at once, and
   * after a look that is under way, as that may have begun before.
   */
  async answers(name: BackendName): Promise<void> {
    await this.#running.get(name);
    const next = this.#timers.get(name);
    if (!next || this.#stopped || !this.#errors.has(name)) return;
    clearTimeout(next.timer);
    this.#tried.set(name, this.#run(name, next.failures));
  }

  /** What is not ready yet, a sentence each. */
  notReady(): readonly string[] {
    return [...this.#errors.values()].map(({ message }) => message);
  }

  /**
   * Looks at an engine before its time, as a hospital had a reason to: many calls are one look.
   * An engine that fails is tried again at its own pace.
   * @param spacingMs least time since the last look.
   */
  hasten(name: BackendName, spacingMs: number): void {
    const next = this.#timers.get(name);
    const last = this.#looks.get(name);
    if (!next || !last || last.error) return;
    const delay = Math.max(0, last.endedAt + spacingMs - this.#now());
    if (this.#now() + delay < next.due) this.#schedule(name, 0, delay);
  }

  /** What was wrong with an engine's shared part at the last look, if that explains that a hospital is not served now. */
  trouble(name: BackendName): string | undefined {
    const last = this.#looks.get(name);
    if (last?.error) return `the platform's shared part of ${name} can't be read: ${last.error.message}`;
    if (!last || last.changes.length === 0 || this.#now() - last.endedAt > JUST_NOW_MS) return undefined;
    return `the platform's shared part of ${name} was corrected a moment ago: ${last.changes.map(describe).join('; ')}`;
  }

  #names(): readonly BackendName[] {
    return Object.keys(this.#options.pieces) as BackendName[];
  }

  #run(name: BackendName, failures: number): Promise<void> {
    const look = this.#look(name, failures);
    this.#running.set(name, look);
    return look;
  }

  async #look(name: BackendName, failures: number): Promise<void> {
    const { pieces, resyncMs, logger, onReady, onChanged } = this.#options;
    this.#timers.delete(name);
    try {
      const changes = await pieces[name]();
      for (const change of changes) logger.info({ backend: name }, `platform: ${describe(change)}`);
      const firstTime = this.#errors.delete(name);
      if (firstTime && failures > 0) onReady(name);
      if (changes.length > 0) onChanged(name, changes, !firstTime);
      this.#looks.set(name, { endedAt: this.#now(), changes });
      this.#schedule(name, 0, jitter(resyncMs, 0.2));
    } catch (cause) {
      const delay = backoffDelay(BACKOFF, failures + 1);
      if (cause instanceof NotLeader) {
        this.#schedule(name, failures + 1, delay);
        return;
      }
      const error = toBackendError(cause, name);
      logger.warn({ backend: name, kind: error.kind, retryInMs: Math.round(delay) }, error.message);
      // What was ready once stays in use: a hospital's own reconcile says better what is wrong.
      if (this.#errors.has(name)) this.#errors.set(name, error);
      this.#looks.set(name, { endedAt: this.#now(), changes: [], error });
      this.#schedule(name, failures + 1, delay);
    }
  }

  #schedule(name: BackendName, failures: number, delayMs: number): void {
    if (this.#stopped) return;
    clearTimeout(this.#timers.get(name)?.timer);
    const timer = setTimeout(() => void this.#run(name, failures), delayMs);
    this.#timers.set(name, { due: this.#now() + delayMs, timer, failures });
  }
}

/** What was done to an engine, as an event's reason and message. Pure. */
export function platformNews(name: BackendName, changes: readonly Change[], drift: boolean): [string, string] {
  const what = `${name}: ${listed(changes.map(describe))}`;
  if (drift)
    return ['DriftCorrected', `restored in the platform's shared parts what was changed outside the operator: ${what}`];
  return ['PlatformUpdated', `the platform's shared parts were set up or updated: ${what}`];
}
