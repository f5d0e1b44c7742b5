/** Hospitals that are force-deleted while an engine is unavailable: the rest is recorded, and removed later. */
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { main } from '../../cli/src/main.ts';
import { platform } from '../platform.ts';
import {
  annotate,
  applyHospital,
  deleteHospital,
  eventsOf,
  freshHospital,
  startDeletion,
  whenCondition,
  whenDeleted,
  whenReady,
} from '../support/hospitals.ts';
import { orphan } from '../support/orphans.ts';
import { signal } from '../support/signal.ts';
import { until } from '../support/until.ts';
import { SLOW, scene } from './shared-scene.ts';

function hmsctl(...args: string[]): Promise<number> {
  return main(['node', 'hmsctl', '--kubeconfig', platform().kubeconfig, ...args]);
}

describe('a force-deleted hospital', () => {
  afterEach(() => signal('s3', 'SIGCONT'));

  it(
    'is released immediately, and the rest is removed when the engine is available again, before the next hospital of that name is created',
    async () => {
      const { metadata, status } = await freshHospital({ deletionPolicy: 'Delete' });
      const { name } = metadata;
      signal('s3', 'SIGSTOP');
      await annotate(name, { 'hms.dev/confirm-delete': name });
      await startDeletion(name);
      const deleting = await whenCondition(name, 'Deleting', ({ reason }) => reason === 'BackendUnavailable');
      const message = deleting.status?.conditions?.find(({ type }) => type === 'Deleting')?.message;
      expect(message).toMatch(/S3 server .* \(unavailable since .*Z; the operator checks every 5 s/);
      expect(deleting.status?.teardown).toContainEqual({ backend: 'storage', done: false, remaining: message });

      await annotate(name, { 'hms.dev/force-finalize': name });
      await whenDeleted(name);
      expect((await eventsOf(name)).map(({ reason }) => reason)).toContain('ForceFinalized');
      expect((await orphan(name))?.spec).toEqual({
        ownerUid: metadata.uid,
        hospitalId: status?.hospitalId,
        deletionPolicy: 'Delete',
      });

      const metrics = async () => (await fetch(`${platform().operatorUrl}/metrics`)).text();
      await until('the metric', metrics, (text) => /^hms_orphans 1$/m.test(text));
      await applyHospital(name);
      await whenCondition(name, 'Ready', ({ message }) => message.includes('an earlier hospital of this name'));
      expect(await hmsctl('orphans', 'list')).toBe(0);
      const printed = jest.spyOn(console, 'log');
      // Before the engine answers: otherwise the operator may finish first, and there is no orphan any more.
      const finishing = hmsctl('orphans', 'finish', name, '--timeout', '60s');
      await until(
        'the request',
        () => orphan(name),
        (one) => one?.metadata.annotations?.['hms.dev/reconcile-requested-at'] !== undefined,
      );
      signal('s3', 'SIGCONT');
      expect(await finishing).toBe(0);
      // Only the event says whether anything is left, because other owners' objects would be.
      expect(printed.mock.lastCall?.[0]).toBe(
        `the rest of ${name} is handled; kubectl get events -n default --field-selector involvedObject.name=${name},reason=OrphanFinished says how`,
      );
      printed.mockRestore();
      const next = await whenReady(name);
      expect(next.status?.hospitalId).not.toBe(status?.hospitalId);
      expect(await scene.engines.ownerOfFolder(name)).toBe(next.status?.hospitalId);
      expect(await orphan(name)).toBeUndefined();
      await deleteHospital(name);
    },
    SLOW,
  );
});
