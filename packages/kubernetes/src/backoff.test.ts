import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { backoffDelay, jitter } from './backoff.ts';

const backoffs = fc
  .tuple(fc.integer({ min: 1, max: 60_000 }), fc.integer({ min: 0, max: 3_600_000 }))
  .map(([baseMs, more]) => ({ baseMs, maxMs: baseMs + more }));
const shares = fc.double({ min: 0, max: 1, noNaN: true });
const failures = fc.integer({ min: 1, max: 1_000_000 });

describe('backoffDelay', () => {
  it('is at most the maximum, and at least half of the step', () => {
    fc.assert(
      fc.property(backoffs, failures, shares, (backoff, count, random) => {
        const delay = backoffDelay(backoff, count, random);
        expect(delay).toBeLessThanOrEqual(backoff.maxMs);
        expect(delay).toBeGreaterThanOrEqual(backoff.baseMs / 2);
      }),
    );
  });

  it('doubles with each failure up to the maximum', () => {
    fc.assert(
      fc.property(backoffs, failures, shares, (backoff, count, random) => {
        const [delay, next] = [count, count + 1].map((n) => backoffDelay(backoff, n, random)) as [number, number];
        const longest = backoffDelay({ ...backoff, baseMs: backoff.maxMs }, 1, random);
        expect(next).toBeCloseTo(Math.min(delay * 2, longest), 5);
      }),
    );
  });

  it('spreads simultaneous failures over half of the step', () => {
    expect(backoffDelay({ baseMs: 1000, maxMs: 8000 }, 3, 0)).toBe(2000);
    expect(backoffDelay({ baseMs: 1000, maxMs: 8000 }, 3, 1)).toBe(4000);
  });
});

describe('jitter', () => {
  it('changes a time by at most the share, in both directions', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e9 }), shares, shares, (ms, share, random) => {
        expect(Math.abs(jitter(ms, share, random) - ms)).toBeLessThanOrEqual(ms * share + 1e-6);
      }),
    );
    expect([jitter(100, 0.2, 0), jitter(100, 0.2, 1)]).toEqual([80, 120]);
  });
});
