import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { describe, expect, it } from '@jest/globals';
import { testCalls } from '../testing.ts';
import { Bucket } from './client.ts';

describe('Bucket', () => {
  it('honours Retry-After', async () => {
    const server = createServer((_, response) => {
      response.writeHead(503, { 'retry-after': '7', 'content-type': 'application/xml' });
      response.end('<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const calls = testCalls('storage');
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const keys = { accessKeyId: 'x', secretAccessKey: 'x' };
    const bucket = new Bucket({ endpoint, region: 'us-east-1', bucket: 'hms', ...keys }, calls);
    const answer = bucket.call('read', (s3) => s3.send(new ListObjectsV2Command({ Bucket: 'hms' })));
    const error = await answer.catch((cause: unknown) => cause);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect(error).toMatchObject({ kind: 'Unavailable', retryAfterMs: 7_000 });
  });

  it('sends nothing if the process stops being the leader while the connection is opened', async () => {
    const requests: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      requests.push(request.url);
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // At the start of the call, right before the request, and when the connection is there.
    let fences = 0;
    const calls = testCalls('storage', () => {
      fences += 1;
      if (fences === 3) throw new Error('not the leader');
    });
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const keys = { accessKeyId: 'x', secretAccessKey: 'x' };
    const bucket = new Bucket({ endpoint, region: 'us-east-1', bucket: 'hms', ...keys }, calls);
    const put = (key: string) =>
      bucket.call('write', (s3) => s3.send(new PutObjectCommand({ Bucket: 'hms', Key: key, Body: 'x' })));
    await expect(put('late')).rejects.toThrow('not the leader');
    await put('early');
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect(requests).toEqual([expect.stringContaining('/hms/early')]);
  });
});
