import { type Backoff, backoffDelay } from './backoff.ts';

/**
 * Keys that wait for a worker. A key is in it once, however often it is added; it is never handed to two workers at a
 * time; one that is added while a worker has it is handed out once more afterwards.
 */
export class Workqueue {
  readonly #backoff: Backoff;
  readonly #ready = new Set<string>();
  readonly #processing = new Set<string>();
  /** Added while a worker had them. */
  readonly #dirty = new Set<string>();
  readonly #timers = new Map<string, { readonly due: number; readonly timer: NodeJS.Timeout }>();
  readonly #failures = new Map<string, number>();
  readonly #waiting: ((key: string | undefined) => void)[] = [];
  #closed = false;

  constructor(backoff: Backoff) {
    this.#backoff = backoff;
  }

  /** How many keys wait for a worker. */
  get depth(): number {
    return this.#ready.size;
  }

  /** Hands the key to a worker as soon as one is free. */
  add(key: string): void {
    if (this.#closed) return;
    this.#cancelTimer(key);
    if (this.#processing.has(key)) {
      this.#dirty.add(key);
      return;
    }
    const worker = this.#waiting.shift();
    if (worker) {
      this.#processing.add(key);
      worker(key);
    } else {
      this.#ready.add(key);
    }
  }

  /** Adds the key after a while; of several times for one key the earliest counts. */
  addAfter(key: string, delayMs: number): void {
    if (this.#closed) return;
    const due = Date.now() + delayMs;
    const earlier = this.#timers.get(key);
    if (earlier && earlier.due <= due) return;
    this.#cancelTimer(key);
    const timer = setTimeout(() => this.add(key), delayMs);
    this.#timers.set(key, { due, timer });
  }

  /** Adds the key after a delay that doubles with each call since `forget`. @returns the delay in ms. */
  retry(key: string): number {
    const failures = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, failures);
    const delay = backoffDelay(this.#backoff, failures);
    this.addAfter(key, delay);
    return delay;
  }

  /** The key succeeded: the next `retry` starts at the smallest delay again. */
  forget(key: string): void {
    this.#failures.delete(key);
  }

  /** Drops all that waits for the key; for objects that are gone. */
  remove(key: string): void {
    this.#cancelTimer(key);
    this.#ready.delete(key);
    this.#dirty.delete(key);
    this.#failures.delete(key);
  }

  /** @returns the next key, or undefined once the queue is closed. Call `done` with it. */
  get(): Promise<string | undefined> {
    if (this.#closed) return Promise.resolve(undefined);
    const [key] = this.#ready;
    if (key === undefined) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#ready.delete(key);
    this.#processing.add(key);
    return Promise.resolve(key);
  }

  /** The worker is through with the key. */
  done(key: string): void {
    this.#processing.delete(key);
    if (this.#dirty.delete(key)) this.add(key);
  }

  /** Hands out nothing more, and lets waiting workers go. */
  close(): void {
    this.#closed = true;
    for (const { timer } of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    this.#ready.clear();
    for (const worker of this.#waiting.splice(0)) worker(undefined);
  }

  #cancelTimer(key: string): void {
    const waiting = this.#timers.get(key);
    if (!waiting) return;
    clearTimeout(waiting.timer);
    this.#timers.delete(key);
  }
}
