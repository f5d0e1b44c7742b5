import { describe, expect, it } from '@jest/globals';
import { type DeletionStep, nextDeletionStep } from './deletion.ts';
import { ANNOTATION, FINALIZER, type HospitalObject, type HospitalSpec } from './resource.ts';
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

/** What the API server records of whoever set the confirmation. */
const setAt = (time: string) => ({
  time,
  fieldsV1: { 'f:metadata': { 'f:annotations': { [`f:${ANNOTATION.confirmDelete}`]: {} } } },
});

const teardown = (policy: 'Retain' | 'Delete'): DeletionStep => ({ kind: 'teardown', policy });

describe('nextDeletionStep', () => {
  it.each<[string, HospitalObject, DeletionStep | { kind: string }]>([
    ['keeps the data unless told otherwise', deleting({}), teardown('Retain')],
    ['deletes what is confirmed', deleting({ deletionPolicy: 'Delete' }, CONFIRMED), teardown('Delete')],
    ['asks first', deleting({ deletionPolicy: 'Delete' }), { kind: 'askToConfirm' }],
    [
      'takes another name for no confirmation',
      deleting({ deletionPolicy: 'Delete' }, { [ANNOTATION.confirmDelete]: 'st-anne' }),
      { kind: 'askToConfirm' },
    ],
    ['takes down what is suspended', deleting({ state: 'Suspended' }), teardown('Retain')],
    ['takes down what is paused', deleting({}, { [ANNOTATION.paused]: 'true' }), teardown('Retain')],
    ['leaves what is only observed', deleting({ managementPolicy: 'Observe' }), { kind: 'leave' }],
    [
      'leaves what is only observed also with Delete and no confirmation',
      deleting({ managementPolicy: 'Observe', deletionPolicy: 'Delete' }),
      { kind: 'leave' },
    ],
    ['records nothing for what is only observed', deleting({ managementPolicy: 'Observe' }, FORCED), { kind: 'leave' }],
    ['lets go by force', deleting({}, FORCED), { kind: 'force', policy: 'Retain' }],
    [
      'lets go by force and still deletes what is confirmed',
      deleting({ deletionPolicy: 'Delete' }, { ...FORCED, ...CONFIRMED }),
      { kind: 'force', policy: 'Delete' },
    ],
    [
      'takes force for no confirmation',
      deleting({ deletionPolicy: 'Delete' }, FORCED),
      { kind: 'force', policy: 'Retain' },
    ],
    ['takes another name for no force', deleting({}, { [ANNOTATION.forceFinalize]: 'st-anne' }), teardown('Retain')],
  ])('%s', (_, hospital, step) => {
    expect(nextDeletionStep(hospital)).toMatchObject(step);
  });

  it('takes a confirmation that was set long before for none, and one that was set since', () => {
    const hospital = deleting({ deletionPolicy: 'Delete' }, CONFIRMED);
    const confirmed = (time: string) =>
      nextDeletionStep({ ...hospital, metadata: { ...hospital.metadata, managedFields: [setAt(time)] } }).kind;
    expect(confirmed('2026-01-01T23:44:59Z')).toBe('askToConfirm');
    expect(confirmed('2026-01-01T23:45:00Z')).toBe('teardown');
    expect(confirmed('2026-01-03T00:00:00Z')).toBe('teardown');
  });

  it('goes by the policy as it is at each try, however it is changed on the way', () => {
    const policies = (['Retain', 'Delete', 'Retain'] as const).map((deletionPolicy) =>
      nextDeletionStep(deleting({ deletionPolicy }, CONFIRMED)),
    );
    expect(policies).toEqual([teardown('Retain'), teardown('Delete'), teardown('Retain')]);
  });

  it('does nothing once the finalizer is off', () => {
    const hospital = deleting({ deletionPolicy: 'Delete' }, FORCED);
    expect(nextDeletionStep({ ...hospital, metadata: { ...hospital.metadata, finalizers: ['other'] } })).toEqual({
      kind: 'nothing',
    });
  });
});
