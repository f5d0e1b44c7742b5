/** The status of a pause, and of Observe. */
import { expect, it } from '@jest/globals';
import { conditionOf } from '../../operator/src/hospital/conditions.ts';
import { platform } from '../platform.ts';
import { Engines } from '../support/engines.ts';
import {
  annotate,
  applyHospital,
  freshHospital,
  readHospital,
  whenCondition,
  whenReady,
} from '../support/hospitals.ts';

const SLOW = 180_000;

it(
  'a reconcile request counts as handled only after the pause',
  async () => {
    const { metadata, status } = await freshHospital();
    const { name } = metadata;
    await annotate(name, { 'hms.dev/paused': 'true' });
    await whenCondition(name, 'Synced', ({ reason }) => reason === 'Paused');
    await applyHospital(name, { displayName: 'Another name' });
    await annotate(name, { 'hms.dev/reconcile-requested-at': 'while paused' });
    const paused = await whenCondition(name, 'Synced', ({ reason }) => reason === 'Paused');
    expect(paused.status?.reconcileRequestedAt).toBe(status?.reconcileRequestedAt);
    expect(paused.status?.observedGeneration).toBe(metadata.generation);
    await annotate(name, { 'hms.dev/paused': 'false' });
    const after = await whenReady(name);
    expect(after.status).toMatchObject({ reconcileRequestedAt: 'while paused', observedGeneration: 2 });
  },
  SLOW,
);

it(
  'Observe lists the changes of each engine',
  async () => {
    const engines = new Engines(platform());
    try {
      const { name } = (await freshHospital()).metadata;
      await applyHospital(name, { managementPolicy: 'Observe' });
      await whenCondition(name, 'IdentityReady', ({ status }) => status === 'True');
      await (await engines.keycloak()).realms.del({ realm: name });
      await annotate(name, { 'hms.dev/reconcile-requested-at': 'now' });
      const observed = await whenCondition(name, 'IdentityReady', ({ reason }) => reason === 'PlanOnly');
      expect(conditionOf(observed.status, 'IdentityReady')).toMatchObject({
        status: 'False',
        message: 'one change is planned and was not applied, as spec.managementPolicy is Observe',
      });
      expect(observed.status?.plan).toEqual([`identity: create realm ${name}`]);
      expect(conditionOf(observed.status, 'StorageReady')?.status).toBe('True');
      await applyHospital(name, { managementPolicy: 'Full' });
      await whenReady(name);
      expect((await readHospital(name)).status?.plan).toBeUndefined();
    } finally {
      await engines.close();
    }
  },
  SLOW,
);
