import { describe, expect, it } from '@jest/globals';
import type { ManagedHospital } from './hospitals.queries.ts';
import { stepsOf } from './stalled.ts';

const SINCE = '2026-01-05T08:00:00Z';
const at = (seconds: number) => Date.parse(SINCE) + seconds * 1000;

function hospital(usualSeconds: number | null, changes: Partial<ManagedHospital> = {}): ManagedHospital {
  const condition = { type: 'IdentityReady', status: 'False', reason: 'BackendUnavailable', message: 'no answer' };
  return {
    state: 'Active',
    status: 'Provisioning',
    isPaused: false,
    conditions: [{ ...condition, since: SINCE, isCurrent: true, usualSeconds }],
    ...changes,
  } as ManagedHospital;
}

describe('a step', () => {
  it('is stalled after four times the usual, and not before 20 s', () => {
    expect(stepsOf(hospital(10), at(39))[0]?.isStalled).toBe(false);
    expect(stepsOf(hospital(10), at(41))[0]?.isStalled).toBe(true);
    expect(stepsOf(hospital(1), at(19))[0]?.isStalled).toBe(false);
    expect(stepsOf(hospital(null), at(21))[0]).toMatchObject({ isStalled: true, runningFor: 21 });
  });

  it('is not stalled when nobody waits for it', () => {
    for (const changes of [{ state: 'Suspended' }, { isPaused: true }, { status: 'Deleting' }] as const)
      expect(stepsOf(hospital(1, changes), at(1000))[0]?.isStalled).toBe(false);
  });

  it('is over when its condition is true, and a condition that does not hold is not shown', () => {
    const steps = stepsOf(
      hospital(1, {
        conditions: [
          {
            type: 'Ready',
            status: 'True',
            reason: 'Ready',
            message: '',
            since: SINCE,
            isCurrent: true,
            usualSeconds: 1,
          },
          {
            type: 'Suspended',
            status: 'False',
            reason: 'Active',
            message: '',
            since: SINCE,
            isCurrent: true,
            usualSeconds: null,
          },
        ],
      }),
      at(1000),
    );
    expect(steps.map(({ type, isStalled, runningFor }) => [type, isStalled, runningFor])).toEqual([
      ['Ready', false, undefined],
    ]);
  });
});
