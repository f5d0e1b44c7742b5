import {
  CreateBucketCommand,
  DeleteObjectCommand,
  ListObjectVersionsCommand,
  PutObjectCommand,
  PutObjectLegalHoldCommand,
  PutObjectTaggingCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { platform } from '../../../../test/platform.ts';
import { tenantOf } from '../../hospital/tenant.ts';
import { hospitalObject } from '../../hospital/testing.ts';
import { ensureBucket } from '../../platform/bucket.ts';
import { describe as described } from '../backend.ts';
import { testCalls } from '../testing.ts';
import { StorageBackend } from './backend.ts';
import { Bucket } from './client.ts';

const { s3 } = platform();
const { accessKeyId, secretAccessKey } = s3;
const client = new S3Client({ ...s3, forcePathStyle: true, credentials: { accessKeyId, secretAccessKey } });
/** A page of a listing has a thousand entries. */
const FILES = 1_001;

beforeAll(() =>
  ensureBucket(new Bucket(s3, testCalls('storage')), {
    origins: undefined,
    modules: undefined,
    onRefused: () => undefined,
    onForeign: () => undefined,
  }),
);
afterAll(() => client.destroy());

describe('the removal of a folder without its own mark', () => {
  it('is finished by the next attempt if it was interrupted between two pages', async () => {
    const tenant = tenantOf(hospitalObject(), 'of-a-cut-off', { baseUrl: 'http://localhost', domain: 'localhost' });
    const folder = `${tenant.names.folder.slice(0, -1)}-${Date.now()}/`;
    const owned = { hospitalId: tenant.hospitalId, uid: tenant.uid, names: { ...tenant.names, folder } };
    const put = (name: string, Metadata?: Record<string, string>) =>
      client.send(
        new PutObjectCommand({ Bucket: s3.bucket, Key: `${folder}${name}`, Body: Buffer.alloc(0), Metadata }),
      );
    await put('prescriptions/', { 'hospital-id': owned.hospitalId });
    const names = Array.from({ length: FILES }, (_, index) => `prescriptions/${index}`);
    for (let at = 0; at < FILES; at += 50) await Promise.all(names.slice(at, at + 50).map((name) => put(name)));

    let allowed = Number.POSITIVE_INFINITY;
    const fence = () => {
      allowed -= 1;
      if (allowed < 0) throw new Error('cut off');
    };
    const storage = new StorageBackend(new Bucket(s3, testCalls('storage', fence)));
    const remaining = async () => {
      const listing = new ListObjectVersionsCommand({ Bucket: s3.bucket, Prefix: folder, MaxKeys: 1000 });
      return (await client.send(listing)).Versions?.length ?? 0;
    };
    // Each attempt gets one call further, until the first page is deleted.
    for (let calls = 4; (await remaining()) >= 1000; calls += 1) {
      allowed = calls;
      await storage.remove(owned, 'Delete').catch(() => undefined);
    }
    expect(await remaining()).toBeGreaterThan(0);
    allowed = Number.POSITIVE_INFINITY;
    expect(await storage.remove(owned, 'Delete')).toEqual([]);
    expect(await remaining()).toBe(0);
  }, 60_000);
});

describe("the folders' marker objects", () => {
  const storage = new StorageBackend(new Bucket(s3, testCalls('storage')));
  const tenant = tenantOf(hospitalObject({ name: `t${Date.now()}` }), 'of-marks', {
    baseUrl: 'http://localhost',
    domain: 'localhost',
  });
  const Metadata = { 'hospital-id': tenant.hospitalId, 'owner-uid': tenant.uid };
  const target = (folder: string) => ({ Bucket: s3.bucket, Key: `${tenant.names.folder}${folder}` });
  const changes = async () => storage.diff(tenant, await storage.observe(tenant));
  const Body = Buffer.alloc(0);

  beforeAll(async () => storage.apply(tenant, await changes()));
  afterAll(() => storage.remove(tenant, 'Delete'));

  it('have no drift when unchanged', async () => {
    expect(await changes()).toEqual([]);
  });

  it('are restored, whatever was changed', async () => {
    await client.send(new DeleteObjectCommand(target('branding/')));
    await client.send(new PutObjectCommand({ ...target('patients/'), Body, Metadata: { ...Metadata, added: 'x' } }));
    const foreign = { ...Metadata, 'owner-uid': 'somebody' };
    await client.send(new PutObjectCommand({ ...target('lab-reports/'), Body, Metadata: foreign }));
    const Tagging = { TagSet: [{ Key: 'added', Value: 'x' }] };
    await client.send(new PutObjectTaggingCommand({ ...target('prescriptions/'), Tagging }));
    const found = await changes();
    const folder = (name: string) => `folder ${tenant.names.folder}${name}/`;
    expect(found.map(described).sort()).toEqual([
      `create ${folder('branding')}`,
      `update ${folder('lab-reports')} (owner's mark)`,
      `update ${folder('patients')} (added)`,
      `update ${folder('prescriptions')} (tags)`,
    ]);
    await storage.apply(tenant, found);
    expect(await changes()).toEqual([]);
  });

  it('lose a legal hold, which an overwritten object may keep', async () => {
    const bucket = `${s3.bucket}-locked`;
    await client.send(new CreateBucketCommand({ Bucket: bucket, ObjectLockEnabledForBucket: true }));
    const locked = new StorageBackend(new Bucket({ ...s3, bucket }, testCalls('storage')));
    const found = async () => locked.diff(tenant, await locked.observe(tenant));
    await locked.apply(tenant, await found());
    const Key = `${tenant.names.folder}invoices/`;
    await client.send(new PutObjectLegalHoldCommand({ Bucket: bucket, Key, LegalHold: { Status: 'ON' } }));
    const held = await found();
    expect(held.map(described)).toEqual([`update folder ${Key} (legal hold)`]);
    await locked.apply(tenant, held);
    expect(await found()).toEqual([]);
  });
});
