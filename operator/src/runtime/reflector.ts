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
}

const PAGE_SIZE = 500;
const BACKOFF: Backoff = { baseMs: 500, maxMs: 30_000 };
/** The server ends a watch after a random time in this range, so that many watchers don't come back at once. */
const WATCH_SECONDS = { min: 240, max: 480 };
/** Bookmarks come about once a minute: a watch without a line for this long is a dead connection. */
const SILENCE_MS = 150_000;

/**
 * Keeps a copy of a collection: one list, then a watch from there on, resumed where it broke off.
 * When the server no longer has that point (410), the list is read again and what was missed is reported as changes.
 */
export class Reflector<T extends KubernetesObject> {
  readonly #options: ReflectorOptions<T>;
  readonly #objects = new Map<string, T>();
  readonly #stop = new AbortController();
  #synced = false;
  #resourceVersion: string | undefined;
  #missed = 0;
  #lastSignOfLife = Date.now();
  #running: Promise<void> | undefined;

  constructor(options: ReflectorOptions<T>) {
    this.#options = options;
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

  /** Puts an answer to our own write into the copy, unless something newer has come in since it was read. */
  replace(read: T, written: T): void {
    const current = this.#objects.get(read.metadata.name);
    if (current?.metadata.resourceVersion === read.metadata.resourceVersion) {
      this.#objects.set(read.metadata.name, written);
    }
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
      const started = Date.now();
      try {
        if (this.#resourceVersion === undefined) await this.#list();
        await this.#watch();
        failures = 0;
      } catch (error) {
        if (this.#stop.signal.aborted) return;
        if (isExpired(error)) {
          logger.info({ path }, 'the watch is too old to be resumed: reading the list again');
          this.#resourceVersion = undefined;
          continue;
        }
        // What worked for a while and then broke starts with the shortest delay again.
        failures = this.#lastSignOfLife > started ? 1 : failures + 1;
        const delay = backoffDelay(BACKOFF, failures);
        logger.warn({ path, err: error, retryInMs: Math.round(delay) }, 'lost the API server');
        await sleep(delay, undefined, { signal: this.#stop.signal }).catch(() => undefined);
      }
    }
  }

  async #list(): Promise<void> {
    const seen = new Map<string, T>();
    let token: string | undefined;
    let version = '';
    do {
      const page: List<T> = await this.#options.client.request('GET', this.#options.path, {
        query: { limit: PAGE_SIZE, continue: token },
        signal: this.#stop.signal,
      });
      for (const object of page.items) seen.set(object.metadata.name, object);
      version = page.metadata.resourceVersion;
      token = page.metadata.continue || undefined;
    } while (token);
    this.#lastSignOfLife = Date.now();
    if (this.#synced) this.#missed += this.#differences(seen);
    for (const [name, object] of this.#objects) if (!seen.has(name)) this.#remove(object);
    for (const object of seen.values()) this.#put(object);
    this.#resourceVersion = version;
    this.#synced = true;
  }

  #differences(seen: ReadonlyMap<string, T>): number {
    const gone = [...this.#objects.keys()].filter((name) => !seen.has(name)).length;
    const changed = [...seen.values()].filter(
      ({ metadata }) => this.#objects.get(metadata.name)?.metadata.resourceVersion !== metadata.resourceVersion,
    ).length;
    return gone + changed;
  }

  async #watch(): Promise<void> {
    const silence = new AbortController();
    const { min, max } = WATCH_SECONDS;
    const events = this.#options.client.watch(this.#options.path, {
      query: {
        resourceVersion: this.#resourceVersion,
        allowWatchBookmarks: true,
        timeoutSeconds: Math.round(min + Math.random() * (max - min)),
      },
      signal: AbortSignal.any([this.#stop.signal, silence.signal]),
    });
    const watchdog = setTimeout(
      () => silence.abort(new Error(`the API server said nothing for ${SILENCE_MS / 1000} s`)),
      SILENCE_MS,
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
  }

  #take(event: WatchEvent<T>): void {
    if (event.type === 'ERROR') {
      throw new KubernetesError(event.object.code, event.object.reason, event.object.message);
    }
    if (event.type === 'DELETED') this.#remove(event.object);
    else if (event.type !== 'BOOKMARK') this.#put(event.object);
    this.#resourceVersion = event.object.metadata.resourceVersion;
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

/** 410 comes as the answer's status, as an event in the stream, or for a page's `continue`. */
function isExpired(error: unknown): boolean {
  return error instanceof KubernetesError && error.status === 410;
}
