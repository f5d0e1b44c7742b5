import {
  type CORSRule,
  GetBucketCorsCommand,
  PutBucketCorsCommand,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import type { Change } from '../backends/backend.ts';

/** In changes. */
export const CORS = 'CORS';

/** What the pages of these origins may do with presigned URLs. Pure. */
function corsRules(origins: readonly string[]): CORSRule[] {
  return [
    {
      AllowedOrigins: [...origins],
      AllowedMethods: ['GET', 'HEAD', 'PUT'],
      // The headers of an upload, as `packages/storage` signs them.
      AllowedHeaders: ['content-type', 'x-amz-checksum-sha256'],
      MaxAgeSeconds: 3600,
    },
  ];
}

/**
 * Restores the bucket's CORS rules. Some servers have none of their own, or allow fewer origins. Files then still go
 * everywhere but to web pages, so this is no error.
 * @param onRefused called with a sentence if the server refuses the rules. @returns the changes.
 */
export async function ensureCors(
  s3: S3Client,
  Bucket: string,
  origins: readonly string[],
  onRefused: (sentence: string) => void,
): Promise<Change[]> {
  const wanted = corsRules(origins);
  try {
    if (canonical(await readRules(s3, Bucket)) === canonical(wanted)) return [];
    await s3.send(new PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules: wanted } }));
    return [{ action: 'update', object: `bucket ${Bucket}`, detail: CORS }];
  } catch (error) {
    if (!(error instanceof S3ServiceException) || error.$metadata.httpStatusCode === undefined) throw error;
    onRefused(
      `the S3 server refuses CORS rules of bucket ${Bucket} (${error.$metadata.httpStatusCode} ${error.name}): allow the origins ${origins.join(', ')} with the server's own settings, or web pages can't upload files`,
    );
    return [];
  }
}

async function readRules(s3: S3Client, Bucket: string): Promise<readonly CORSRule[]> {
  try {
    return (await s3.send(new GetBucketCorsCommand({ Bucket }))).CORSRules ?? [];
  } catch (error) {
    if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404) return [];
    throw error;
  }
}

/** Servers return the lists in any order, and may add ids and empty lists. */
function canonical(rules: readonly CORSRule[]): string {
  const sorted = (list: readonly string[] = []) => [...list].sort();
  const lines = rules.map((rule) =>
    JSON.stringify([
      sorted(rule.AllowedOrigins),
      sorted(rule.AllowedMethods),
      sorted(rule.AllowedHeaders?.map((name) => name.toLowerCase())),
      sorted(rule.ExposeHeaders),
      rule.MaxAgeSeconds ?? 0,
    ]),
  );
  return lines.sort().join('\n');
}
