/** Manual changes of the shared bucket, at a real S3 server. */
import { randomUUID } from 'node:crypto';
import {
  GetBucketVersioningCommand,
  PutBucketAclCommand,
  PutBucketCorsCommand,
  PutBucketOwnershipControlsCommand,
  PutBucketPolicyCommand,
  PutBucketVersioningCommand,
  PutBucketWebsiteCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { platform } from '../../../test/platform.ts';
import { describe as described } from '../backends/backend.ts';
import { Bucket } from '../backends/storage/client.ts';
import { testCalls } from '../backends/testing.ts';
import { ensureBucket } from './bucket.ts';

const { s3 } = platform();
const { accessKeyId, secretAccessKey } = s3;
const name = `bucket-${randomUUID().slice(0, 8)}`;
const client = new S3Client({ ...s3, forcePathStyle: true, credentials: { accessKeyId, secretAccessKey } });
const bucket = new Bucket({ ...s3, bucket: name }, testCalls('storage'));
const target = { Bucket: name };

beforeAll(() => ensureBucket(bucket));
afterAll(() => client.destroy());

it('has no drift when unchanged', async () => {
  expect(await ensureBucket(bucket)).toEqual([]);
});

it.each([
  [
    'versioning',
    () => client.send(new PutBucketVersioningCommand({ ...target, VersioningConfiguration: { Status: 'Suspended' } })),
  ],
  [
    'public policy',
    () => {
      const statement = {
        Effect: 'Allow',
        Principal: '*',
        Action: ['s3:GetObject'],
        Resource: [`arn:aws:s3:::${name}/*`],
      };
      const Policy = JSON.stringify({ Version: '2012-10-17', Statement: [statement] });
      return client.send(new PutBucketPolicyCommand({ ...target, Policy }));
    },
  ],
  [
    'access for others',
    async () => {
      const OwnershipControls = { Rules: [{ ObjectOwnership: 'BucketOwnerPreferred' as const }] };
      await client.send(new PutBucketOwnershipControlsCommand({ ...target, OwnershipControls }));
      await client.send(new PutBucketAclCommand({ ...target, ACL: 'public-read' }));
    },
  ],
  [
    'CORS',
    () => {
      const CORSConfiguration = { CORSRules: [{ AllowedMethods: ['GET'], AllowedOrigins: ['*'] }] };
      return client.send(new PutBucketCorsCommand({ ...target, CORSConfiguration }));
    },
  ],
  [
    'website',
    () => {
      const WebsiteConfiguration = { IndexDocument: { Suffix: 'index.html' } };
      return client.send(new PutBucketWebsiteCommand({ ...target, WebsiteConfiguration }));
    },
  ],
])('is restored: %s', async (what, change) => {
  await change();
  expect((await ensureBucket(bucket)).map(described)).toEqual([`update bucket ${name} (${what})`]);
  expect(await ensureBucket(bucket)).toEqual([]);
  expect(await client.send(new GetBucketVersioningCommand(target))).toMatchObject({ Status: 'Enabled' });
});
