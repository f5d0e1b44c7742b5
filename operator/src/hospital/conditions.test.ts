import type { Condition } from '@hms/hospitals';
import { describe, expect, it } from '@jest/globals';
import { BackendError } from '../backends/errors.ts';
import {
  backendConditions,
  backendStatuses,
  mergeConditions,
  planOf,
  readyCondition,
  suspendedCondition,
  syncedCondition,
  unclaimedConditions,
} from './conditions.ts';
import type { Outcomes } from './outcome.ts';
import { backendsWith, FINE as fine, hospitalObject, outcomesWith } from './testing.ts';

const backends = backendsWith(() => ({}));

describe('mergeConditions', () => {
  const before = {
    type: 'Ready',
    status: 'False',
    reason: 'Provisioning',
    message: 'the hospital is being provisioned',
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

describe('backendStatuses', () => {
  const status = {
    backends: { gateway: { state: 'Ready', reason: 'x', message: 'x', externalId: 'x', appliedHash: 'before' } },
  } as const;
  const hashAfter = (outcome: Parameters<typeof outcomesWith>[1]) =>
    backendStatuses(status, outcomesWith('gateway', outcome)).gateway?.appliedHash;

  it('have the hash of what was applied, also while something in the object waits', () => {
    const objection = new BackendError('Conflict', 'the host belongs to another hospital');
    expect(hashAfter({ hash: 'now' })).toBe('now');
    // Otherwise a return to the former object would look like a manual change.
    expect(hashAfter({ hash: 'now', objection })).toBe('now');
    expect(hashAfter({ error: new BackendError('Unavailable', 'away') })).toBe('before');
  });
});

describe('suspendedCondition', () => {
  const unavailable = (backend: 'identity' | 'storage') =>
    outcomesWith(backend, { error: new BackendError('Unavailable', 'away') });
  const judged = (state: 'Active' | 'Suspended', said: string | undefined, outcomes: Outcomes, missing?: string) => {
    const earlier = { type: 'Suspended', reason: 'x', message: 'x', observedGeneration: 1, lastTransitionTime: 'x' };
    const status = said ? { conditions: [{ ...earlier, status: said } as Condition] } : {};
    const { status: is, reason } = suspendedCondition(hospitalObject({ spec: { state }, status }), outcomes, missing);
    return `${is} ${reason}`;
  };

  it.each([
    ['a new hospital', judged('Active', undefined, outcomesWith('gateway', { pending: true })), 'False Active'],
    ['one that is being closed', judged('Suspended', 'False', unavailable('identity')), 'Unknown Suspended'],
    ['one whose gateway is not closed yet', judged('Suspended', 'False', fine, 'not yet'), 'Unknown Suspended'],
    [
      'one that is closed while its storage is unavailable',
      judged('Suspended', 'False', unavailable('storage')),
      'True Suspended',
    ],
    [
      'one that was closed before an engine failed',
      judged('Suspended', 'True', unavailable('identity')),
      'True Suspended',
    ],
    ['one that is being opened', judged('Active', 'True', unavailable('identity')), 'Unknown Active'],
    ['one that is open', judged('Active', 'Unknown', fine), 'False Active'],
    ['one that was open before an engine failed', judged('Active', 'False', unavailable('identity')), 'False Active'],
  ])('of %s', (_what, is, expected) => {
    expect(is).toBe(expected);
  });
});

describe('planOf', () => {
  it('says for each backend whether something is planned or could not be read', () => {
    const change = { action: 'create', object: 'realm x' } as const;
    const error = new BackendError('Unavailable', 'the S3 server is unavailable');
    const planned = outcomesWith('identity', { changes: [change] });
    const { plan, condition, backends } = planOf(outcomesWith('storage', { error }, planned));
    expect(plan).toEqual(['identity: create realm x']);
    expect(condition.message).toBe(
      'one change is planned and was not applied, as spec.managementPolicy is Observe; some engines could not be read: the S3 server is unavailable',
    );
    expect(backends.map(({ type, status, reason }) => `${type} ${status} ${reason}`)).toEqual([
      'IdentityReady False PlanOnly',
      'StorageReady False BackendUnavailable',
      'DatabaseReady True Ready',
      'GatewayReady True Ready',
    ]);
  });
});

describe('readyCondition', () => {
  it('is True only if all backends match and the gateway serves the hospital', () => {
    expect(readyCondition(hospitalObject(), fine, undefined)).toMatchObject({ status: 'True', reason: 'Ready' });
    expect(readyCondition(hospitalObject(), fine, 'not yet')).toMatchObject({
      status: 'False',
      reason: 'NotServedYet',
    });
    const three = outcomesWith('gateway', { pending: true });
    expect(readyCondition(hospitalObject(), three, undefined)).toMatchObject({
      status: 'False',
      reason: 'Provisioning',
    });
  });

  it('names the failed engine', () => {
    const error = new BackendError('Unavailable', 'PostgreSQL at db:5432/hms can not be reached');
    expect(readyCondition(hospitalObject(), outcomesWith('database', { error }), undefined)).toMatchObject({
      status: 'False',
      reason: 'BackendUnavailable',
      message: error.message,
    });
  });

  it('reports each failed engine, because one may cause the failure of another', () => {
    const failing = (backend: string, message: string, outcomes = fine) =>
      outcomesWith(backend, { error: new BackendError('Unavailable', message) }, outcomes);
    const identity = failing('identity', 'Keycloak answered 500: unknown_error');
    const both = failing('database', "PostgreSQL at db:5432/hms can't be reached: refused", identity);
    const { message } = readyCondition(hospitalObject(), both, undefined);
    expect(message).toBe(
      "Keycloak answered 500: unknown_error; also not ready: database: PostgreSQL at db:5432/hms can't be reached: refused",
    );
  });

  it('says that a suspended hospital is not served', () => {
    const suspended = hospitalObject({ spec: { state: 'Suspended' } });
    expect(readyCondition(suspended, fine, undefined)).toMatchObject({ status: 'False', reason: 'Suspended' });
  });
});

describe('unclaimedConditions', () => {
  const unavailable = new BackendError('Unavailable', 'PostgreSQL is unavailable');

  it('reports what a new hospital waits for, and keeps the conditions of a running one', () => {
    expect(
      unclaimedConditions(backends, undefined, unavailable).map(({ type, status, reason }) => [type, status, reason]),
    ).toEqual([
      ['DatabaseReady', 'False', 'BackendUnavailable'],
      ['IdentityReady', 'Unknown', 'Waiting'],
      ['StorageReady', 'Unknown', 'Waiting'],
      ['GatewayReady', 'Unknown', 'Waiting'],
    ]);
    const conditions = mergeConditions(hospitalObject(), backendConditions(fine), '2026-01-01T00:00:00Z');
    expect(unclaimedConditions(backends, { conditions }, unavailable)).toEqual([
      { type: 'DatabaseReady', status: 'False', reason: 'BackendUnavailable', message: 'PostgreSQL is unavailable' },
    ]);
  });

  it('reports that PostgreSQL refuses the operator, even if it was fine before', () => {
    const conditions = mergeConditions(hospitalObject(), backendConditions(fine), '2026-01-01T00:00:00Z');
    const refused = new BackendError('Forbidden', 'no such role');
    expect(unclaimedConditions(backends, { conditions }, refused)).toEqual([
      { type: 'DatabaseReady', status: 'False', reason: 'Forbidden', message: 'no such role' },
    ]);
  });

  it('reports nothing about PostgreSQL when the registry refuses', () => {
    expect(unclaimedConditions(backends, undefined, new BackendError('Conflict', 'not yours'))).toEqual([]);
  });
});

describe('a hospital whose schema is behind', () => {
  const behind = { reason: 'MigrationFailed', message: 'served on version 1 of 2: fix it' } as const;

  it('stays Ready, and DatabaseReady and Synced say what to do', () => {
    expect(readyCondition(hospitalObject(), fine, undefined)).toMatchObject({ status: 'True' });
    const outcomes = outcomesWith('database', { behind });
    expect(backendConditions(outcomes)).toContainEqual({ type: 'DatabaseReady', status: 'True', ...behind });
    expect(syncedCondition(outcomes)).toEqual({ type: 'Synced', status: 'False', ...behind });
  });

  it('reports first why it is not served', () => {
    const outcomes = outcomesWith('database', { behind, error: new BackendError('Conflict', 'no') });
    expect(backendConditions(outcomes)).toContainEqual(
      expect.objectContaining({ type: 'DatabaseReady', status: 'False', reason: 'Conflict' }),
    );
  });
});
