/** The result of one check. */
export interface Finding {
  /** The name of the check, starting with the engine, such as `postgres version`. */
  readonly name: string;
  readonly status: 'ok' | 'warning' | 'failed';
  readonly observed: string;
  /** What to do about a problem. */
  readonly remedy?: string;
}

/** Timeout of one step, in ms. */
export const PATIENCE_MS = 5_000;

/** Milliseconds by which two clocks may differ: beyond it, tokens and signed requests are refused. */
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

/** Whether a version is at least the minimum, compared number by number. */
export function atLeast(version: string, minimum: string): boolean {
  const [have, want] = [version, minimum].map((text) => (text.match(/\d+/g) ?? []).map(Number));
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
  const observed = off < 1000 ? 'in sync' : `${Math.round(off / 1000)} s ${theirs < now ? 'behind' : 'ahead'}`;
  if (off <= CLOCK_TOLERANCE_MS) return ok(name, observed);
  return warning(name, observed, 'synchronise both machines with the same NTP servers');
}

/** The message of any thrown value, with its cause. */
export function reason(error: unknown): string {
  if (!Error.isError(error)) return String(error);
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return `no answer in ${PATIENCE_MS / 1000} s`;
  const { cause } = error;
  const inner = Error.isError(cause) ? reason(cause) : '';
  // An error for several addresses has no message of its own.
  const own = error.message || ('code' in error ? String(error.code) : error.name);
  return inner ? `${own}: ${inner}` : own;
}
