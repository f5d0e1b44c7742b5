import type fc from 'fast-check';

/**
 * Settings of a fuzz test: its seed is new in each run, written down, and FUZZ_SEED brings one back; it ends after so
 * many rounds or so many seconds, whichever comes first. FUZZ_TIMES=10 makes that ten times as many.
 */
export function bounded<T>(numRuns: number, seconds = 15): fc.Parameters<T> {
  return {
    seed: SEED,
    numRuns: numRuns * TIMES,
    interruptAfterTimeLimit: seconds * 1000 * TIMES,
    markInterruptAsFailure: false,
  };
}

const TIMES = Number(process.env.FUZZ_TIMES ?? 1);
const SEED = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));
process.stderr.write(`  fuzz tests with FUZZ_SEED=${SEED}\n`);
