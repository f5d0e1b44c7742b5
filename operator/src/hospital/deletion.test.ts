import { ANNOTATION, FINALIZER, type HospitalObject, type HospitalSpec } from '@hms/hospitals';
import { describe, expect, it } from '@jest/globals';
import { type DeletionStep, nextDeletionStep } from './deletion.ts';
import { hospitalObject } from './testing.ts';

const CONFIRMED = { [ANNOTATION.confirmDelete]: 'st-mary' };
const FORCED = { [ANNOTATION.forceFinalize]: 'st-mary' };

function deleting(spec: Partial<HospitalSpec>, annotations: Readonly<Record<string, string>> = {}): HospitalObject {
  const hospital = hospitalObject({ spec, annotations });
  return {
    ...hospital,
    metadata: {
      ...hospital.metadata,
      deletionTimestamp: '2026-01-02T00:00:00Z',
      finalizers: [FINALIZER],
      managedFields: [setAt('2026-01-01T23:50:00Z')],
    },
  };
}

/** What the API server records about the writer of the confirmation. */
const setAt = (time: string) => ({
  time,
  fieldsV1: { 'f:metadata': { 'f:annotations': { [`f:${ANNOTATION.confirmDelete}`]: {} } } },
});

const teardown = (policy: 'Retain' | 'Delete'): DeletionStep => ({ kind: 'teardown', policy });

describe('nextDeletionStep', () => {
  it.each<[string, HospitalObject, DeletionStep | { kind: string }]>([
    ['retains the data by default', deleting({}), teardown('Retain')],
    ['deletes what is confirmed', deleting({ deletionPolicy: 'Delete' }, CONFIRMED), teardown('Delete')],
    ['asks first', deleting({ deletionPolicy: 'Delete' }), { kind: 'askToConfirm' }],
    [
      'ignores a confirmation with another name',
      deleting({ deletionPolicy: 'Delete' }, { [ANNOTATION.confirmDelete]: 'st-anne' }),
      { kind: 'askToConfirm' },
    ],
    ['tears down a suspended hospital', deleting({ state: 'Suspended' }), teardown('Retain')],
    ['tears down a paused hospital', deleting({}, { [ANNOTATION.paused]: 'true' }), teardown('Retain')],
    ['leaves an observed hospital', deleting({ managementPolicy: 'Observe' }), { kind: 'leave' }],
    [
      'leaves an observed hospital, even with Delete and no confirmation',
      deleting({ managementPolicy: 'Observe', deletionPolicy: 'Delete' }),
      { kind: 'leave' },
    ],
    ['records nothing for an observed hospital', deleting({ managementPolicy: 'Observe' }, FORCED), { kind: 'leave' }],
    ['force-deletes', deleting({}, FORCED), { kind: 'force', policy: 'Retain' }],
    [
      'force-deletes and still deletes confirmed data',
      deleting({ deletionPolicy: 'Delete' }, { ...FORCED, ...CONFIRMED }),
      { kind: 'force', policy: 'Delete' },
    ],
    [
      'does not treat force as a confirmation',
      deleting({ deletionPolicy: 'Delete' }, FORCED),
      { kind: 'force', policy: 'Retain' },
    ],
    ['ignores force with another name', deleting({}, { [ANNOTATION.forceFinalize]: 'st-anne' }), teardown('Retain')],
  ])('%s', (_, hospital, step) => {
    expect(nextDeletionStep(hospital)).toMatchObject(step);
  });

  it('ignores an old confirmation, and accepts a recent one', () => {
    const hospital = deleting({ deletionPolicy: 'Delete' }, CONFIRMED);
    const confirmed = (time: string) =>
      nextDeletionStep({ ...hospital, metadata: { ...hospital.metadata, managedFields: [setAt(time)] } }).kind;
    expect(confirmed('2026-01-01T23:44:59Z')).toBe('askToConfirm');
    expect(confirmed('2026-01-01T23:45:00Z')).toBe('teardown');
    expect(confirmed('2026-01-03T00:00:00Z')).toBe('teardown');
  });

  it('ignores later writes of others, such as of the operator to the status', () => {
    const hospital = deleting({ deletionPolicy: 'Delete' }, CONFIRMED);
    const managedFields = [
      setAt('2026-01-01T23:44:59Z'),
      { time: '2026-01-01T23:59:00Z', fieldsV1: { 'f:metadata': { 'f:annotations': { 'f:note': {} } } } },
      { time: '2026-01-01T23:59:00Z', fieldsV1: {} },
    ];
    expect(nextDeletionStep({ ...hospital, metadata: { ...hospital.metadata, managedFields } }).kind).toBe(
      'askToConfirm',
    );
  });

  it('uses the current policy at each attempt', () => {
    const policies = (['Retain', 'Delete', 'Retain'] as const).map((deletionPolicy) =>
      nextDeletionStep(deleting({ deletionPolicy }, CONFIRMED)),
    );
    expect(policies).toEqual([teardown('Retain'), teardown('Delete'), teardown('Retain')]);
  });

  it('does nothing once the finalizer is removed', () => {
    const hospital = deleting({ deletionPolicy: 'Delete' }, FORCED);
    expect(nextDeletionStep({ ...hospital, metadata: { ...hospital.metadata, finalizers: ['other'] } })).toEqual({
      kind: 'nothing',
    });
  });
});
