import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Backoff, backoffDelay } from './backoff.ts';
import { type KubernetesClient, KubernetesError, type KubernetesObject } from './client.ts';

export type Change<T> =
  | { readonly type: 'added'; readonly object: T }
  | { readonly type: 'modified'; readonly object: T; readonly previous: T }
  | { readonly type: 'deleted'; readonly object: T };

export interface ReflectorOptions<T> {
  readonly client: KubernetesClient;
  /** Path of the collection, such as `/apis/hms.dev/v1/hospitals`. */
  readonly path: string;
  readonly logger: Logger;
  /** Called for every change. Must not throw or block. */
  readonly onChange: (change: Change<T>) => void;
  /** Called when the collection was read completely for the first time. Must not throw or block. */
  readonly onSynced?: () => void;
  /** Called when the server is lost, and when it answers again. Must not throw or block. */
  readonly onContact?: () => void;
  readonly timing?: Partial<ReflectorTiming>;
}

export interface ReflectorTiming {
  readonly backoff: Backoff;
  /** The server ends a watch after a random time in this range, so that many watchers don't reconnect together. */
  readonly watchSeconds: { readonly min: number; readonly max: number };
  /** Bookmarks come about once a minute: a watch without a line for this long is a dead connection. */
  readonly silenceMs: number;
  /** How often the cache is compared with a new list. */
  readonly relistMs: number;
}

const TIMING: ReflectorTiming = {
  backoff: { baseMs: 500, maxMs: 30_000 },
  watchSeconds: { min: 240, max: 480 },
  silenceMs: 150_000,
  relistMs: 600_000,
};
const PAGE_SIZE = 500;
/** A watch that ends sooner, without an event, is a failure. */
const SHORT_MS = 1_000;

/** How a cached object differed from a list. The watch may just be late. */
interface Suspect<T> {
  readonly listed: T | undefined;
  /** resourceVersion in the cache at that time. */
  readonly had: string | undefined;
}

/**
 * Keeps a cache of a collection: one list, then a watch from that version, resumed after each interruption.
 * If the server no longer has that version (410), the list is read again and missed changes are reported.
 * The cache is also compared with a list periodically: what the watch has not reported by its next bookmark,
 * it has missed.
 */
export class Reflector<T extends KubernetesObject> {
  readonly #options: ReflectorOptions<T>;
  readonly #objects = new Map<string, T>();
  readonly #stop = new AbortController();
  readonly #timing: ReflectorTiming;
  readonly #suspects = new Map<string, Suspect<T>>();
  /** Uids of objects that our own write has ended, until the watch or a list confirms it. */
  readonly #ended = new Set<string>();
  #listedAt = 0;
  /** Whether the last watch has received an event. */
  #heard = false;
  #synced = false;
  #resourceVersion: string | undefined;
  #missed = 0;
  #lastSignOfLife = Date.now();
  #lostSince: number | undefined;
  #running: Promise<void> | undefined;

  constructor(options: ReflectorOptions<T>) {
    this.#options = options;
    this.#timing = { ...TIMING, ...options.timing };
  }

  /** Whether the collection was read completely at least once. */
  get synced(): boolean {
    return this.#synced;
  }

  /** Since when the server can't be reached, in ms since 1970. Undefined while it can. */
  get lostSince(): number | undefined {
    return this.#lostSince;
  }

  /** When the server last sent anything, in ms since 1970. */
  get lastSignOfLife(): number {
    return this.#lastSignOfLife;
  }

  /** Milliseconds since the server last sent anything. */
  get silentMs(): number {
    return Date.now() - this.#lastSignOfLife;
  }

  /** Changes in a later list that the watch had not reported. */
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
   * Puts the response of our own write into the cache, unless a newer version is there. It may contain another
   * writer's change that the watch has not reported yet, so it is reported as a change too.
   */
  replace(written: T): void {
    const current = this.#objects.get(written.metadata.name);
    if (current && isOlder(current, written)) this.#put(written);
  }

  /**
   * Our own write has ended the object: it is removed immediately, and later events of the watch about it are ignored.
   */
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
        if (!isExpired(error)) this.#setLost(true);
        // A watch that worked for a while and then broke starts with the shortest delay again.
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
    if (this.#synced) return;
    this.#synced = true;
    this.#options.onSynced?.();
  }

  /** The watch resumes at its version, so recent changes are reported by it and do not count as missed. */
  async #compare(): Promise<void> {
    const before = new Map(this.#objects);
    const { objects } = await this.#readAll();
    this.#suspects.clear();
    for (const [name, suspect] of this.#differences(objects)) {
      // Our own writes meanwhile are newer than the list.
      if (this.#objects.get(name) === before.get(name)) this.#suspects.set(name, suspect);
    }
  }

  #answered(): void {
    this.#lastSignOfLife = Date.now();
    this.#setLost(false);
  }

  #setLost(isLost: boolean): void {
    if (isLost === (this.#lostSince !== undefined)) return;
    this.#lostSince = isLost ? Date.now() : undefined;
    this.#options.onContact?.();
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
    this.#answered();
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
      onOpen: () => this.#answered(),
    });
    const watchdog = setTimeout(
      () => silence.abort(new Error(`the API server sent nothing for ${silenceMs / 1000} s`)),
      silenceMs,
    );
    try {
      for await (const event of events) {
        watchdog.refresh();
        this.#answered();
        this.#take(event as WatchEvent<T>);
      }
    } finally {
      clearTimeout(watchdog);
    }
    this.#settle();
    if (!this.#heard && Date.now() - started < SHORT_MS) throw new Error('the API server ended the watch immediately');
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

  /**
   * The watch reports each of our own writes after its response: its event is older than the cache, which must not go
   * back.
   */
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

/** Whether it is an earlier state of the same object. Resource versions are increasing decimal numbers. */
function isOlder({ metadata: a }: KubernetesObject, { metadata: b }: KubernetesObject): boolean {
  const [x, y] = [a.resourceVersion, b.resourceVersion];
  return a.uid === b.uid && (x.length === y.length ? x < y : x.length < y.length);
}

/** 410 comes as the response's status, as an event in the stream, or for a page's `continue`. */
function isExpired(error: unknown): boolean {
  return error instanceof KubernetesError && error.status === 410;
}
