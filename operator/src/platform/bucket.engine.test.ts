/** Manual changes of the shared bucket, at a real S3 server. */
import { randomUUID } from 'node:crypto';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  DeleteBucketPolicyCommand,
  GetBucketPolicyCommand,
  GetBucketVersioningCommand,
  PutBucketAclCommand,
  PutBucketCorsCommand,
  PutBucketOwnershipControlsCommand,
  PutBucketPolicyCommand,
  PutBucketVersioningCommand,
  PutBucketWebsiteCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { fileRights } from '@hms/tenancy';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { platform } from '../../../test/platform.ts';
import { describe as described } from '../backends/backend.ts';
import { Bucket } from '../backends/storage/client.ts';
import { testCalls } from '../backends/testing.ts';
import { ensureBucket } from './bucket.ts';
import type { Foreign } from './foreign.ts';

const { s3 } = platform();
const { accessKeyId, secretAccessKey } = s3;
const name = `bucket-${randomUUID().slice(0, 8)}`;
const client = new S3Client({ ...s3, forcePathStyle: true, credentials: { accessKeyId, secretAccessKey } });
const bucket = new Bucket({ ...s3, bucket: name }, testCalls('storage'));
const target = { Bucket: name };

/** Origins of pages that use files. */
const PORTALS = ['https://portal.example', 'https://*.hms.example'];
const refused: string[] = [];
let foreign: readonly Foreign[] = [];
const ensure = (of = bucket, origins: readonly string[] | undefined = PORTALS) =>
  ensureBucket(of, {
    origins,
    modules: s3.modules.accessKeyId,
    onRefused: (sentence) => refused.push(sentence),
    onForeign: (found) => {
      foreign = found;
    },
  });

beforeAll(() => ensure());
afterAll(() => client.destroy());

it('has no drift when unchanged', async () => {
  expect(await ensure()).toEqual([]);
});

const modulesStatement = (Effect: 'Allow' | 'Deny', Action: string) => ({
  ...{ Effect, Principal: { AWS: [s3.modules.accessKeyId] } },
  ...{ Action: [Action], Resource: [`arn:aws:s3:::${name}/*`] },
});
const setPolicy = (...Statement: readonly object[]) =>
  client.send(new PutBucketPolicyCommand({ ...target, Policy: JSON.stringify({ Version: '2012-10-17', Statement }) }));

it.each([
  ['no policy', () => client.send(new DeleteBucketPolicyCommand(target))],
  ['every right', () => setPolicy(modulesStatement('Allow', 's3:*'))],
  ['a denial', () => setPolicy(...fileRights(name, s3.modules.accessKeyId), modulesStatement('Deny', 's3:PutObject'))],
])('restores the rights of the modules after %s', async (_, change) => {
  await change();
  expect((await ensure()).map(described)).toEqual([`update bucket ${name} (rights of the modules)`]);
  expect(await ensure()).toEqual([]);
  const { Policy } = await client.send(new GetBucketPolicyCommand(target));
  expect(JSON.parse(Policy ?? '').Statement).toEqual(fileRights(name, s3.modules.accessKeyId));
});

it('reports a bucket that belongs to the key of the modules', async () => {
  await ensure();
  expect(foreign).toEqual([]);
  const own = `bucket-${randomUUID().slice(0, 8)}`;
  await ensureBucket(new Bucket({ ...s3, bucket: own }, testCalls('storage')), {
    origins: undefined,
    modules: accessKeyId,
    onRefused: () => undefined,
    onForeign: (found) => {
      foreign = found;
    },
  });
  expect(foreign).toEqual([{ kind: 'bucket', message: `bucket ${own} belongs to the key of the modules` }]);
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
  expect((await ensure()).map(described)).toEqual([`update bucket ${name} (${what})`]);
  expect(await ensure()).toEqual([]);
  expect(await client.send(new GetBucketVersioningCommand(target))).toMatchObject({ Status: 'Enabled' });
});

describe('pages of web browsers', () => {
  /** A preflight of an upload, as a browser sends it. */
  const preflight = (origin: string, method = 'PUT', headers = 'content-type,x-amz-checksum-sha256') =>
    fetch(`${s3.endpoint}/${name}/st-mary/patients/a/b?X-Amz-Signature=x`, {
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': method,
        'Access-Control-Request-Headers': headers,
      },
    });

  it.each(['https://portal.example', 'https://st-mary.hms.example'])('may upload from %s', async (origin) => {
    const response = await preflight(origin);
    expect(response.status).toBe(200);
    expect(response.headers.get('access-control-allow-origin')).toBe(origin);
    expect(response.headers.get('access-control-allow-headers')).toContain('x-amz-checksum-sha256');
  });

  it.each([
    ['another origin', 'https://evil.example', 'PUT', 'content-type'],
    ['another method', 'https://portal.example', 'DELETE', 'content-type'],
    ['another header', 'https://portal.example', 'PUT', 'x-amz-acl'],
  ])('may not with %s', async (_, origin, method, headers) => {
    const response = await preflight(origin, method, headers);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('are admitted and refused as hospitals come and go', async () => {
    const more = [...PORTALS, 'https://st-john.example'];
    expect((await ensure(bucket, more)).map(described)).toEqual([`update bucket ${name} (CORS)`]);
    expect(await ensure(bucket, more.toReversed())).toEqual([]);
    expect((await preflight('https://st-john.example')).status).toBe(200);
    expect(await ensure(bucket, PORTALS)).toHaveLength(1);
    expect((await preflight('https://st-john.example')).headers.get('access-control-allow-origin')).toBeNull();
  });

  it('stay as they are while the hospitals are not known', async () => {
    expect(await ensure(bucket, undefined)).toEqual([]);
    expect((await preflight('https://portal.example')).status).toBe(200);
  });

  it('are reported at a server that has no CORS rules, which is no error', async () => {
    // Before the real server: no server of the tests lacks them.
    const server = createServer((incoming, outgoing) => {
      if (incoming.method === 'PUT' && incoming.url?.includes('?cors')) {
        outgoing.writeHead(501, { 'content-type': 'application/xml' });
        outgoing.end('<Error><Code>NotImplemented</Code><Message>not implemented</Message></Error>');
        return;
      }
      const { method, url, headers } = incoming;
      const onward = send(s3.endpoint + url, { method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      incoming.pipe(onward);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const behind = new Bucket({ ...s3, endpoint, bucket: name }, testCalls('storage'));
    refused.length = 0;
    expect(await ensure(behind, ['https://other.example'])).toEqual([]);
    expect(refused).toEqual([
      expect.stringMatching(/refuses CORS rules .*501 NotImplemented.*https:\/\/other.example/),
    ]);
    server.closeAllConnections();
    server.close();
  });
});
