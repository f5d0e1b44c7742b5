import { jest } from '@jest/globals';
import type fc from 'fast-check';

/**
 * Settings of a fuzz test. Each run has a new seed, which it prints, and FUZZ_SEED repeats one. The test ends after so
 * many rounds or so many seconds, whichever comes first. FUZZ_TIMES=10 multiplies both by ten.
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
jest.setTimeout(60_000 * TIMES);
process.stderr.write(`  fuzz tests with FUZZ_SEED=${SEED}\n`);
