/** Orphan objects that name a hospital which they do not describe: nothing of the hospital changes. */
import { deleteHospital as deleteHospitalRow } from '@hms/database';
import { afterAll, describe, expect, it } from '@jest/globals';
import { platform } from '../platform.ts';
import { Engines } from '../support/engines.ts';
import {
  applyHospital,
  deleteHospital,
  eventsOf,
  freshHospital,
  freshPrefix,
  resync,
  whenReady,
} from '../support/hospitals.ts';
import { createOrphan, orphan, whenOrphanDeleted } from '../support/orphans.ts';

const SLOW = 180_000;
const engines = new Engines(platform());
afterAll(() => engines.close());

describe('an Orphan that names a living hospital', () => {
  it(
    'changes nothing of it, whatever it names, and is refused with an event',
    async () => {
      const { metadata, status } = await freshHospital();
      const { name, uid } = metadata;
      const { hospitalId } = status ?? {};
      const before = await engines.traces(name);
      const forged: readonly [string, object][] = [
        ['OrphanRefused', { ownerUid: uid, hospitalId }],
        ['OrphanRefused', { ownerUid: uid }],
        ['OrphanRefused', { ownerUid: 'an-earlier-object', hospitalId }],
        ['OrphanFinished', { ownerUid: 'an-earlier-object' }],
      ];
      for (const [reason, spec] of forged) {
        const { metadata: record } = await createOrphan(name, spec);
        await whenOrphanDeleted(name);
        const events = (await eventsOf(name)).filter(({ involvedObject }) => involvedObject.uid === record.uid);
        expect(events.map((event) => event.reason)).toEqual([reason]);
      }
      expect(
        (await eventsOf(name)).find((event) => event.involvedObject.uid === uid && event.reason === 'OrphanRefused'),
      ).toMatchObject({ type: 'Warning', message: expect.stringContaining('delete its Hospital object') });
      // The registry's row is missing: only the object shows that the hospital is alive.
      await deleteHospitalRow(engines.db, name);
      await createOrphan(name, { ownerUid: 'an-earlier-object', hospitalId });
      await whenOrphanDeleted(name);
      const after = await resync(name);
      expect(after.status?.hospitalId).toBe(hospitalId);
      expect(await engines.traces(name)).toEqual(before);
      expect(await engines.ownerOfFolder(name)).toBe(hospitalId);
      await deleteHospital(name);
    },
    SLOW,
  );

  it(
    'of another name deletes nothing, nor does one for retained data',
    async () => {
      const { metadata, status } = await freshHospital();
      const { name, uid } = metadata;
      const { hospitalId } = status ?? {};
      const before = await engines.traces(name);
      const other = freshPrefix();
      await createOrphan(other, { ownerUid: uid, hospitalId });
      await whenOrphanDeleted(other);
      expect(await engines.traces(name)).toEqual(before);
      await deleteHospital(name);
      await createOrphan(name, { ownerUid: uid, hospitalId });
      // Created again while the record exists: the record is processed first, under the same key.
      await applyHospital(name);
      const back = await whenReady(name);
      expect(back.status?.hospitalId).toBe(hospitalId);
      expect(await orphan(name)).toBeUndefined();
      expect(await engines.traces(name)).toEqual(before);
      await deleteHospital(name);
    },
    SLOW,
  );
});
