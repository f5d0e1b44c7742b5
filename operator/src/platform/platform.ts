import type { Logger } from 'pino';
import { type BackendName, type Change, describe } from '../backends/backend.ts';
import { BackendError, toBackendError } from '../backends/errors.ts';
import { type Backoff, backoffDelay, jitter } from '../runtime/backoff.ts';

/** Makes one engine ready for hospitals, or puts it right. @returns what was done. */
export type Ensure = () => Promise<readonly Change[]>;

export interface PlatformOptions {
  /** What exists once in each engine. */
  readonly pieces: Readonly<Record<BackendName, Ensure>>;
  readonly resyncMs: number;
  readonly logger: Logger;
  /** Told when an engine is ready after hospitals may have failed by it. */
  readonly onReady: (name: BackendName) => void;
}

const BACKOFF: Backoff = { baseMs: 500, maxMs: 10_000 };

/** Keeps in each engine what all hospitals share. An engine that is away is tried again until it is there. */
export class Platform {
  readonly #options: PlatformOptions;
  readonly #errors = new Map<BackendName, BackendError>();
  readonly #timers = new Map<BackendName, NodeJS.Timeout>();
  /** The first try with each engine. */
  readonly #tried = new Map<BackendName, Promise<void>>();
  #stopped = false;

  constructor(options: PlatformOptions) {
    this.#options = options;
    for (const name of this.#names()) {
      this.#errors.set(name, new BackendError('Unavailable', `the ${name} part of the platform is being set up`));
    }
  }

  start(): void {
    for (const name of this.#names()) this.#tried.set(name, this.#run(name, 0));
  }

  stop(): void {
    this.#stopped = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }

  /**
   * Waits for the first try: what only has not been looked at yet is no reason to call a hospital not ready.
   * @throws BackendError when the engine could not be made ready.
   */
  async require(name: BackendName): Promise<void> {
    await this.#tried.get(name);
    const error = this.#errors.get(name);
    if (error) throw error;
  }

  /** What is not ready yet, a sentence each. */
  notReady(): readonly string[] {
    return [...this.#errors.values()].map(({ message }) => message);
  }

  #names(): readonly BackendName[] {
    return Object.keys(this.#options.pieces) as BackendName[];
  }

  async #run(name: BackendName, failures: number): Promise<void> {
    const { pieces, resyncMs, logger, onReady } = this.#options;
    try {
      const changes = await pieces[name]();
      for (const change of changes) logger.info({ backend: name }, `platform: ${describe(change)}`);
      if (this.#errors.delete(name) && failures > 0) onReady(name);
      this.#schedule(name, 0, jitter(resyncMs, 0.2));
    } catch (cause) {
      const error = toBackendError(cause, name);
      const delay = backoffDelay(BACKOFF, failures + 1);
      logger.warn({ backend: name, kind: error.kind, retryInMs: Math.round(delay) }, error.message);
      // What was ready once stays in use: a hospital's own reconcile says better what is wrong.
      if (this.#errors.has(name)) this.#errors.set(name, error);
      this.#schedule(name, failures + 1, delay);
    }
  }

  #schedule(name: BackendName, failures: number, delayMs: number): void {
    if (this.#stopped) return;
    this.#timers.set(
      name,
      setTimeout(() => void this.#run(name, failures), delayMs),
    );
  }
}
