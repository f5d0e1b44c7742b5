import { describe, expect, it } from '@jest/globals';
import { BACKEND_NAMES } from '../backends/backend.ts';
import { BackendError } from '../backends/errors.ts';
import { backendConditions, mergeConditions, readyCondition, syncedCondition } from './conditions.ts';
import type { Outcomes } from './outcome.ts';
import { hospitalObject } from './testing.ts';

const fine: Outcomes = Object.fromEntries(
  BACKEND_NAMES.map((backend) => [backend, { backend, externalId: 'x', changes: [] }]),
);

describe('mergeConditions', () => {
  const before = {
    type: 'Ready',
    status: 'False',
    reason: 'Provisioning',
    message: 'the hospital is being made',
    observedGeneration: 1,
    lastTransitionTime: '2026-01-01T00:00:00Z',
  } as const;
  const hospital = hospitalObject({ generation: 2, status: { conditions: [before] } });

  it('keeps the time while the status stays the same', () => {
    const [merged] = mergeConditions(hospital, [{ ...before, reason: 'Conflict' }], '2026-06-01T00:00:00Z');
    expect(merged).toMatchObject({
      reason: 'Conflict',
      observedGeneration: 2,
      lastTransitionTime: before.lastTransitionTime,
    });
  });

  it('changes the time with the status', () => {
    const [merged] = mergeConditions(hospital, [{ ...before, status: 'True' }], '2026-06-01T00:00:00Z');
    expect(merged?.lastTransitionTime).toBe('2026-06-01T00:00:00Z');
  });
});

describe('readyCondition', () => {
  it('is True only when all backends are right and the gateway serves the hospital', () => {
    expect(readyCondition(hospitalObject(), fine, undefined)).toMatchObject({ status: 'True', reason: 'Ready' });
    expect(readyCondition(hospitalObject(), fine, 'not yet')).toMatchObject({
      status: 'False',
      reason: 'NotServedYet',
    });
    const { gateway: _, ...three } = fine;
    expect(readyCondition(hospitalObject(), three, undefined)).toMatchObject({
      status: 'False',
      reason: 'Provisioning',
    });
  });

  it('names the culprit', () => {
    const error = new BackendError('Unavailable', 'PostgreSQL at db:5432/hms can not be reached');
    const outcomes = { ...fine, database: { backend: 'database', externalId: 'x', changes: [], error } } as const;
    expect(readyCondition(hospitalObject(), outcomes, undefined)).toMatchObject({
      status: 'False',
      reason: 'BackendUnavailable',
      message: error.message,
    });
  });

  it('says that a suspended hospital is not served', () => {
    const suspended = hospitalObject({ spec: { state: 'Suspended' } });
    expect(readyCondition(suspended, fine, undefined)).toMatchObject({ status: 'False', reason: 'Suspended' });
  });
});

describe('a hospital whose schema is behind', () => {
  const behind = { reason: 'MigrationFailed', message: 'served on version 1 of 2: mend it' } as const;

  it('stays Ready, and says in DatabaseReady and Synced what to do', () => {
    expect(readyCondition(hospitalObject(), fine, undefined)).toMatchObject({ status: 'True' });
    expect(backendConditions(fine, behind)).toContainEqual({ type: 'DatabaseReady', status: 'True', ...behind });
    expect(syncedCondition(fine, behind)).toEqual({ type: 'Synced', status: 'False', ...behind });
  });

  it('says first what keeps it from being served', () => {
    const database = {
      backend: 'database',
      externalId: 'x',
      changes: [],
      error: new BackendError('Conflict', 'no'),
    } as const;
    expect(backendConditions({ ...fine, database }, behind)).toContainEqual(
      expect.objectContaining({ type: 'DatabaseReady', status: 'False', reason: 'Conflict' }),
    );
  });
});
