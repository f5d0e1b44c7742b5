import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { leaderTiming } from './leader.ts';

describe('leaderTiming', () => {
  it('allows several renewal attempts before the leader gives up, and ends them before another one may lead', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3_600 }), (seconds) => {
        const { leaseMs, renewWithinMs, retryMs } = leaderTiming(seconds);
        expect(leaseMs).toBe(seconds * 1000);
        expect(renewWithinMs).toBeLessThan(leaseMs);
        expect(retryMs * 4).toBeLessThanOrEqual(renewWithinMs);
        for (const ms of [leaseMs, renewWithinMs, retryMs]) expect(Number.isInteger(ms)).toBe(true);
      }),
    );
  });
});
