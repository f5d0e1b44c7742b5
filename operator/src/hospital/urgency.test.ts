import { ANNOTATION, type HospitalObject, type HospitalStatus } from '@hms/hospitals';
import { describe, expect, it } from '@jest/globals';
import { PRIORITY } from '../runtime/workqueue.ts';
import { hospitalObject } from './testing.ts';
import { urgencyOf, urgencyOfChange } from './urgency.ts';

const settled: HospitalStatus = {
  observedGeneration: 1,
  conditions: [
    {
      type: 'Synced',
      status: 'True',
      reason: 'Synced',
      message: '',
      observedGeneration: 1,
      lastTransitionTime: '2026-01-01T00:00:00Z',
    },
  ],
};
const requested = { [ANNOTATION.reconcileRequestedAt]: 'now' };
const deleted = (hospital: HospitalObject): HospitalObject => ({
  ...hospital,
  metadata: { ...hospital.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
});

describe('urgencyOf', () => {
  it('ranks hospitals that were Ready behind recent changes of people', () => {
    expect(urgencyOf(hospitalObject({ status: settled }))).toBe(PRIORITY.resync);
    expect(
      urgencyOf(hospitalObject({ status: { ...settled, reconcileRequestedAt: 'now' }, annotations: requested })),
    ).toBe(PRIORITY.resync);
    expect(urgencyOf(hospitalObject())).toBe(PRIORITY.change);
    expect(urgencyOf(hospitalObject({ generation: 2, status: settled }))).toBe(PRIORITY.change);
    expect(urgencyOf(hospitalObject({ status: settled, annotations: requested }))).toBe(PRIORITY.change);
    expect(urgencyOf(deleted(hospitalObject({ status: settled })))).toBe(PRIORITY.deletion);
  });
});

describe('urgencyOfChange', () => {
  const previous = hospitalObject();

  it('reacts to changes of the spec, deletions and annotations, but not of the status', () => {
    const modified = (object: HospitalObject) => urgencyOfChange({ type: 'modified', object, previous });
    expect(modified(hospitalObject({ generation: 2 }))).toBe(PRIORITY.change);
    expect(modified(hospitalObject({ annotations: requested }))).toBe(PRIORITY.change);
    expect(modified(deleted(hospitalObject()))).toBe(PRIORITY.deletion);
    expect(modified(hospitalObject({ status: settled }))).toBeUndefined();
  });

  it('ranks added hospitals by their state', () => {
    expect(urgencyOfChange({ type: 'added', object: hospitalObject({ status: settled }) })).toBe(PRIORITY.resync);
    expect(urgencyOfChange({ type: 'added', object: previous })).toBe(PRIORITY.change);
  });
});
