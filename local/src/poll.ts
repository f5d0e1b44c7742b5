import { setTimeout as delay } from 'node:timers/promises';

export interface Patience {
  /** Timeout in milliseconds. */
  readonly timeout: number;
  /** Interval in milliseconds. */
  readonly interval?: number;
  readonly signal?: AbortSignal;
}

/** Polls until `read` returns a value. @returns undefined after the timeout. */
export async function poll<T>(
  read: () => Promise<T | undefined> | T | undefined,
  patience: Patience,
): Promise<T | undefined> {
  const end = Date.now() + patience.timeout;
  for (;;) {
    patience.signal?.throwIfAborted();
    const value = await read();
    if (value !== undefined) return value;
    if (Date.now() >= end) return undefined;
    await delay(patience.interval ?? 100, undefined, patience.signal ? { signal: patience.signal } : {});
  }
}
