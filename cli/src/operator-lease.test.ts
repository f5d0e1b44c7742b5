import { describe, expect, it } from '@jest/globals';
import { silenceOf } from './operator-lease.ts';

const at = (seconds: number) => new Date(seconds * 1000).toISOString();
const lease = (renewed: number, holderIdentity = 'one') => ({
  metadata: { namespace: 'default' },
  spec: { holderIdentity, leaseDurationSeconds: 15, renewTime: at(renewed) },
});

describe('the Lease of the operator', () => {
  it('tells that the operator answers until it is over', () => {
    expect(silenceOf([lease(100)], 115_000)).toBeUndefined();
    expect(silenceOf([lease(100)], 116_000)).toBe(
      `the operator has not answered since ${at(100)} (Lease hms-operator in default)`,
    );
  });

  it('tells that the operator has ended, or never ran', () => {
    expect(silenceOf([lease(100, '')], 101_000)).toMatch(/no operator runs: the last one ended at/);
    expect(silenceOf([], 0)).toMatch(/no operator has run on this cluster yet/);
  });

  it('is the latest of several', () => {
    expect(silenceOf([lease(10), lease(100)], 101_000)).toBeUndefined();
  });
});
