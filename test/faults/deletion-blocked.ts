/** A policy that is changed while an engine blocks the deletion. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { NOTHING } from '../support/engines.ts';
import {
  annotate,
  applyHospital,
  deleteConfirmed,
  freshHospital,
  startDeletion,
  whenCondition,
  whenDeleted,
  whenReady,
} from '../support/hospitals.ts';
import { continueAll, signal } from '../support/signal.ts';
import { SLOW, scene } from './shared-scene.ts';

describe('a policy that is changed while an engine blocks the deletion', () => {
  afterEach(continueAll);

  const heldUp = async (name: string, engine: 's3' | 'keycloak') => {
    signal(engine, 'SIGSTOP');
    await startDeletion(name);
    await whenCondition(name, 'Deleting', ({ reason }) => reason === 'BackendUnavailable');
  };

  it(
    'to Retain keeps what is not deleted yet, and the id, with which the next hospital of its name starts',
    async () => {
      const { metadata, status } = await freshHospital({ deletionPolicy: 'Delete' });
      const { name } = metadata;
      const { objects } = await scene.engines.traces(name);
      await annotate(name, { 'hms.dev/confirm-delete': name });
      await heldUp(name, 's3');
      await applyHospital(name, { deletionPolicy: 'Retain' });
      signal('s3', 'SIGCONT');
      await whenDeleted(name);
      expect(await scene.engines.traces(name)).toEqual({ ...NOTHING, objects, row: true });
      expect(await scene.engines.row(name)).toMatchObject({
        id: status?.hospitalId,
        state: 'Retained',
        schemaVersion: 0,
      });
      await applyHospital(name, { deletionPolicy: 'Delete' });
      const { status: nextStatus } = await whenReady(name);
      expect(nextStatus).toMatchObject({ hospitalId: status?.hospitalId, schemaVersion: status?.schemaVersion });
      await deleteConfirmed(name);
    },
    SLOW,
  );

  it(
    'to Delete requires the confirmation, and then leaves nothing',
    async () => {
      const { metadata } = await freshHospital();
      const { name } = metadata;
      await heldUp(name, 'keycloak');
      await applyHospital(name, { deletionPolicy: 'Delete' });
      await whenCondition(name, 'Deleting', ({ reason }) => reason === 'ConfirmationRequired');
      expect((await scene.engines.row(name))?.id).toBeDefined();
      await annotate(name, { 'hms.dev/confirm-delete': name });
      signal('keycloak', 'SIGCONT');
      await whenDeleted(name);
      expect(await scene.engines.traces(name)).toEqual(NOTHING);
    },
    SLOW,
  );
});
