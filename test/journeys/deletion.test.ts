/** The deletion of changed hospitals: other owners' objects stay, and the event says so. */
import {
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { deleteHospital as deleteRow } from '@hms/database';
import { HOSPITAL_FOLDERS, hospitalNames } from '@hms/tenancy';
import { afterAll, describe, expect, it } from '@jest/globals';
import { platform } from '../platform.ts';
import { Engines, NOTHING } from '../support/engines.ts';
import {
  annotate,
  applyHospital,
  deleteConfirmed,
  deleteHospital,
  eventsOf,
  freshHospital,
  freshPrefix,
  resync,
  whenCondition,
  whenReady,
} from '../support/hospitals.ts';

const SLOW = 180_000;
const engines = new Engines(platform());
const { db, s3, bucket: Bucket } = engines;
afterAll(() => engines.close());

/** Confirmed and reconciled since, so that no running reconcile restores what a test removes. */
async function hospitalToBeDeleted(): Promise<string> {
  const { metadata } = await freshHospital({ deletionPolicy: 'Delete' });
  const { name } = metadata;
  await annotate(name, { 'hms.dev/confirm-delete': name });
  await resync(name);
  return name;
}

async function removeMarks(name: string): Promise<void> {
  const { folder } = hospitalNames(name);
  for (const inside of [...HOSPITAL_FOLDERS.map((part) => `${part}/`), '']) {
    await s3.send(new DeleteObjectCommand({ Bucket, Key: folder + inside }));
  }
}

/** Keys of files and unfinished uploads in a hospital's folder. */
async function stored(name: string): Promise<readonly (string | undefined)[]> {
  const { folder: Prefix } = hospitalNames(name);
  const [{ Contents = [] }, { Uploads = [] }] = await Promise.all([
    s3.send(new ListObjectsV2Command({ Bucket, Prefix })),
    s3.send(new ListMultipartUploadsCommand({ Bucket, Prefix })),
  ]);
  return [...Contents, ...Uploads].map(({ Key }) => Key);
}

const deletedEvent = async (name: string) => (await eventsOf(name)).find(({ reason }) => reason === 'Deleted');

describe('a hospital whose registry row was deleted manually', () => {
  it(
    'has it restored with Retain, and the next hospital of its name has its id and its realm',
    async () => {
      const { metadata, status } = await freshHospital();
      const { name, uid } = metadata;
      await deleteRow(db, name);
      await deleteHospital(name);
      expect(await engines.row(name)).toMatchObject({
        id: status?.hospitalId,
        ownerUid: uid,
        state: 'Retained',
        displayName: `Hospital ${name}`,
        schemaVersion: status?.schemaVersion,
      });
      await applyHospital(name);
      const back = await whenReady(name);
      expect(back.status?.hospitalId).toBe(status?.hospitalId);
      await deleteHospital(name);
    },
    SLOW,
  );
});

describe('objects without the mark of the deleted hospital', () => {
  it(
    'a schema stays, with the role that has privileges in it, and a warning names both',
    async () => {
      const { metadata } = await freshHospital({ deletionPolicy: 'Delete' });
      const { name } = metadata;
      const { schema, role } = hospitalNames(name);
      await db.raw(`COMMENT ON SCHEMA ${schema} IS NULL`);
      await deleteConfirmed(name);
      expect(await engines.traces(name)).toEqual({ ...NOTHING, schema: true, role: true });
      const { rows } = await db.raw<{ rows: { rolcanlogin: boolean }[] }>(
        'SELECT rolcanlogin FROM pg_roles WHERE rolname = ?',
        [role],
      );
      expect(rows).toEqual([{ rolcanlogin: false }]);
      expect(await deletedEvent(name)).toMatchObject({
        type: 'Warning',
        message: `the hospital is no longer served; left in place: schema ${schema}, which has no owner's mark; role ${role}, closed, which has rights in that schema`,
      });
      await db.raw(`DROP SCHEMA ${schema} CASCADE`);
      await db.raw(`DROP ROLE ${role}`);
    },
    SLOW,
  );

  it(
    'a realm and a folder of another owner stay, whatever the policy, and a warning names them',
    async () => {
      const name = freshPrefix();
      const admin = await engines.keycloak();
      await admin.realms.create({ realm: name, enabled: true });
      const Key = `${name}/scan.jpg`;
      await s3.send(new PutObjectCommand({ Bucket, Key, Body: 'theirs' }));
      await applyHospital(name, { deletionPolicy: 'Delete' });
      await whenCondition(name, 'IdentityReady', ({ reason }) => reason === 'Conflict');
      await whenCondition(name, 'StorageReady', ({ reason }) => reason === 'Conflict');
      await whenCondition(name, 'DatabaseReady', ({ status }) => status === 'True');
      await deleteConfirmed(name);
      expect(await engines.traces(name)).toEqual({ ...NOTHING, realm: true, objects: 1 });
      expect((await admin.realms.findOne({ realm: name }))?.enabled).toBe(true);
      const content = await s3.send(new GetObjectCommand({ Bucket, Key }));
      expect(await content.Body?.transformToString()).toBe('theirs');
      const event = await deletedEvent(name);
      expect(event).toMatchObject({ type: 'Warning' });
      expect(event?.message).toContain(`left in place: realm ${name}, whose id is not the hospital's; folder ${name}/`);
      await admin.realms.del({ realm: name });
    },
    SLOW,
  );

  describe.each([
    ['a file', (Key: string) => s3.send(new PutObjectCommand({ Bucket, Key, Body: 'theirs' }))],
    ['an unfinished upload', (Key: string) => s3.send(new CreateMultipartUploadCommand({ Bucket, Key }))],
  ])('%s in a folder whose marks were deleted manually', (_, put) => {
    it(
      'stays, and a warning names the folder',
      async () => {
        const name = await hospitalToBeDeleted();
        await put(`${name}/patients/scan.jpg`);
        await removeMarks(name);
        const before = await stored(name);
        expect(before).toHaveLength(1);
        await deleteHospital(name);
        expect(await stored(name)).toEqual(before);
        expect(await deletedEvent(name)).toMatchObject({
          type: 'Warning',
          message: expect.stringContaining(`left in place: folder ${name}/ of the bucket, which does not have`),
        });
      },
      SLOW,
    );
  });

  it(
    'nothing is left, without a warning, if the folder was deleted manually with its content',
    async () => {
      const name = await hospitalToBeDeleted();
      await removeMarks(name);
      await deleteHospital(name);
      expect(await engines.traces(name)).toEqual(NOTHING);
      expect(await deletedEvent(name)).toMatchObject({
        type: 'Normal',
        message: expect.stringContaining('nothing remains'),
      });
    },
    SLOW,
  );

  it(
    'a retained hospital is unchanged if an object with another id is applied and deleted',
    async () => {
      const { metadata, status } = await freshHospital();
      const { name } = metadata;
      await deleteHospital(name);
      const content = await engines.traces(name);
      await applyHospital(name, { hospitalId: '0196f3a2-5c1e-7d3b-9a44-6f0b7a1c2d3e', deletionPolicy: 'Delete' });
      await whenCondition(name, 'Ready', ({ reason, message }) => {
        return reason === 'Conflict' && message.includes(`apply it with spec.hospitalId ${status?.hospitalId}`);
      });
      await deleteConfirmed(name);
      expect(await engines.traces(name)).toEqual(content);
      await applyHospital(name);
      expect((await whenReady(name)).status?.hospitalId).toBe(status?.hospitalId);
      await deleteHospital(name);
    },
    SLOW,
  );

  it(
    'everything stays if the registry now has the name for another object',
    async () => {
      const { metadata } = await freshHospital({ deletionPolicy: 'Delete' });
      const { name, uid } = metadata;
      const before = await engines.traces(name);
      await db.raw('UPDATE platform.hospitals SET owner_uid = ? WHERE prefix = ?', ['another', name]);
      await deleteConfirmed(name);
      expect(await engines.traces(name)).toEqual(before);
      expect(await deletedEvent(name)).toMatchObject({
        type: 'Warning',
        message: expect.stringContaining('(uid another): nothing in the engines was changed or removed'),
      });
      expect(uid).not.toBe('another');
      await applyHospital(name, { deletionPolicy: 'Delete' });
      await annotate(name, { 'hms.dev/adopt': 'true' });
      await whenReady(name);
      await deleteConfirmed(name);
      expect(await engines.traces(name)).toEqual(NOTHING);
    },
    SLOW,
  );
});
