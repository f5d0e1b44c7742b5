import {
  AbortMultipartUploadCommand,
  DeleteObjectsCommand,
  ListMultipartUploadsCommand,
  ListObjectVersionsCommand,
  type ObjectIdentifier,
  type S3Client,
} from '@aws-sdk/client-s3';
import { BackendError } from '../errors.ts';
import type { Bucket } from './client.ts';

/**
 * Permanently deletes everything below a prefix: all versions, delete markers and unfinished uploads.
 * Can be interrupted and repeated: the folder's own marker object, which names its owner, is deleted last.
 *
 * @throws BackendError if the server does not delete an object, naming the first one.
 */
export function emptyFolder(bucket: Bucket, prefix: string): Promise<void> {
  return bucket.call('empty', async (s3) => {
    await abortUploads(s3, bucket.name, prefix);
    await deleteVersions(s3, bucket.name, prefix);
  });
}

/** Whether there is nothing below a prefix that `emptyFolder` would delete. */
export function isEmpty(bucket: Bucket, Prefix: string): Promise<boolean> {
  return bucket.call('read', async (s3) => {
    const [{ Uploads = [] }, { Versions = [], DeleteMarkers = [] }] = await Promise.all([
      s3.send(new ListMultipartUploadsCommand({ Bucket: bucket.name, Prefix })),
      s3.send(new ListObjectVersionsCommand({ Bucket: bucket.name, Prefix, MaxKeys: 1 })),
    ]);
    return Uploads.length + Versions.length + DeleteMarkers.length === 0;
  });
}

async function abortUploads(s3: S3Client, Bucket: string, Prefix: string): Promise<void> {
  for (;;) {
    const { Uploads = [] } = await s3.send(new ListMultipartUploadsCommand({ Bucket, Prefix }));
    if (Uploads.length === 0) return;
    for (const { Key, UploadId } of Uploads) {
      await s3.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
    }
  }
}

/** Always reads the first page, which no longer contains deleted objects, so that no continuation marker gets stale. */
async function deleteVersions(s3: S3Client, Bucket: string, Prefix: string): Promise<void> {
  for (;;) {
    const page = await s3.send(new ListObjectVersionsCommand({ Bucket, Prefix, MaxKeys: 1000 }));
    const Objects: ObjectIdentifier[] = [...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])].flatMap(
      ({ Key, VersionId }) => (Key === undefined ? [] : [{ Key, VersionId }]),
    );
    if (Objects.length === 0) return;
    const notRoot = Objects.filter(({ Key }) => Key !== Prefix);
    const { Errors = [] } = await s3.send(
      new DeleteObjectsCommand({ Bucket, Delete: { Objects: notRoot.length > 0 ? notRoot : Objects, Quiet: true } }),
    );
    const [first] = Errors;
    if (first) throw new BackendError('Unavailable', `the S3 server kept ${first.Key}: ${first.Code} ${first.Message}`);
  }
}
