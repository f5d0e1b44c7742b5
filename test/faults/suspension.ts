/** The status of a suspension while an engine hangs. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { conditionOf } from '../../operator/src/hospital/conditions.ts';
import {
  annotate,
  applyHospital,
  eventsOf,
  freshHospital,
  resync,
  whenCondition,
  whenReady,
  whenTold,
} from '../support/hospitals.ts';
import { continueAll, signal } from '../support/signal.ts';
import { SLOW } from './shared-scene.ts';

describe('a suspension', () => {
  afterEach(continueAll);

  it(
    'the status shows whether a hospital is closed, with one event, whichever engine hangs',
    async () => {
      const { name } = (await freshHospital()).metadata;
      await applyHospital(name, { state: 'Suspended' });
      const closed = await whenCondition(name, 'Suspended', ({ status }) => status === 'True');

      signal('s3', 'SIGSTOP');
      await annotate(name, { 'hms.dev/reconcile-requested-at': 'without files' });
      const without = await whenCondition(name, 'Ready', ({ reason }) => reason === 'BackendUnavailable');
      expect(conditionOf(without.status, 'Suspended')).toEqual(conditionOf(closed.status, 'Suspended'));
      signal('s3', 'SIGCONT');
      await resync(name);
      expect(await whenTold(name, 'Suspended')).toMatchObject([{ count: 1 }]);

      signal('keycloak', 'SIGSTOP');
      await applyHospital(name, { state: 'Active' });
      await whenCondition(name, 'Suspended', ({ status, reason }) => status === 'Unknown' && reason === 'Active');
      expect((await eventsOf(name)).map(({ reason }) => reason)).not.toContain('Resumed');
      signal('keycloak', 'SIGCONT');
      const open = await whenReady(name);
      expect(conditionOf(open.status, 'Suspended')).toMatchObject({ status: 'False', reason: 'Active' });
      expect(await whenTold(name, 'Resumed')).toMatchObject([{ count: 1 }]);
    },
    SLOW,
  );
});
