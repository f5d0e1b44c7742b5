import { setTimeout as sleep } from 'node:timers/promises';
import { type KubernetesClient, KubernetesError, type KubernetesObject } from '@hms/kubernetes';
import type { Logger } from 'pino';
import { type Backoff, backoffDelay } from './backoff.ts';

export type Change<T> =
  | { readonly type: 'added'; readonly object: T }
  | { readonly type: 'modified'; readonly object: T; readonly previous: T }
  | { readonly type: 'deleted'; readonly object: T };

export interface ReflectorOptions<T> {
  readonly client: KubernetesClient;
  /** Path of the collection, like `/apis/hms.dev/v1/hospitals`. */
  readonly path: string;
  readonly logger: Logger;
  /** Told of every change; must not throw and must not wait. */
  readonly onChange: (change: Change<T>) => void;
  readonly timing?: Partial<ReflectorTiming>;
}

export interface ReflectorTiming {
  readonly backoff: Backoff;
  /** The server ends a watch after a random time in this range, so that many watchers don't come back at once. */
  readonly watchSeconds: { readonly min: number; readonly max: number };
  /** Bookmarks come about once a minute: a watch without a line for this long is a dead connection. */
  readonly silenceMs: number;
  /** How often the copy is compared with a new list. */
  readonly relistMs: number;
}

const TIMING: ReflectorTiming = {
  backoff: { baseMs: 500, maxMs: 30_000 },
  watchSeconds: { min: 240, max: 480 },
  silenceMs: 150_000,
  relistMs: 600_000,
};
const PAGE_SIZE = 500;
/** A watch that ends by itself sooner, and has said nothing, is a failure. */
const SHORT_MS = 1_000;

/** How an object in the copy differed from a list; it may be that the watch was only about to tell. */
interface Suspect<T> {
  readonly listed: T | undefined;
  /** resourceVersion in the copy at that time. */
  readonly had: string | undefined;
}

/**
 * Keeps a copy of a collection: one list, then a watch from there on, resumed where it broke off.
 * When the server no longer has that point (410), the list is read again and what was missed is reported as changes.
 * From time to time the copy is compared with a list besides: what the watch still has not told by its next bookmark,
 * it has missed.
 */
export class Reflector<T extends KubernetesObject> {
  readonly #options: ReflectorOptions<T>;
  readonly #objects = new Map<string, T>();
  readonly #stop = new AbortController();
  readonly #timing: ReflectorTiming;
  readonly #suspects = new Map<string, Suspect<T>>();
  /** Uids of objects that an own write has ended, until the watch or a list knows it, too. */
  readonly #ended = new Set<string>();
  #listedAt = 0;
  /** Whether the last watch has told anything. */
  #heard = false;
  #synced = false;
  #resourceVersion: string | undefined;
  #missed = 0;
  #lastSignOfLife = Date.now();
  #running: Promise<void> | undefined;

  constructor(options: ReflectorOptions<T>) {
    this.#options = options;
    this.#timing = { ...TIMING, ...options.timing };
  }

  /** Whether the collection was read in full at least once. */
  get synced(): boolean {
    return this.#synced;
  }

  /** Milliseconds since the server last sent anything. */
  get silentMs(): number {
    return Date.now() - this.#lastSignOfLife;
  }

  /** Changes that a later list showed and the watch had not told. */
  get missed(): number {
    return this.#missed;
  }

  get(name: string): T | undefined {
    return this.#objects.get(name);
  }

  list(): readonly T[] {
    return [...this.#objects.values()];
  }

  /**
   * Puts an answer to our own write into the copy, unless something newer is there. It may bear a change of somebody
   * else's that the watch has not told yet, so it is told as a change too.
   */
  replace(written: T): void {
    const current = this.#objects.get(written.metadata.name);
    if (current && isOlder(current, written)) this.#put(written);
  }

  /** An own write has ended the object: it is gone at once, and what the watch still tells of it is no news. */
  ended({ metadata }: T): void {
    const current = this.#objects.get(metadata.name);
    if (current?.metadata.uid !== metadata.uid) return;
    this.#ended.add(metadata.uid);
    this.#remove(current);
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { logger, path } = this.#options;
    let failures = 0;
    while (!this.#stop.signal.aborted) {
      try {
        if (this.#resourceVersion === undefined) await this.#list();
        else if (Date.now() - this.#listedAt >= this.#timing.relistMs) await this.#compare();
        await this.#watch();
        failures = 0;
      } catch (error) {
        if (this.#stop.signal.aborted) return;
        // What worked for a while and then broke starts with the shortest delay again.
        failures = this.#heard ? 1 : failures + 1;
        this.#heard = false;
        if (isExpired(error)) {
          logger.info({ path }, 'the watch is too old to be resumed: listing again');
          this.#resourceVersion = undefined;
          if (failures === 1) continue;
        }
        const delay = backoffDelay(this.#timing.backoff, failures);
        logger.warn({ path, err: error, retryInMs: Math.round(delay) }, 'lost the API server');
        await sleep(delay, undefined, { signal: this.#stop.signal }).catch(() => undefined);
      }
    }
  }

  async #list(): Promise<void> {
    const { objects, version } = await this.#readAll();
    if (this.#synced) this.#missed += this.#differences(objects).size;
    for (const [name, object] of this.#objects) if (!objects.has(name)) this.#remove(object);
    for (const object of objects.values()) this.#put(object);
    this.#suspects.clear();
    this.#ended.clear();
    this.#resourceVersion = version;
    this.#synced = true;
  }

  /** The watch goes on from where it was, so what changed just now is told by it and is no miss. */
  async #compare(): Promise<void> {
    const before = new Map(this.#objects);
    const { objects } = await this.#readAll();
    this.#suspects.clear();
    for (const [name, suspect] of this.#differences(objects)) {
      // What we wrote ourselves meanwhile is newer than the list.
      if (this.#objects.get(name) === before.get(name)) this.#suspects.set(name, suspect);
    }
  }

  #settle(): void {
    for (const [name, { listed, had }] of this.#suspects) {
      const current = this.#objects.get(name);
      if (current?.metadata.resourceVersion !== had) continue;
      this.#missed += 1;
      if (listed) this.#put(listed);
      else if (current) this.#remove(current);
    }
    this.#suspects.clear();
  }

  async #readAll(): Promise<{ readonly objects: ReadonlyMap<string, T>; readonly version: string }> {
    const objects = new Map<string, T>();
    let token: string | undefined;
    let version = '';
    do {
      const page: List<T> = await this.#options.client.request('GET', this.#options.path, {
        query: { limit: PAGE_SIZE, continue: token },
        signal: this.#stop.signal,
      });
      for (const object of page.items) objects.set(object.metadata.name, object);
      version = page.metadata.resourceVersion;
      token = page.metadata.continue || undefined;
    } while (token);
    this.#lastSignOfLife = Date.now();
    this.#listedAt = Date.now();
    return { objects, version };
  }

  #differences(listed: ReadonlyMap<string, T>): Map<string, Suspect<T>> {
    const names = new Set([...this.#objects.keys(), ...listed.keys()]);
    const differing = new Map<string, Suspect<T>>();
    for (const name of names) {
      const had = this.#objects.get(name)?.metadata.resourceVersion;
      const object = listed.get(name);
      if (object?.metadata.resourceVersion !== had) differing.set(name, { listed: object, had });
    }
    return differing;
  }

  async #watch(): Promise<void> {
    const silence = new AbortController();
    const { watchSeconds, silenceMs, relistMs } = this.#timing;
    const { min, max } = watchSeconds;
    const untilRelist = (this.#listedAt + relistMs - Date.now()) / 1000;
    const started = Date.now();
    this.#heard = false;
    const events = this.#options.client.watch(this.#options.path, {
      query: {
        resourceVersion: this.#resourceVersion,
        allowWatchBookmarks: true,
        timeoutSeconds: Math.max(1, Math.ceil(Math.min(min + Math.random() * (max - min), untilRelist))),
      },
      signal: AbortSignal.any([this.#stop.signal, silence.signal]),
    });
    const watchdog = setTimeout(
      () => silence.abort(new Error(`the API server said nothing for ${silenceMs / 1000} s`)),
      silenceMs,
    );
    try {
      for await (const event of events) {
        watchdog.refresh();
        this.#lastSignOfLife = Date.now();
        this.#take(event as WatchEvent<T>);
      }
    } finally {
      clearTimeout(watchdog);
    }
    this.#settle();
    if (!this.#heard && Date.now() - started < SHORT_MS) throw new Error('the API server ended the watch at once');
  }

  #take(event: WatchEvent<T>): void {
    if (event.type === 'ERROR') {
      throw new KubernetesError(event.object.code, event.object.reason, event.object.message);
    }
    this.#heard = true;
    if (event.type === 'DELETED') this.#forget(event.object);
    else if (event.type !== 'BOOKMARK') this.#follow(event.object);
    this.#resourceVersion = event.object.metadata.resourceVersion;
    if (event.type === 'BOOKMARK') this.#settle();
  }

  /** The watch tells of each of our own writes after its answer: then it is behind the copy, which must not go back. */
  #follow(object: T): void {
    if (this.#ended.has(object.metadata.uid)) return;
    const current = this.#objects.get(object.metadata.name);
    if (!current || !isOlder(object, current)) this.#put(object);
  }

  #put(object: T): void {
    const previous = this.#objects.get(object.metadata.name);
    this.#objects.set(object.metadata.name, object);
    if (!previous) this.#options.onChange({ type: 'added', object });
    else if (previous.metadata.uid !== object.metadata.uid) {
      this.#options.onChange({ type: 'deleted', object: previous });
      this.#options.onChange({ type: 'added', object });
    } else if (previous.metadata.resourceVersion !== object.metadata.resourceVersion) {
      this.#options.onChange({ type: 'modified', object, previous });
    }
  }

  #forget(object: T): void {
    if (!this.#ended.delete(object.metadata.uid)) this.#remove(object);
  }

  #remove(object: T): void {
    if (this.#objects.delete(object.metadata.name)) this.#options.onChange({ type: 'deleted', object });
  }
}

interface List<T> {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items: readonly T[];
}

type WatchEvent<T> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'; readonly object: T }
  | { readonly type: 'ERROR'; readonly object: { code: number; reason: string; message: string } };

/** Whether it is an earlier state of the same object. The API server counts resource versions up, in decimal digits. */
function isOlder({ metadata: a }: KubernetesObject, { metadata: b }: KubernetesObject): boolean {
  const [x, y] = [a.resourceVersion, b.resourceVersion];
  return a.uid === b.uid && (x.length === y.length ? x < y : x.length < y.length);
}

/** 410 comes as the answer's status, as an event in the stream, or for a page's `continue`. */
function isExpired(error: unknown): boolean {
  return error instanceof KubernetesError && error.status === 410;
}
