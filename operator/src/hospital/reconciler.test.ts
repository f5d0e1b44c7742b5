import { describe, expect, it } from '@jest/globals';
import { BackendError, type ErrorKind } from '../backends/errors.ts';
import { HospitalReconciler, type ReconcilerOptions } from './reconciler.ts';
import { FINALIZER, type HospitalObject } from './resource.ts';
import { hospitalObject } from './testing.ts';

const RESYNC_S = 600;

/** Looks at a hospital that is well but for the invitation of its owner. @returns when it is looked at again, and the events. */
async function withInvitation(kind: ErrorKind) {
  const owner = { email: 'ann@hope.example', firstName: 'Ann', lastName: 'Byrne' };
  const made = hospitalObject({ spec: { owner } });
  const hospital: HospitalObject = { ...made, metadata: { ...made.metadata, finalizers: [FINALIZER] } };
  const events: string[] = [];
  const options = {
    get: () => hospital,
    list: () => [hospital],
    writer: { writeStatus: async () => hospital },
    registry: { claim: async () => ({ hospitalId: 'id', kind: 'known' }) },
    provisioner: { run: async () => ({}) },
    orphans: { synced: true, find: () => undefined },
    requirePlatform: async () => undefined,
    inviteOwner: async () => {
      throw new BackendError(kind, 'email: error-invalid-email');
    },
    events: { record: async (_: unknown, type: string, reason: string) => events.push(`${type} ${reason}`) },
    sharedGateway: { look: () => undefined },
    settings: { baseUrl: 'https://hms.example', domain: 'hms.example', platformHosts: [] },
    defaultResyncSeconds: RESYNC_S,
  };
  const reconciler = new HospitalReconciler(options as unknown as ReconcilerOptions);
  const result = await reconciler.reconcile(hospital.metadata.name);
  return { again: 'requeueAfterMs' in result ? result.requeueAfterMs : undefined, events };
}

describe('an invitation that fails', () => {
  it('is tried again within a minute while the mail server is away', async () => {
    const { again, events } = await withInvitation('Unavailable');
    expect(again).toBe(60_000);
    expect(events).toContain('Warning InvitationFailed');
  });

  it('waits for the routine look, or a change of the object, where Keycloak refuses it', async () => {
    const { again, events } = await withInvitation('Invalid');
    expect(again).toBeGreaterThanOrEqual(RESYNC_S * 800);
    expect(events).toContain('Warning InvitationFailed');
  });
});
