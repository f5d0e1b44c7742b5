/** The health and readiness of a module. */

export interface Check {
  readonly name: string;
  /** Rejects when it fails. */
  run(): Promise<void>;
}

export interface CheckResult {
  readonly name: string;
  readonly ok: boolean;
  /** The error, as a sentence. */
  readonly problem?: string;
  /** ISO time of the first failure in a row. */
  readonly since?: string;
}

/** How long a check may take before it counts as failed. */
const CHECK_TIMEOUT = 2_000;

/**
 * Runs checks in parallel and records since when each has been failing.
 * Parallel calls share one run, so that probes cause no load.
 */
export function createReadiness(checks: readonly Check[], now: () => Date = () => new Date()) {
  const failingSince = new Map<string, string>();
  let running: Promise<readonly CheckResult[]> | undefined;

  async function runOne(check: Check): Promise<CheckResult> {
    try {
      await withTimeout(check.run(), CHECK_TIMEOUT);
      failingSince.delete(check.name);
      return { name: check.name, ok: true };
    } catch (error) {
      const since = failingSince.get(check.name) ?? now().toISOString();
      failingSince.set(check.name, since);
      return { name: check.name, ok: false, problem: describe(error), since };
    }
  }

  return (): Promise<readonly CheckResult[]> => {
    running ??= Promise.all(checks.map(runOne)).finally(() => {
      running = undefined;
    });
    return running;
  };
}

async function withTimeout(work: Promise<void>, milliseconds: number): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds / 1000} s`)), milliseconds);
  try {
    await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Errors of sockets that try several addresses have their messages in `errors`. */
function describe(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(describe).join('; ');
  return Error.isError(error) ? error.message : String(error);
}
