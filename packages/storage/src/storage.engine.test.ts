/** Files at a real S3 server. Requests with presigned URLs are sent as a browser sends them. */
import { createHash, randomUUID } from 'node:crypto';
import {
  CreateBucketCommand,
  DeleteBucketPolicyCommand,
  DeleteObjectCommand,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { moduleEnv } from '@hms/local';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { platform } from '../../../test/platform.ts';
import { FaultProxy } from '../../../test/support/proxy.ts';
import { until } from '../../../test/support/until.ts';
import { FileStorage, StorageUnavailable, type UploadRequest } from './index.ts';

const { s3 } = platform();
const bucket = `files-${randomUUID().slice(0, 8)}`;
const settings = {
  S3_ENDPOINT: s3.endpoint,
  S3_REGION: s3.region,
  S3_BUCKET: bucket,
  S3_ACCESS_KEY_ID: s3.accessKeyId,
  S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
};
const storage = new FileStorage(settings);
const { accessKeyId, secretAccessKey } = s3;
const admin = new S3Client({ ...s3, forcePathStyle: true, credentials: { accessKeyId, secretAccessKey } });
const mary = { prefix: 'st-mary', state: 'Active' };
const john = { prefix: 'st-john', state: 'Active' };
const body = Buffer.from('%PDF-1.7 a report');
const contentType = 'application/pdf';
const sha256 = createHash('sha256').update(body).digest('hex');
const newKey = () => `patients/HSP-000001/${randomUUID()}`;

beforeAll(async () => {
  await admin.send(new CreateBucketCommand({ Bucket: bucket }));
  const VersioningConfiguration = { Status: 'Enabled' } as const;
  await admin.send(new PutBucketVersioningCommand({ Bucket: bucket, VersioningConfiguration }));
});
afterAll(() => {
  storage.end();
  admin.destroy();
});

const allow = (key: string, expiresIn = 60) =>
  storage.uploadUrl(mary, key, { size: body.length, contentType, sha256, expiresIn });

const upload = ({ url, method, headers }: UploadRequest, content: Buffer<ArrayBuffer> = body) =>
  fetch(url, { method, headers, body: content });

describe('an upload', () => {
  it('stores exactly what was announced', async () => {
    const key = newKey();
    expect((await upload(await allow(key))).status).toBe(200);
    expect(await storage.head(mary, key)).toEqual({ size: body.length, contentType, sha256 });
    expect(Buffer.from((await storage.firstBytes(mary, key, 5)) ?? []).toString()).toBe('%PDF-');
  });

  const changed = (headers: Readonly<Record<string, string>>) => (request: UploadRequest) =>
    upload({ ...request, headers: { ...request.headers, ...headers } });
  const other = createHash('sha256').update('other').digest('base64');
  it.each<[string, (request: UploadRequest) => Promise<Response>, number]>([
    ['another size', (request) => upload(request, Buffer.concat([body, body])), 403],
    ['no content', (request) => upload(request, Buffer.alloc(0)), 403],
    ['another content of the same size', (request) => upload(request, Buffer.alloc(body.length, 'x')), 400],
    ['another type', changed({ 'Content-Type': 'text/html' }), 403],
    ['another checksum', changed({ 'x-amz-checksum-sha256': other }), 403],
    ['no checksum', (request) => upload({ ...request, headers: { 'Content-Type': contentType } }), 403],
    ['access for everybody', changed({ 'x-amz-acl': 'public-read' }), 403],
    ['metadata', changed({ 'x-amz-meta-owner': 'somebody' }), 403],
    ["another hospital's key", (request) => upload({ ...request, url: otherHospital(request.url) }), 403],
    ['a key outside of the folder', (request) => upload({ ...request, url: outside(request.url) }), 403],
  ])('is refused with %s', async (_, send, status) => {
    const key = newKey();
    expect((await send(await allow(key))).status).toBe(status);
    expect(await storage.head(mary, key)).toBeUndefined();
    expect(await storage.head(john, key)).toBeUndefined();
  });

  it('is refused after its time', async () => {
    const key = newKey();
    const request = await allow(key, 1);
    const refused = await until(
      'the URL to expire',
      () => upload(request),
      ({ status }) => status !== 200,
      20_000,
    );
    expect(refused.status).toBe(403);
    expect(request.expiresAt.getTime()).toBeLessThanOrEqual(Date.now());
  });
});

const otherHospital = (url: string) => url.replace('/st-mary/', '/st-john/');
const outside = (url: string) => url.replace('/st-mary/patients/', '/st-mary/branding/');

describe('a download', () => {
  const key = newKey();
  beforeAll(async () => {
    await storage.put(mary, key, body, { contentType });
    await storage.put(john, key, Buffer.from('a secret of st-john'), { contentType });
  });
  const sign = (fileName: string, expiresIn = 60) =>
    storage.downloadUrl(mary, key, { fileName, contentType, expiresIn });

  it.each([
    ['scan.pdf', 'attachment; filename=scan.pdf'],
    ['../../etc/passwd', 'attachment; filename=_.._etc_passwd'],
    ['.htaccess', 'attachment; filename=htaccess'],
    ['a"; filename="b.exe', 'attachment; filename="a\\"; filename=\\"b.exe"'],
    ['a\r\nSet-Cookie: x=1', 'attachment; filename="a__Set-Cookie: x=1"'],
    ['تقرير.pdf', 'attachment; filename="?????.pdf"; filename*=UTF-8\'\'%D8%AA%D9%82%D8%B1%D9%8A%D8%B1.pdf'],
    ['50%25.pdf', "attachment; filename=50%25.pdf; filename*=UTF-8''50%2525.pdf"],
    ['\ud800.pdf', 'attachment; filename="?.pdf"; filename*=UTF-8\'\'%EF%BF%BD.pdf'],
  ])('is saved as %j safely', async (fileName, expected) => {
    const response = await fetch((await sign(fileName)).url);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-disposition')).toBe(expected);
    expect(response.headers.get('content-type')).toBe(contentType);
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(Buffer.from(await response.arrayBuffer())).toEqual(body);
  });

  it('can be shown instead of saved', async () => {
    const options = { fileName: 'a.pdf', contentType, disposition: 'inline', expiresIn: 60 } as const;
    const { url } = await storage.downloadUrl(mary, key, options);
    expect((await fetch(url)).headers.get('content-disposition')).toBe('inline; filename=a.pdf');
  });

  it.each<[string, (url: string) => Promise<Response>]>([
    ["another hospital's object", (url) => fetch(otherHospital(url))],
    ['another type', (url) => fetch(url.replace('application%2Fpdf', 'text%2Fhtml'))],
    ['another method', (url) => fetch(url, { method: 'DELETE' })],
    ['a later time', (url) => fetch(url.replace('X-Amz-Expires=60', 'X-Amz-Expires=6000'))],
  ])('is refused with %s', async (_, get) => {
    const { url } = await sign('a.pdf');
    const response = await get(url);
    expect(response.status).toBe(403);
    expect(await response.text()).not.toContain('secret');
  });

  it('is refused after its time', async () => {
    const { url } = await sign('a.pdf', 1);
    const refused = await until(
      'the URL to expire',
      () => fetch(url),
      ({ status }) => status !== 200,
      20_000,
    );
    expect(refused.status).toBe(403);
  });
});

it('signs nothing for a suspended hospital', async () => {
  const suspended = { prefix: 'st-mary', state: 'Suspended' };
  const upload = { size: 1, contentType, sha256, expiresIn: 60 };
  await expect(storage.uploadUrl(suspended, newKey(), upload)).rejects.toThrow('st-mary is Suspended');
  const download = { fileName: 'a', contentType, expiresIn: 60 };
  await expect(async () => storage.downloadUrl(suspended, newKey(), download)).rejects.toThrow('st-mary is Suspended');
});

it('signs for the public endpoint, and uses the other one itself', async () => {
  const proxy = await FaultProxy.before(new URL(s3.endpoint).host);
  const publicEndpoint = `http://${proxy.address}`;
  const split = new FileStorage({ ...settings, S3_PUBLIC_ENDPOINT: publicEndpoint });
  const key = newKey();
  await split.put(mary, key, body, { contentType });
  expect(proxy.chunks).toBe(0);
  const { url } = await split.downloadUrl(mary, key, { fileName: 'a', contentType, expiresIn: 60 });
  expect(url.startsWith(`${publicEndpoint}/`)).toBe(true);
  expect((await fetch(url)).status).toBe(200);
  expect(proxy.chunks).toBeGreaterThan(0);
  split.end();
  await proxy.close();
});

describe('delete', () => {
  it('deletes all versions of one object, and no other one', async () => {
    const key = newKey();
    const { url } = await storage.downloadUrl(mary, key, { fileName: 'a', contentType, expiresIn: 60 });
    for (const _ of [1, 2, 3]) await storage.put(mary, key, body, { contentType });
    const versionId = (await fetch(url)).headers.get('x-amz-version-id');
    expect(versionId).toEqual(expect.any(String));
    await storage.put(mary, `${key}0`, body, { contentType });
    await storage.delete(mary, key);
    expect(await storage.head(mary, key)).toBeUndefined();
    expect(await storage.firstBytes(mary, key, 4)).toBeUndefined();
    expect(await versionsOf(key)).toEqual([`st-mary/${key}0`]);
    await storage.delete(mary, key);
  });
});

describe('the size of a folder', () => {
  const own = { prefix: `t-${randomUUID().slice(0, 13)}`, state: 'Active' };
  const sizeOf = (of: FileStorage, page?: number) => of.folderSize(own, new AbortController().signal, page);

  it('is that of all files, page by page, without those of others and without what was deleted or replaced', async () => {
    expect(await sizeOf(storage)).toEqual({ files: 0, bytes: 0 });
    const keys = [1, 2, 3, 4].map(newKey);
    const [first = '', second = ''] = keys;
    for (const key of [first, ...keys]) await storage.put(own, key, body, { contentType });
    await storage.put(own, first, Buffer.alloc(100), { contentType });
    await storage.put({ ...own, prefix: `${own.prefix}-b` }, first, body, { contentType });
    await admin.send(new PutObjectCommand({ Bucket: bucket, Key: `${own.prefix}/patients/` }));
    await admin.send(new DeleteObjectCommand({ Bucket: bucket, Key: `${own.prefix}/${second}` }));
    const size = { files: 3, bytes: 2 * body.length + 100 };
    for (const page of [1, 2, 1000]) expect([page, await sizeOf(storage, page)]).toEqual([page, size]);
  }, 20_000);

  it('is not asked for by a process that stops', async () => {
    await expect(storage.folderSize(own, AbortSignal.abort())).rejects.toBeInstanceOf(StorageUnavailable);
  });

  it('can be read with the key of the modules', async () => {
    const modules = new FileStorage(moduleEnv(platform()));
    expect(await sizeOf(modules)).toEqual({ files: 0, bytes: 0 });
    modules.end();
  });
});

async function versionsOf(prefix: string) {
  const listing = new ListObjectVersionsCommand({ Bucket: bucket, Prefix: `st-mary/${prefix}` });
  const { Versions = [], DeleteMarkers = [] } = await admin.send(listing);
  return [...Versions, ...DeleteMarkers].map(({ Key }) => Key);
}

describe('the key of the modules', () => {
  const prefix = `t-${randomUUID().slice(0, 13)}`;
  const own = { prefix, state: 'Active' };
  const env = moduleEnv(platform());
  const modules = new FileStorage(env);
  const client = new S3Client({
    endpoint: s3.endpoint,
    region: s3.region,
    forcePathStyle: true,
    credentials: s3.modules,
  });
  const Bucket = s3.bucket;
  afterAll(() => {
    modules.end();
    client.destroy();
  });

  it('may use the files of hospitals', async () => {
    const key = newKey();
    await modules.put(own, key, body, { contentType });
    expect(await modules.head(own, key)).toEqual({ size: body.length, contentType, sha256 });
    expect(await modules.firstBytes(own, key, 4)).toHaveLength(4);
    const { url } = await modules.downloadUrl(own, key, { fileName: 'a', contentType, expiresIn: 60 });
    expect((await fetch(url)).status).toBe(200);
    await modules.delete(own, key);
    expect(await modules.head(own, key)).toBeUndefined();
  });

  it.each<[string, () => Promise<unknown>]>([
    ["a folder's mark", () => client.send(new PutObjectCommand({ Bucket, Key: `${prefix}/a`, Body: 'x' }))],
    ['the console', () => client.send(new PutObjectCommand({ Bucket, Key: 'console/a', Body: 'x' }))],
    [
      'the versioning',
      () => client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: 'Suspended' } })),
    ],
    ['the policy', () => client.send(new DeleteBucketPolicyCommand({ Bucket }))],
    ['the list of buckets', () => client.send(new CreateBucketCommand({ Bucket: `${prefix}-own` }))],
    ['another bucket', () => client.send(new PutObjectCommand({ Bucket: bucket, Key: 'a/patients/b', Body: 'x' }))],
  ])('may not change %s', async (_, change) => {
    await expect(change()).rejects.toMatchObject({ name: 'AccessDenied' });
  });
});

describe('a server', () => {
  const DEADLINE_MS = 500;
  it.each(['hang', 'refuse'] as const)('that does not answer (%s) is unavailable in time', async (mode) => {
    const proxy = await FaultProxy.before(new URL(s3.endpoint).host);
    const slow = new FileStorage({ ...settings, S3_ENDPOINT: `http://${proxy.address}` }, DEADLINE_MS);
    await slow.head(mary, newKey());
    await proxy.set(mode);
    const calls: readonly (() => Promise<unknown>)[] = [
      () => slow.put(mary, newKey(), body, { contentType }),
      () => slow.head(mary, newKey()),
      () => slow.firstBytes(mary, newKey(), 10),
      () => slow.delete(mary, newKey()),
      () => slow.folderSize(mary, new AbortController().signal),
    ];
    for (const call of calls) {
      const start = performance.now();
      await expect(call()).rejects.toBeInstanceOf(StorageUnavailable);
      expect(performance.now() - start).toBeLessThan(DEADLINE_MS * 4);
    }
    slow.end();
    await proxy.close();
  });

  it('that refuses is unavailable', async () => {
    const refused = new FileStorage({ ...settings, S3_SECRET_ACCESS_KEY: 'wrong' });
    await expect(refused.head(mary, newKey())).rejects.toBeInstanceOf(StorageUnavailable);
    await expect(refused.put(mary, newKey(), body, { contentType })).rejects.toThrow('SignatureDoesNotMatch');
    refused.end();
  });

  it('without the bucket is unavailable', async () => {
    const lost = new FileStorage({ ...settings, S3_BUCKET: `${bucket}-lost` });
    await expect(lost.firstBytes(mary, newKey(), 10)).rejects.toThrow('NoSuchBucket');
    await expect(lost.delete(mary, newKey())).rejects.toThrow('NoSuchBucket');
    lost.end();
  });
});
