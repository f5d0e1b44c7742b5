import { ANNOTATION, FINALIZER, type HospitalObject } from '@hms/hospitals';
import { describe, expect, it } from '@jest/globals';
import { BackendError, type ErrorKind } from '../backends/errors.ts';
import { HospitalReconciler, type ReconcilerOptions } from './reconciler.ts';
import { hospitalObject } from './testing.ts';

const RESYNC_S = 600;

/** Options to reconcile one hospital whose engines all match. @param events collects the recorded events. */
function optionsFor(hospital: HospitalObject, events: string[]) {
  return {
    get: () => hospital,
    list: () => [hospital],
    writer: { writeStatus: async () => hospital },
    registry: { claim: async () => ({ hospitalId: 'id', kind: 'known' }), roles: async () => [] },
    hosts: { claim: async () => ({ held: ['st-mary.hms.example'], surplus: [], objection: undefined }) },
    proof: { prepare: async () => undefined },
    backends: [],
    orphans: { synced: true, find: () => undefined },
    outages: { ask: (_name: string, _last: undefined, ask: () => unknown) => ask() },
    inviteOwner: async (): Promise<undefined> => undefined,
    events: { record: async (_: unknown, type: string, reason: string) => events.push(`${type} ${reason}`) },
    settings: { baseUrl: 'https://hms.example', domain: 'hms.example', platformHosts: [] },
    defaultResyncSeconds: RESYNC_S,
  };
}

/**
 * Reconciles a hospital in which only the invitation of its owner fails. @returns the delay of the next reconcile, and
 * the events.
 */
async function withInvitation(kind: ErrorKind) {
  const owner = { email: 'ann@hope.example', firstName: 'Ann', lastName: 'Byrne' };
  const base = hospitalObject({ spec: { owner } });
  const hospital: HospitalObject = { ...base, metadata: { ...base.metadata, finalizers: [FINALIZER] } };
  const events: string[] = [];
  const inviteOwner = async () => {
    throw new BackendError(kind, 'email: error-invalid-email');
  };
  const options = { ...optionsFor(hospital, events), inviteOwner };
  const reconciler = new HospitalReconciler(options as unknown as ReconcilerOptions);
  const result = await reconciler.reconcile(hospital.metadata.name);
  return { again: 'requeueAfterMs' in result ? result.requeueAfterMs : undefined, events };
}

describe('an invitation that fails', () => {
  it('is retried within a minute while Keycloak is unavailable', async () => {
    const { again, events } = await withInvitation('Unavailable');
    expect(again).toBe(60_000);
    expect(events).toContain('Warning InvitationFailed');
  });

  it('waits for the resync or a change of the object if Keycloak refuses it', async () => {
    const { again, events } = await withInvitation('Invalid');
    expect(again).toBeGreaterThanOrEqual(RESYNC_S * 800);
    expect(events).toContain('Warning InvitationFailed');
  });
});

describe('a confirmation of a deletion', () => {
  const SET_AT = '2026-01-01T12:00:00Z';
  const confirmed = hospitalObject({ annotations: { [ANNOTATION.confirmDelete]: 'st-mary' } });
  const hospital = {
    ...confirmed,
    metadata: {
      ...confirmed.metadata,
      finalizers: [FINALIZER],
      managedFields: [
        {
          time: SET_AT,
          fieldsV1: { 'f:metadata': { 'f:annotations': { [`f:${ANNOTATION.confirmDelete}`]: {} } } },
        },
      ],
    },
  };

  async function reconcileAt(minutes: number): Promise<{ again: number | undefined; removed: string[] }> {
    const removed: string[] = [];
    const writer = {
      writeStatus: async () => hospital,
      removeAnnotation: async (_: unknown, annotation: string) => {
        removed.push(annotation);
        return { ...confirmed, metadata: { ...confirmed.metadata, finalizers: [FINALIZER] } };
      },
    };
    const options = { ...optionsFor(hospital, []), writer, now: () => new Date(Date.parse(SET_AT) + minutes * 60_000) };
    const reconciler = new HospitalReconciler(options as unknown as ReconcilerOptions);
    const result = await reconciler.reconcile('st-mary');
    return { again: 'requeueAfterMs' in result ? result.requeueAfterMs : undefined, removed };
  }

  it('is checked again when it expires', async () => {
    expect(await reconcileAt(12)).toEqual({ again: 3 * 60_000, removed: [] });
  });

  it('is removed if it is unused for 15 minutes', async () => {
    expect((await reconcileAt(15)).removed).toEqual([ANNOTATION.confirmDelete]);
  });
});

describe('an operator that ends between the events and the status', () => {
  it('has told the events, because the next one would not know of them otherwise', async () => {
    const condition = { type: 'Suspended', status: 'False', reason: 'Active', message: '' } as const;
    const base = hospitalObject({ spec: { state: 'Suspended' } });
    const hospital: HospitalObject = {
      ...base,
      metadata: { ...base.metadata, finalizers: [FINALIZER] },
      status: { conditions: [{ ...condition, observedGeneration: 1, lastTransitionTime: '2026-01-01T00:00:00Z' }] },
    };
    const events: string[] = [];
    let writes = 0;
    const writer = {
      writeStatus: async (shown: HospitalObject) => {
        writes += 1;
        // The first write says that the hospital is being closed.
        if (writes > 1) throw new Error('the process ends');
        return shown;
      },
    };
    const reconciler = new HospitalReconciler({
      ...optionsFor(hospital, events),
      writer,
    } as unknown as ReconcilerOptions);
    await expect(reconciler.reconcile('st-mary')).rejects.toThrow('the process ends');
    expect(events).toEqual(['Normal Suspended']);
  });
});
