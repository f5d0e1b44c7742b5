import { randomUUID } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetBucketVersioningCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { Config } from '../config.ts';
import { clock, type Finding, failed, ok, PATIENCE_MS, reason, warning } from './finding.ts';

type Settings = Pick<Config, 'S3_ENDPOINT' | 'S3_REGION' | 'S3_BUCKET' | 'S3_ACCESS_KEY_ID' | 'S3_SECRET_ACCESS_KEY'>;

export async function checkS3(config: Settings): Promise<Finding[]> {
  const s3 = new S3Client({
    endpoint: config.S3_ENDPOINT,
    region: config.S3_REGION,
    forcePathStyle: true,
    maxAttempts: 1,
    requestHandler: { connectionTimeout: PATIENCE_MS, requestTimeout: PATIENCE_MS, throwOnRequestTimeout: true },
    credentials: { accessKeyId: config.S3_ACCESS_KEY_ID, secretAccessKey: config.S3_SECRET_ACCESS_KEY },
  });
  try {
    const time = await timeOf(config.S3_ENDPOINT);
    return [...(await checkBucket(s3, config.S3_BUCKET)), ...(time === undefined ? [] : [clock('s3', time, 1000)])];
  } finally {
    s3.destroy();
  }
}

async function checkBucket(s3: S3Client, bucket: string): Promise<Finding[]> {
  const target = { Bucket: bucket };
  try {
    await s3.send(new HeadBucketCommand(target));
  } catch (error) {
    if (statusOf(error) !== 404) return [refused('s3 bucket', bucket, error)];
    return [await missingBucket(s3, bucket)];
  }
  const there = [ok('s3 bucket', `${bucket} exists`), await checkRights(s3, bucket)];
  try {
    const { Status } = await s3.send(new GetBucketVersioningCommand(target));
    const remedy = 'the operator turns it on when it starts; if its key may not, turn it on yourself';
    return [
      ...there,
      Status === 'Enabled' ? ok('s3 versioning', 'on') : warning('s3 versioning', Status ?? 'never turned on', remedy),
    ];
  } catch (error) {
    return [...there, refused('s3 versioning', bucket, error)];
  }
}

/**
 * Tries each operation of the operator on a missing object: a server first checks the key's permission, and then
 * reports that the object is missing. A part of an unknown upload needs the permission to write.
 */
async function checkRights(s3: S3Client, bucket: string): Promise<Finding> {
  const there = { Bucket: bucket };
  const none = { ...there, Key: `hms-doctor/${randomUUID()}` };
  const noUpload = { UploadId: randomUUID() };
  const questions = {
    's3:ListBucket': () => s3.send(new ListObjectsV2Command({ ...there, MaxKeys: 1 })),
    's3:ListBucketVersions': () => s3.send(new ListObjectVersionsCommand({ ...there, MaxKeys: 1 })),
    's3:ListBucketMultipartUploads': () => s3.send(new ListMultipartUploadsCommand({ ...there, MaxUploads: 1 })),
    's3:GetObject': () => s3.send(new HeadObjectCommand(none)),
    's3:PutObject': () =>
      s3.send(new UploadPartCommand({ ...none, ...noUpload, PartNumber: 1, Body: Buffer.alloc(0) })),
    's3:AbortMultipartUpload': () => s3.send(new AbortMultipartUploadCommand({ ...none, ...noUpload })),
    's3:DeleteObjectVersion': () => s3.send(new DeleteObjectCommand({ ...none, VersionId: 'null' })),
  };
  const lacking: string[] = [];
  for (const [right, ask] of Object.entries(questions)) {
    try {
      await ask();
    } catch (error) {
      const status = statusOf(error);
      if (status === undefined || status >= 500) return refused('s3 rights', bucket, error);
      if (status === 401 || status === 403) lacking.push(right);
    }
  }
  if (lacking.length === 0) return ok('s3 rights', 'the key lists, reads, writes and deletes objects');
  return failed('s3 rights', `the key lacks ${lacking.join(', ')}`, `grant them to it for ${bucket} and ${bucket}/*`);
}

/** Whether a key may create a bucket is known only by creating one. Listing buckets shows that the key is valid. */
async function missingBucket(s3: S3Client, bucket: string): Promise<Finding> {
  try {
    await s3.send(new ListBucketsCommand());
    return ok('s3 bucket', `${bucket} does not exist yet; the operator creates it when it starts`);
  } catch (error) {
    if (statusOf(error) !== 403) return refused('s3 bucket', bucket, error);
    const remedy = `create bucket ${bucket} with versioning, or grant the key s3:CreateBucket`;
    return warning('s3 bucket', `${bucket} does not exist, and the key may not list buckets`, remedy);
  }
}

function refused(name: string, bucket: string, error: unknown): Finding {
  const status = statusOf(error);
  if (status === undefined && isUnreadable(error)) {
    const remedy = 'S3_ENDPOINT (s3.endpoint) must be the address of the S3 API';
    return failed(name, 'the server is not an S3 server', remedy);
  }
  const observed = status === undefined ? reason(error) : `the server answered ${status} ${(error as Error).name}`;
  const remedy = `check the access key and its secret (s3.secret), the region, and the key's rights to bucket ${bucket}`;
  return failed(name, observed, remedy);
}

/** The library puts an unreadable response into this field. */
function isUnreadable(error: unknown): boolean {
  return Error.isError(error) && '$response' in error;
}

function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
}

/** The clock of the server, from any response. */
async function timeOf(url: string): Promise<number | undefined> {
  const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) });
  await response.body?.cancel();
  const date = Date.parse(response.headers.get('date') ?? '');
  return Number.isNaN(date) ? undefined : date;
}
