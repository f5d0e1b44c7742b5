/** Input of clients is measured before it is parsed, and what is stored for all clients is bounded. */
import { afterEach, expect, test } from '@jest/globals';
import { RateCounters } from '../plugins/rate-counters.ts';
import { eventually, sendRaw } from '../testing/harness.ts';
import { useClosing, useGateway, useServe } from '../testing/setup.ts';
import { disk } from './stored-body.ts';

const gateway = useGateway();
const serve = useServe(gateway, useClosing());
const freeAtStart = disk.free;
afterEach(() => {
  disk.free = freeAtStart;
});

test.each([
  ['a request line of 8 KB', `GET /${'a'.repeat(8192 - 16)} HTTP/1.1\r\nHost: a\r\n`, 200, ''],
  ['a longer one', `GET /${'a'.repeat(8192 - 15)} HTTP/1.1\r\nHost: a\r\n`, 414, 'URI too long'],
  ['a header line of 8 KB', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(8192 - 5)}\r\n`, 200, ''],
  [
    'a longer one',
    `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(8192 - 4)}\r\n`,
    494,
    'Request header or cookie too large',
  ],
])('%s', async (_name, head, status, message) => {
  await serve();
  await gateway.make('POST', '/routes/r/plugins', { name: 'request-termination', config: { status_code: 200 } });
  const answer = await sendRaw(gateway.proxy, `${head}Connection: close\r\n\r\n`);
  expect(answer?.slice(9, 12)).toBe(String(status));
  expect(answer).toContain(message);
});

test('bodies that are being measured share a bounded part of the disk', async () => {
  const upstream = await serve();
  await gateway.make('POST', '/routes/r/plugins', {
    name: 'request-size-limiting',
    config: { allowed_payload_size: 1 },
  });
  const post = (bytes: number) =>
    gateway.get('/', { method: 'POST', headers: { 'transfer-encoding': 'chunked' }, body: Buffer.alloc(bytes, 'a') });
  disk.free = 300_000;
  expect((await post(250_000)).status).toBe(200);
  await eventually(
    () => disk.free,
    (free) => free === 300_000,
  );
  const refused = await post(350_000);
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
  expect(refused.body).toContain('Too many bodies are being read');
  await eventually(
    () => disk.free,
    (free) => free === 300_000,
  );
  expect((await post(1000)).status).toBe(200);
  expect(upstream.requests).toHaveLength(2);
});

test('a client that sends another header with each request does not fill the memory', () => {
  const counters = new RateCounters(3);
  for (const key of ['a', 'b', 'c', 'd']) counters.window(key, 'hour', 0).count = 1;
  expect(counters.size).toBe(3);
  expect(counters.window('d', 'hour', 0).count).toBe(1);
  expect(counters.window('a', 'hour', 0).count).toBe(0);
});
