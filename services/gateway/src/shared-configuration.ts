import type { Logger } from 'pino';
import type { Runtime } from './runtime/runtime.ts';
import type { DatabaseJournalOptions } from './store/database-journal.ts';
import type { Store } from './store/store.ts';

/** Follows the changes of other gateways, and logs when the database becomes unavailable and available. */
export class SharedConfiguration implements DatabaseJournalOptions {
  readonly #log: Logger;
  #refresh: (() => Promise<void>) | undefined;
  #reachable = true;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Whether the last query succeeded. True without a database. */
  get reachable(): boolean {
    return this.#reachable;
  }

  follow(store: Store, runtime: Runtime): void {
    this.#refresh = async () => {
      await store.refresh();
      runtime.refresh();
    };
  }

  readonly changed = (): void => {
    this.#refresh?.().then(
      () => this.#setReachable(true),
      (error: unknown) => this.#setReachable(false, error),
    );
  };

  readonly waiting = (error: unknown): void => {
    this.#log.warn({ err: error }, 'The database of the configuration (GATEWAY_DATABASE_URL) is unavailable: waiting');
  };

  #setReachable(reachable: boolean, error?: unknown): void {
    if (reachable === this.#reachable) return;
    this.#reachable = reachable;
    if (reachable) this.#log.info('The database of the configuration is available again');
    else {
      this.#log.warn(
        { err: error },
        'The database of the configuration is unavailable: the gateway keeps its last configuration',
      );
    }
  }
}
