import { type Backoff, backoffDelay } from '@hms/kubernetes';

/** Why a key waits, most urgent first. */
export const PRIORITY = { deletion: 0, change: 1, retry: 2, resync: 3 } as const;
export type Priority = (typeof PRIORITY)[keyof typeof PRIORITY];

/**
 * How much longer a key must have waited to overtake one of the next higher priority.
 * So no key starves behind a stream of more urgent ones.
 */
const AGEING_MS = 30_000;

interface Waiting {
  readonly priority: Priority;
  readonly since: number;
}

/**
 * Keys that wait for a worker. A key is in it once, however often it is added. Two workers never have the same key.
 * A key that is added while a worker has it is returned once more afterwards. The most urgent key comes first,
 * and of equally urgent ones the one that has waited longest. A resync waits for running changes and deletions,
 * which people wait for, up to a maximum.
 */
export class Workqueue {
  readonly #backoff: Backoff;
  readonly #now: () => number;
  readonly #ready = new Map<string, Waiting>();
  readonly #processing = new Map<string, Priority>();
  /** Added while a worker had them. */
  readonly #dirty = new Map<string, Waiting>();
  readonly #timers = new Map<string, { readonly due: number; readonly timer: NodeJS.Timeout }>();
  readonly #failures = new Map<string, number>();
  readonly #waiting: ((key: string | undefined) => void)[] = [];
  #patience: NodeJS.Timeout | undefined;
  #closed = false;

  /** @param now monotonic milliseconds. */
  constructor(backoff: Backoff, now: () => number = () => performance.now()) {
    this.#backoff = backoff;
    this.#now = now;
  }

  /** How many keys wait for a worker. */
  get depth(): number {
    return this.#ready.size;
  }

  /** Wait of the key that has waited longest for a worker, in ms. */
  get oldestMs(): number {
    const since = Math.min(...[...this.#ready.values()].map((waiting) => waiting.since));
    return Number.isFinite(since) ? this.#now() - since : 0;
  }

  /** Passes the key to a worker as soon as one is free. */
  add(key: string, priority: Priority = PRIORITY.change): void {
    this.#put(key, { priority, since: this.#now() });
  }

  /** Adds the key after a delay. Of several delays for one key, the earliest counts. */
  addAfter(key: string, delayMs: number, priority: Priority = PRIORITY.resync): void {
    if (this.#closed) return;
    const due = this.#now() + delayMs;
    const earlier = this.#timers.get(key);
    if (earlier && earlier.due <= due) return;
    this.#cancelTimer(key);
    const timer = setTimeout(() => this.add(key, priority), delayMs);
    this.#timers.set(key, { due, timer });
  }

  /** Adds the key after a delay that doubles with each call since `forget`. @returns the delay in ms. */
  retry(key: string): number {
    const failures = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, failures);
    const delay = backoffDelay(this.#backoff, failures);
    this.addAfter(key, delay, PRIORITY.retry);
    return delay;
  }

  /** The key succeeded: the next `retry` starts at the smallest delay again. */
  forget(key: string): void {
    this.#failures.delete(key);
  }

  /** Drops everything pending for the key of a deleted object. */
  remove(key: string): void {
    this.#cancelTimer(key);
    this.#ready.delete(key);
    this.#dirty.delete(key);
    this.#failures.delete(key);
  }

  /** @returns the next key, or undefined once the queue is closed. Call `done` with it. */
  get(): Promise<string | undefined> {
    if (this.#closed) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#handOut();
    });
  }

  /** The worker has finished the key. */
  done(key: string): void {
    this.#processing.delete(key);
    const again = this.#dirty.get(key);
    this.#dirty.delete(key);
    if (again) this.#put(key, again);
    else this.#handOut();
  }

  /** Returns no more keys, and releases waiting workers. */
  close(): void {
    this.#closed = true;
    for (const { timer } of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    clearTimeout(this.#patience);
    this.#ready.clear();
    for (const worker of this.#waiting.splice(0)) worker(undefined);
  }

  #put(key: string, entry: Waiting): void {
    if (this.#closed) return;
    this.#cancelTimer(key);
    const entries = this.#processing.has(key) ? this.#dirty : this.#ready;
    entries.set(key, moreUrgent(entries.get(key), entry));
    this.#handOut();
  }

  #handOut(): void {
    clearTimeout(this.#patience);
    while (this.#waiting.length > 0) {
      const next = this.#mostUrgent();
      if (!next) {
        // Only held resyncs wait, and the change that they wait for may take minutes without any other event.
        if (this.depth > 0) this.#patience = setTimeout(() => this.#handOut(), Math.ceil(AGEING_MS - this.oldestMs));
        return;
      }
      this.#ready.delete(next.key);
      this.#processing.set(next.key, next.priority);
      this.#waiting.shift()?.(next.key);
    }
  }

  #mostUrgent(): { readonly key: string; readonly priority: Priority } | undefined {
    const isSomebodyWaiting = [...this.#processing.values()].some((priority) => priority <= PRIORITY.change);
    const restedSince = this.#now() - AGEING_MS;
    let best: { readonly key: string; readonly priority: Priority; readonly score: number } | undefined;
    for (const [key, { priority, since }] of this.#ready) {
      if (isSomebodyWaiting && priority === PRIORITY.resync && since > restedSince) continue;
      const score = since + priority * AGEING_MS;
      if (!best || score < best.score) best = { key, priority, score };
    }
    return best;
  }

  #cancelTimer(key: string): void {
    const waiting = this.#timers.get(key);
    if (!waiting) return;
    clearTimeout(waiting.timer);
    this.#timers.delete(key);
  }
}

/** A key that is added again keeps or improves its place. */
function moreUrgent(before: Waiting | undefined, now: Waiting): Waiting {
  if (!before) return now;
  return now.priority < before.priority ? { ...now, since: before.since } : before;
}
