/** `platform.known_objects`: what is known when a process starts while the API server can't be reached. */
import type { KubernetesObject } from '@hms/kubernetes';
import type { Knex } from 'knex';
import type { Logger } from 'pino';

export interface Known<T> {
  readonly objects: readonly T[];
  /** When the latest of them was read from the API server. Undefined: none was. */
  readonly seenAt: Date | undefined;
}

/** How long changes are collected before they are written, in ms. */
const PAUSE = 500;
const RETRY = 10_000;

/** Keeps what the table has of one kind as the cache of the objects is. */
export class ObjectMemory<T extends KubernetesObject> {
  readonly #db: Knex;
  readonly #log: Logger;
  readonly #kind: string;
  /** The latest state of what is to be written. Undefined: the object is gone. */
  readonly #pending = new Map<string, T | undefined>();
  /** The names of all, if others are still to be removed. */
  #all: (() => readonly string[]) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(db: Knex, log: Logger, kind: string) {
    this.#db = db;
    this.#log = log;
    this.#kind = kind;
  }

  async read(): Promise<Known<T>> {
    const rows: { object: T; seen_at: Date }[] = await this.#rows().select('object', 'seen_at');
    const times = rows.map(({ seen_at }) => seen_at.getTime());
    return {
      objects: rows.map(({ object }) => object),
      seenAt: times.length === 0 ? undefined : new Date(Math.max(...times)),
    };
  }

  note(name: string, object: T | undefined): void {
    this.#pending.set(name, object);
    this.#schedule(PAUSE);
  }

  /** Removes what was deleted while no process was looking. @param all the names that there are. */
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
    return this.#db.withSchema('platform').table('known_objects');
  }

  #rows() {
    return this.#table().where({ kind: this.#kind });
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
    const gone = changes.flatMap(([name, object]) => (object ? [] : [name]));
    const rows = changes.flatMap(([name, object]) =>
      object ? [{ kind: this.#kind, name, object: JSON.stringify(object), seen_at: new Date() }] : [],
    );
    try {
      if (all) await this.#rows().whereNotIn('name', all()).delete();
      if (gone.length > 0) await this.#rows().whereIn('name', gone).delete();
      if (rows.length > 0) await this.#table().insert(rows).onConflict(['kind', 'name']).merge();
    } catch (error) {
      this.#all ??= all;
      // What has changed again meanwhile is newer.
      for (const [name, object] of changes) if (!this.#pending.has(name)) this.#pending.set(name, object);
      this.#log.warn({ error }, 'could not remember the state of objects');
      this.#schedule(RETRY);
    }
  }
}
