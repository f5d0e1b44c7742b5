/** `platform.known_hospitals`: what is known of hospitals when a process starts while the API server can't be reached. */
import type { HospitalObject } from '@hms/hospitals';
import type { Knex } from 'knex';
import type { Logger } from 'pino';

export interface KnownHospitals {
  readonly objects: readonly HospitalObject[];
  /** When the latest of them was read from the API server. Undefined: none was. */
  readonly seenAt: Date | undefined;
}

/** How long changes are collected before they are written, in ms. */
const PAUSE = 500;
const RETRY = 10_000;

/** Keeps the table as the cache of the objects is. */
export class HospitalMemory {
  readonly #db: Knex;
  readonly #log: Logger;
  /** The latest state of what is to be written. Undefined: the object is gone. */
  readonly #pending = new Map<string, HospitalObject | undefined>();
  /** The names of all, if others are still to be removed. */
  #all: (() => readonly string[]) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(db: Knex, log: Logger) {
    this.#db = db;
    this.#log = log;
  }

  async read(): Promise<KnownHospitals> {
    const rows: { object: HospitalObject; seen_at: Date }[] = await this.#table().select('object', 'seen_at');
    const times = rows.map(({ seen_at }) => seen_at.getTime());
    return {
      objects: rows.map(({ object }) => object),
      seenAt: times.length === 0 ? undefined : new Date(Math.max(...times)),
    };
  }

  note(prefix: string, object: HospitalObject | undefined): void {
    this.#pending.set(prefix, object);
    this.#schedule(PAUSE);
  }

  /** Removes what was deleted while no process was looking. @param all the prefixes that there are. */
  keepOnly(all: () => readonly string[]): void {
    this.#all = all;
    this.#schedule(PAUSE);
  }

  async end(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#writing;
    if (this.#pending.size > 0 || this.#all) await this.#write();
  }

  #table() {
    return this.#db.withSchema('platform').table('known_hospitals');
  }

  #schedule(delay: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#writing = this.#write();
    }, delay).unref();
  }

  async #write(): Promise<void> {
    const changes = [...this.#pending];
    const all = this.#all;
    this.#pending.clear();
    this.#all = undefined;
    const gone = changes.flatMap(([prefix, object]) => (object ? [] : [prefix]));
    const rows = changes.flatMap(([prefix, object]) =>
      object ? [{ prefix, object: JSON.stringify(object), seen_at: new Date() }] : [],
    );
    try {
      if (all) await this.#table().whereNotIn('prefix', all()).delete();
      if (gone.length > 0) await this.#table().whereIn('prefix', gone).delete();
      if (rows.length > 0) await this.#table().insert(rows).onConflict('prefix').merge();
    } catch (error) {
      this.#all ??= all;
      // What has changed again meanwhile is newer.
      for (const [prefix, object] of changes) if (!this.#pending.has(prefix)) this.#pending.set(prefix, object);
      this.#log.warn({ error }, 'could not remember the state of hospitals');
      this.#schedule(RETRY);
    }
  }
}
