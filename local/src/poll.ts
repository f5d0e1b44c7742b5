import { setTimeout as delay } from 'node:timers/promises';

export interface Patience {
  /** Milliseconds until giving up. */
  readonly timeout: number;
  /** Milliseconds between two looks. */
  readonly interval?: number;
  readonly signal?: AbortSignal;
}

/** Looks again and again until `look` gives something. @returns undefined when the time is over. */
export async function poll<T>(
  look: () => Promise<T | undefined> | T | undefined,
  patience: Patience,
): Promise<T | undefined> {
  const end = Date.now() + patience.timeout;
  for (;;) {
    patience.signal?.throwIfAborted();
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() >= end) return undefined;
    await delay(patience.interval ?? 100, undefined, patience.signal ? { signal: patience.signal } : {});
  }
}
