/** Hospitals that are force-deleted while an engine is unavailable: the rest is recorded, and removed later. */
import { HeadObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { deleteHospital as deleteHospitalRow } from '@hms/database';
import { KubernetesError } from '@hms/kubernetes';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { main } from '../cli/src/main.ts';
import { ORPHANS_PATH, type OrphanObject } from '../operator/src/hospital/orphans.ts';
import { platform } from './platform.ts';
import { Engines } from './support/engines.ts';
import {
  annotate,
  applyHospital,
  deleteHospital,
  eventsOf,
  freshHospital,
  freshPrefix,
  HOSPITALS,
  kubernetes,
  readHospital,
  resync,
  whenCondition,
  whenReady,
} from './support/hospitals.ts';
import { until } from './support/until.ts';

const SLOW = 180_000;
const { s3 } = platform();

function signalStorage(signal: NodeJS.Signals): void {
  const pid = platform().processes.find(({ name }) => name === 's3')?.pid;
  if (!pid) throw new Error('there is no s3 process');
  process.kill(pid, signal);
}

afterEach(() => signalStorage('SIGCONT'));

function hmsctl(...args: string[]): Promise<number> {
  return main(['node', 'hmsctl', '--kubeconfig', platform().kubeconfig, ...args]);
}

function unless404<T>(asked: Promise<T>): Promise<T | undefined> {
  return asked.catch((error: unknown) => {
    if (error instanceof KubernetesError && error.status === 404) return undefined;
    throw error;
  });
}

async function orphan(name: string): Promise<OrphanObject | undefined> {
  const { items } = await kubernetes().request<{ items: OrphanObject[] }>('GET', ORPHANS_PATH);
  return items.find(({ metadata }) => metadata.name === name);
}

async function ownerOfFolder(name: string): Promise<string | undefined> {
  const { endpoint, region, bucket, accessKeyId, secretAccessKey } = s3;
  const client = new S3Client({
    endpoint,
    region,
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
  });
  const { Metadata } = await client.send(new HeadObjectCommand({ Bucket: bucket, Key: `${name}/` }));
  return Metadata?.['hospital-id'];
}

describe('a force-deleted hospital', () => {
  it(
    'is released immediately, and the rest is removed when the engine is available again, before the next hospital of that name is created',
    async () => {
      const { metadata, status } = await freshHospital({ deletionPolicy: 'Delete' });
      const { name } = metadata;
      signalStorage('SIGSTOP');
      await annotate(name, { 'hms.dev/confirm-delete': name });
      await kubernetes().request('DELETE', `${HOSPITALS}/${name}`);
      const deleting = await whenCondition(name, 'Deleting', ({ reason }) => reason === 'BackendUnavailable');
      const message = deleting.status?.conditions?.find(({ type }) => type === 'Deleting')?.message;
      expect(message).toMatch(/S3 server .* \(unavailable since .*Z; the operator checks every 5 s/);
      expect(deleting.status?.teardown).toContainEqual({ backend: 'storage', done: false, remaining: message });

      await annotate(name, { 'hms.dev/force-finalize': name });
      await until(
        'the object to be deleted',
        () => unless404(readHospital(name)),
        (left) => left === undefined,
        60_000,
      );
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
      signalStorage('SIGCONT');
      const printed = jest.spyOn(console, 'log');
      expect(await hmsctl('orphans', 'finish', name, '--timeout', '30s')).toBe(0);
      // Only the event says whether anything is left, because other owners' objects would be.
      expect(printed.mock.lastCall?.[0]).toBe(
        `the rest of ${name} is handled; kubectl get events -n default --field-selector involvedObject.name=${name},reason=OrphanFinished says how`,
      );
      printed.mockRestore();
      const next = await whenReady(name);
      expect(next.status?.hospitalId).not.toBe(status?.hospitalId);
      expect(await ownerOfFolder(name)).toBe(next.status?.hospitalId);
      expect(await orphan(name)).toBeUndefined();
      await deleteHospital(name);
    },
    SLOW,
  );
});

describe('an Orphan that names a living hospital', () => {
  it(
    'changes nothing of it, whatever it names, and is refused with an event',
    async () => {
      const { metadata, status } = await freshHospital();
      const { name, uid } = metadata;
      const { hospitalId } = status ?? {};
      const engines = new Engines(platform());
      const before = await engines.traces(name);
      const forged: readonly [string, string, object][] = [
        ['uid and id', 'OrphanRefused', { ownerUid: uid, hospitalId }],
        ['uid', 'OrphanRefused', { ownerUid: uid }],
        ['id', 'OrphanRefused', { ownerUid: 'an-earlier-object', hospitalId }],
        ['name', 'OrphanFinished', { ownerUid: 'an-earlier-object' }],
      ];
      for (const [what, reason, spec] of forged) {
        const { metadata: record } = await createOrphan(name, spec);
        await until(
          `the record by ${what} to be gone`,
          () => orphan(name),
          (left) => left === undefined,
          60_000,
        );
        const events = (await eventsOf(name)).filter(({ involvedObject }) => involvedObject.uid === record.uid);
        expect(events.map((event) => event.reason)).toEqual([reason]);
      }
      expect(
        (await eventsOf(name)).find((event) => event.involvedObject.uid === uid && event.reason === 'OrphanRefused'),
      ).toMatchObject({ type: 'Warning', message: expect.stringContaining('delete its Hospital object') });
      // The registry's row is missing: only the object shows that the hospital is alive.
      await deleteHospitalRow(engines.db, name);
      await createOrphan(name, { ownerUid: 'an-earlier-object', hospitalId });
      await until(
        'the record to be deleted',
        () => orphan(name),
        (left) => left === undefined,
        60_000,
      );
      const after = await resync(name);
      expect(after.status?.hospitalId).toBe(hospitalId);
      expect(await engines.traces(name)).toEqual(before);
      expect(await ownerOfFolder(name)).toBe(hospitalId);
      await engines.close();
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
      const engines = new Engines(platform());
      const before = await engines.traces(name);
      const other = freshPrefix();
      await createOrphan(other, { ownerUid: uid, hospitalId });
      await until(
        'the record to be deleted',
        () => orphan(other),
        (left) => left === undefined,
        60_000,
      );
      expect(await engines.traces(name)).toEqual(before);
      await deleteHospital(name);
      await createOrphan(name, { ownerUid: uid, hospitalId });
      // Created again while the record exists: the record is processed first, under the same key.
      await applyHospital(name);
      const back = await whenReady(name);
      expect(back.status?.hospitalId).toBe(hospitalId);
      expect(await orphan(name)).toBeUndefined();
      expect(await engines.traces(name)).toEqual(before);
      await engines.close();
      await deleteHospital(name);
    },
    SLOW,
  );
});

function createOrphan(name: string, spec: object): Promise<OrphanObject> {
  return kubernetes().request('POST', ORPHANS_PATH, {
    body: { apiVersion: 'hms.dev/v1', kind: 'Orphan', metadata: { name }, spec: { ...spec, deletionPolicy: 'Delete' } },
  });
}
