/** What was observed of one thing that the platform needs. */
export interface Finding {
  /** What was looked at, the engine first, like `postgres version`. */
  readonly name: string;
  readonly status: 'ok' | 'warning' | 'failed';
  readonly observed: string;
  /** What to do, where something is not as it should be. */
  readonly remedy?: string;
}

/** Longest time of one step, in ms. */
export const PATIENCE_MS = 5_000;

/** Milliseconds by which two clocks may differ: tokens and signed requests are refused when they differ by more. */
const CLOCK_TOLERANCE_MS = 5_000;

export function ok(name: string, observed: string): Finding {
  return { name, status: 'ok', observed };
}

export function warning(name: string, observed: string, remedy: string): Finding {
  return { name, status: 'warning', observed, remedy };
}

export function failed(name: string, observed: string, remedy: string): Finding {
  return { name, status: 'failed', observed, remedy };
}

/** Whether a version is new enough, compared number by number; `26` is not older than `26`. */
export function atLeast(version: string, wanted: string): boolean {
  const [have, want] = [version, wanted].map((text) => (text.match(/\d+/g) ?? []).map(Number));
  for (const [index, number] of (want ?? []).entries()) {
    const own = have?.[index] ?? 0;
    if (own !== number) return own > number;
  }
  return true;
}

/** Compares an engine's clock with this machine's. @param theirs ms since 1970; @param precision of it, in ms. */
export function clock(engine: string, theirs: number, precision = 0, now = Date.now()): Finding {
  const name = `${engine} clock`;
  const off = Math.max(0, Math.abs(theirs - now) - precision);
  const observed = off < 1000 ? 'as here' : `${Math.round(off / 1000)} s ${theirs < now ? 'behind' : 'ahead'}`;
  if (off <= CLOCK_TOLERANCE_MS) return ok(name, observed);
  return warning(name, observed, 'let both machines take their time from the same NTP servers');
}

/** The sentence of anything that was thrown, with its cause. */
export function reason(error: unknown): string {
  if (!Error.isError(error)) return String(error);
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return `no answer in ${PATIENCE_MS / 1000} s`;
  const { cause } = error;
  const inner = Error.isError(cause) ? reason(cause) : '';
  // several addresses that all refused have no message of their own
  const own = error.message || ('code' in error ? String(error.code) : error.name);
  return inner ? `${own}: ${inner}` : own;
}
