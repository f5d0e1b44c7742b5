import { type Migration, MigrationError, migrateTenant, readTenantVersion } from '@hms/database';
import { type FailedMigration, type MigrationState, PLATFORM_NAME } from '@hms/hospitals/platform';
import type { HospitalNames } from '@hms/tenancy';
import type { Postgres } from '../backends/database/client.ts';
import { BackendError } from '../backends/errors.ts';
import { freePlaces, isHalted, type WaveCounts, type WaveLimits } from './wave.ts';

/** The state of a hospital's schema. */
export interface Schema {
  /** How many migrations it has. */
  readonly version: number;
  /** Version of a schema that has all of them. */
  readonly newest: number;
  /** Why it is behind: it waits for its turn, the wave is halted, or its own migration failed. */
  readonly behind?: Behind;
}

export interface Behind {
  readonly reason: 'MigrationPending' | 'MigrationHalted' | 'MigrationFailed';
  /** A sentence that says what to do, if anything. */
  readonly message: string;
}

/** The outcome of a hospital's turn. */
export interface Turn extends Schema {
  /** waits: it was not its turn. postponed: the engine could not do it now, and it must be retried. */
  readonly result: 'waits' | 'migrated' | 'failed' | 'postponed';
}

export interface MigrationsOptions {
  readonly postgres: Postgres;
  readonly migrations: readonly Migration[];
  readonly limits: WaveLimits;
  /** What people have decided about migrations. Undefined while it is not known yet, in which time none starts. */
  readonly state: () => MigrationState | undefined;
  /** Called when a waiting hospital may proceed. */
  readonly wake: (prefix: string) => void;
  readonly onEnd?: (result: Turn['result']) => void;
}

/**
 * Migrates the schemas of hospitals that are served, in a wave: canaries first, then a few at a time, and none
 * once too many have failed or people have halted the wave. Progress is recorded in the schemas themselves. The
 * state here is lost at the end of the process, so a new one retries what failed, with new canaries.
 */
export class Migrations {
  readonly #o: MigrationsOptions;
  readonly #waiting = new Set<string>();
  readonly #running = new Set<string>();
  readonly #done = new Set<string>();
  /** Why no migration starts, as the waiting hospitals say. */
  #announced: 'people' | 'failures' | undefined;
  /** Why the engine could not do it at the last attempt. */
  readonly #postponed = new Map<string, string>();
  readonly #failed = new Map<string, { readonly message: string; readonly request: string | undefined }>();

  constructor(options: MigrationsOptions) {
    this.#o = options;
  }

  /** Whether too many have failed for any other to start. */
  get haltedByFailures(): boolean {
    return isHalted(this.#counts(), this.#o.limits);
  }

  /** Whether no other may start, because people have halted the wave or too many have failed. */
  get halted(): boolean {
    return this.#haltedBy() !== undefined;
  }

  /** Version of a schema that has all migrations. */
  get newest(): number {
    return this.#o.migrations.length;
  }

  /** Hospitals that are being migrated, by name. */
  get running(): readonly string[] {
    return [...this.#running].sort();
  }

  /** Hospitals whose migration failed, by name. They are not retried without a request. */
  get failed(): readonly FailedMigration[] {
    return [...this.#failed]
      .map(([hospital, { message }]) => ({ hospital, message }))
      .sort((one, other) => (one.hospital < other.hospital ? -1 : 1));
  }

  /** Hospitals migrated since this process became the leader. */
  get done(): ReadonlySet<string> {
    return this.#done;
  }

  /**
   * Reads the state of the hospital's schema.
   * @param request the value of the reconcile request. A new value since the last failure requests another attempt.
   */
  async read({ prefix, ...names }: HospitalNames, request: string | undefined): Promise<Schema> {
    const version = await this.#o.postgres.call('schema-version', (db) => readTenantVersion(db, { prefix, ...names }));
    if (version >= this.newest) this.forget(prefix);
    else if (this.#failed.has(prefix) && this.#failed.get(prefix)?.request !== request) this.#failed.delete(prefix);
    return this.#schema(prefix, version);
  }

  /**
   * Migrates the hospital if it is its turn. Otherwise it is woken when it is.
   * @param onStart called before anything is changed.
   * @throws errors that are not the migration's, such as NotLeader.
   */
  async run(
    names: HospitalNames,
    { version }: Schema,
    request: string | undefined,
    onStart: () => Promise<void> = async () => undefined,
  ): Promise<Turn> {
    const { prefix } = names;
    if (this.#failed.has(prefix) || this.#places() === 0) {
      if (!this.#failed.has(prefix)) this.#waiting.add(prefix);
      return { ...this.#schema(prefix, version), result: 'waits' };
    }
    this.#waiting.delete(prefix);
    this.#running.add(prefix);
    try {
      await onStart();
      const turn = await this.#migrate(names, version, request);
      this.#o.onEnd?.(turn.result);
      return turn;
    } finally {
      this.#running.delete(prefix);
      this.#wake();
    }
  }

  /** People have changed the state: hospitals that wait start, or report that the wave is halted. */
  stateChanged(): void {
    this.#wake();
  }

  /** Lets each hospital whose migration failed try again. */
  retryFailed(): void {
    const failed = [...this.#failed.keys()];
    this.#failed.clear();
    for (const prefix of failed) this.#o.wake(prefix);
    this.#wake();
  }

  /** The hospital is up to date or deleted, and no longer part of the wave. */
  forget(prefix: string): void {
    this.#waiting.delete(prefix);
    this.#postponed.delete(prefix);
    if (this.#failed.delete(prefix)) this.#wake();
  }

  async #migrate(names: HospitalNames, version: number, request: string | undefined): Promise<Turn> {
    const { postgres, migrations } = this.#o;
    const { prefix } = names;
    try {
      const { to } = await postgres.transaction('migrate', (trx) => migrateTenant(trx, names, migrations));
      this.#done.add(prefix);
      this.#postponed.delete(prefix);
      return { ...this.#schema(prefix, to), result: 'migrated' };
    } catch (error) {
      if (error instanceof Error && error.name === 'NotLeader') throw error;
      if (!isRefusal(error)) {
        this.#postponed.set(prefix, error instanceof Error ? error.message : String(error));
        return { ...this.#schema(prefix, version), result: 'postponed' };
      }
      this.#postponed.delete(prefix);
      this.#failed.set(prefix, { message: new BackendError('Invalid', error.message).message, request });
      return { ...this.#schema(prefix, version), result: 'failed' };
    }
  }

  #schema(prefix: string, version: number): Schema {
    const { newest } = this;
    return version < newest ? { version, newest, behind: this.#behind(prefix, version) } : { version, newest };
  }

  #behind(prefix: string, version: number): Behind {
    const served = `the hospital is served on schema version ${version} of ${this.newest}`;
    const failure = this.#failed.get(prefix);
    if (failure) {
      return {
        reason: 'MigrationFailed',
        message: `${served}, because its migration failed and was rolled back: ${failure.message}. Fix the cause, then annotate the hospital with a new hms.dev/reconcile-requested-at`,
      };
    }
    if (this.#o.state() === 'Halted') {
      return {
        reason: 'MigrationHalted',
        message: `${served}: migrations are halted. To resume them, set spec.migrations.state of Platform ${PLATFORM_NAME} to Running`,
      };
    }
    if (this.halted) {
      return {
        reason: 'MigrationHalted',
        message: `${served}: no hospital is migrated until the failed migration of ${[...this.#failed.keys()].sort().join(', ')} is fixed`,
      };
    }
    const obstacle = this.#postponed.get(prefix);
    const until = obstacle ? `; its migration is retried soon, because ${obstacle}` : ' until it is its turn';
    return { reason: 'MigrationPending', message: served + until };
  }

  /**
   * Ordered by name, so that each wave has the same order. When it halts for another reason or no longer, waiting
   * hospitals are woken once to report it.
   */
  #wake(): void {
    const cause = this.#haltedBy();
    if (cause !== this.#announced) for (const prefix of this.#waiting) this.#o.wake(prefix);
    this.#announced = cause;
    const places = this.#places();
    for (const prefix of [...this.#waiting].sort().slice(0, places)) {
      this.#waiting.delete(prefix);
      this.#o.wake(prefix);
    }
  }

  #haltedBy(): 'people' | 'failures' | undefined {
    if (this.#o.state() === 'Halted') return 'people';
    return this.haltedByFailures ? 'failures' : undefined;
  }

  /** How many hospitals may start now. */
  #places(): number {
    return this.#o.state() === 'Running' ? freePlaces(this.#counts(), this.#o.limits) : 0;
  }

  #counts(): WaveCounts {
    return { running: this.#running.size, done: this.#done.size, failed: this.#failed.size };
  }
}

/** Whether the migration itself failed, rather than the engine being unavailable. */
function isRefusal(error: unknown): error is Error {
  if (error instanceof MigrationError) return true;
  if (!(error instanceof BackendError)) return false;
  return error.kind !== 'Unavailable' || (error.cause instanceof MigrationError && error.cause.code === QUERY_CANCELED);
}

/** It took longer than a statement may. */
const QUERY_CANCELED = '57014';
