import {
  CreateBucketCommand,
  GetBucketVersioningCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { CONSOLE_FOLDER } from '@hms/tenancy';
import type { Change } from '../backends/backend.ts';
import type { Bucket } from '../backends/storage/client.ts';
import { ensureCors } from './bucket-cors.ts';
import { type CloseOptions, closeBucket } from './bucket-settings.ts';

interface BucketOptions extends CloseOptions {
  /** Origins of pages that use files, or undefined to leave the CORS rules as they are. */
  readonly origins: readonly string[] | undefined;
  /** Called with a sentence if the server refuses a setting that only web pages need. */
  readonly onRefused: (sentence: string) => void;
}

/**
 * Creates the bucket with versioning, closes it to others, allows its use by web pages, and creates the folder of
 * platform administration. @returns the changes.
 */
export function ensureBucket(bucket: Bucket, { origins, onRefused, ...close }: BucketOptions): Promise<Change[]> {
  return bucket.call('ensure-bucket', async (s3) => {
    const target = { Bucket: bucket.name };
    const changes: Change[] = [];
    if (!(await exists(() => s3.send(new HeadBucketCommand(target))))) {
      await createBucket(s3, bucket.name);
      changes.push({ action: 'create', object: `bucket ${bucket.name}` });
    }
    const { Status } = await s3.send(new GetBucketVersioningCommand(target));
    if (Status !== 'Enabled') {
      await s3.send(new PutBucketVersioningCommand({ ...target, VersioningConfiguration: { Status: 'Enabled' } }));
      changes.push({ action: 'update', object: `bucket ${bucket.name}`, detail: 'versioning' });
    }
    changes.push(...(await closeBucket(s3, bucket.name, close)));
    if (origins) changes.push(...(await ensureCors(s3, bucket.name, origins, onRefused)));
    const marker = { ...target, Key: `${CONSOLE_FOLDER}/` };
    if (!(await exists(() => s3.send(new HeadObjectCommand(marker))))) {
      await s3.send(new PutObjectCommand({ ...marker, Body: Buffer.alloc(0) }));
      changes.push({ action: 'create', object: `folder ${marker.Key}` });
    }
    return changes;
  });
}

async function createBucket(s3: S3Client, name: string): Promise<void> {
  try {
    await s3.send(new CreateBucketCommand({ Bucket: name }));
  } catch (error) {
    if (!(error instanceof S3ServiceException && error.name === 'BucketAlreadyOwnedByYou')) throw error;
  }
}

async function exists(ask: () => Promise<unknown>): Promise<boolean> {
  try {
    await ask();
    return true;
  } catch (error) {
    if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404) return false;
    throw error;
  }
}
