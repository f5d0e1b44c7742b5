/** Exponential delay with full jitter: anywhere from half of the step to the whole step. */
export interface Backoff {
  readonly baseMs: number;
  readonly maxMs: number;
}

/**
 * @param failures the number of failures in a row, at least 1.
 * @param random a number from 0 to 1.
 * @returns milliseconds to wait.
 */
export function backoffDelay({ baseMs, maxMs }: Backoff, failures: number, random = Math.random()): number {
  const step = Math.min(maxMs, baseMs * 2 ** Math.min(failures - 1, 30));
  return step / 2 + (step / 2) * random;
}

/** @returns `ms` lengthened or shortened by at most `share` of it. */
export function jitter(ms: number, share: number, random = Math.random()): number {
  return ms * (1 + share * (2 * random - 1));
}
