import { randomBytes } from 'node:crypto';
import { readdir, readlink } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually, type TestGateway, type TestUpstream, testGateway, testUpstream } from '../testing/harness.ts';

let gateway: TestGateway;
let upstream: TestUpstream;
let answer: RequestListener | undefined;

beforeAll(async () => {
  gateway = await testGateway();
  upstream = await testUpstream(async (request, response) => {
    if (answer) answer(request, response);
    else response.end(await buffer(request));
  });
  await gateway.make('PUT', '/services/hms', { url: `http://127.0.0.1:${upstream.port}` });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.stop();
});
beforeEach(async () => {
  answer = undefined;
  upstream.requests.length = 0;
  await gateway.make('DELETE', '/routes/r');
  await gateway.make('PUT', '/routes/r', { paths: ['/'], service: { name: 'hms' } });
});

const plugin = (name: string, config: object = {}) => gateway.make('POST', '/routes/r/plugins', { name, config });
const limit = (config: object) => plugin('request-size-limiting', config);
const post = (body: string | Buffer, headers: Record<string, string> = {}) =>
  gateway.get('/', { method: 'POST', body, headers });
const chunked = { 'transfer-encoding': 'chunked' };
const refusal = { message: 'Request size limit exceeded' };

test('a body of the limit passes, one byte more does not', async () => {
  await limit({ allowed_payload_size: 1 });
  expect((await post(Buffer.alloc(1024 * 1024))).status).toBe(200);
  const refused = await post(Buffer.alloc(1024 * 1024 + 1));
  expect([refused.status, refused.json()]).toMatchObject([413, refusal]);
  expect(upstream.requests).toHaveLength(1);
});

test('a client that waits for 100 Continue gets 417', async () => {
  await limit({ allowed_payload_size: 1 });
  const expects = { expect: '100-continue' };
  expect((await post(Buffer.alloc(2097152), { ...expects, 'content-length': '2097152' })).status).toBe(417);
  expect((await post(Buffer.alloc(2097152), { ...expects, ...chunked })).status).toBe(417);
});

test('a length may be required', async () => {
  await limit({ require_content_length: true });
  const refused = await gateway.get('/');
  expect([refused.status, refused.json()]).toMatchObject([
    411,
    { message: 'A valid Content-Length header is required' },
  ]);
  expect((await post('here', chunked)).status).toBe(200);
});

describe('a body without a length', () => {
  test('that is too large never reaches the service', async () => {
    await limit({ allowed_payload_size: 100, size_unit: 'kilobytes' });
    for (const size of [100 * 1024 + 1, 1_000_000]) {
      const refused = await post(Buffer.alloc(size), chunked);
      expect([refused.status, refused.json()]).toMatchObject([413, refusal]);
    }
    expect(upstream.requests).toEqual([]);
  });

  test('that is too large is refused before later plugins, which do not count it', async () => {
    await limit({ allowed_payload_size: 1, size_unit: 'kilobytes' });
    await plugin('acl', { allow: ['nobody'] });
    await plugin('rate-limiting', { minute: 5 });
    const refused = await post(Buffer.alloc(1025), chunked);
    expect([refused.status, refused.headers['ratelimit-limit']]).toEqual([413, undefined]);
    expect((await post(Buffer.alloc(1024), chunked)).status).toBe(401);
  });

  test.each([0, 1, 65_536, 65_537, 102_400])('of %d bytes arrives complete, with its length', async (size) => {
    await limit({ allowed_payload_size: 100, size_unit: 'kilobytes' });
    const body = randomBytes(size)
      .toString('latin1')
      .slice(0, size)
      .replace(/[^ -~]/g, '.');
    const passed = await post(body, chunked);
    expect([passed.status, passed.body]).toEqual([200, body]);
    expect(upstream.requests.at(-1)?.headers).toMatchObject({ 'content-length': String(size) });
    expect(upstream.requests.at(-1)?.headers).not.toHaveProperty('transfer-encoding');
  });

  test('is sent again from its beginning if an attempt fails midway', async () => {
    await limit({ allowed_payload_size: 10 });
    const body = 'again '.repeat(100_000);
    answer = (request) => {
      answer = undefined;
      request.once('data', () => request.destroy());
    };
    const passed = await gateway.get('/', { method: 'PUT', body, headers: chunked });
    expect([passed.status, passed.body === body, upstream.requests.length]).toEqual([200, true, 2]);
  });

  test('is measured by HTTP/2 too', async () => {
    await limit({ allowed_payload_size: 100, size_unit: 'kilobytes' });
    const session = connectHttp2(`https://127.0.0.1:${gateway.gateway.ports.proxyTls}`, { rejectUnauthorized: false });
    const ask = async (size: number) => {
      const stream = session.request({ ':path': '/', ':method': 'POST' });
      const status = new Promise((resolve) => stream.once('response', (headers) => resolve(headers[':status'])));
      stream.end(Buffer.alloc(size, 'x'));
      return [await status, (await text(stream)).length];
    };
    expect(await ask(102_400)).toEqual([200, 102_400]);
    expect((await ask(102_401))[0]).toBe(413);
    expect(upstream.requests).toHaveLength(1);
    session.close();
  });

  test('can be echoed after it is measured', async () => {
    await limit({ allowed_payload_size: 1 });
    await plugin('request-termination', { echo: true });
    const small = await post('seen', { ...chunked, 'content-type': 'text/plain' });
    expect(small.json()).toMatchObject({ request: { raw_body: 'seen' } });
    const large = await post(Buffer.alloc(200_000), { ...chunked, 'content-type': 'text/plain' });
    expect(large.json()).not.toHaveProperty('request.raw_body');
  });
});

describe('a body that is kept in a file', () => {
  // The names of open files. A deleted file keeps its last name.
  const openFiles = async () => {
    const links = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''));
    return (await Promise.all(links)).filter((link) => link.includes('gateway-body-'));
  };
  test('is deleted when its client disconnects midway, and is never sent', async () => {
    await limit({ allowed_payload_size: 1 });
    const socket = connect(gateway.proxy, '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
    socket.write(`30d40\r\n${'x'.repeat(200_000)}\r\n`);
    await eventually(openFiles, ([name]) => name?.endsWith('(deleted)') === true);
    socket.destroy();
    await eventually(openFiles, (names) => names.length === 0);
    expect(upstream.requests).toEqual([]);
  });

  test.each([
    ['answers', (() => undefined) satisfies () => undefined, 200],
    ['answers before it has received it', ((_request, response) => response.end()) satisfies RequestListener, 200],
    ['ends the connection', ((request) => request.socket.destroy()) satisfies RequestListener, 502],
  ] as const)('is deleted when its service %s', async (name, handle, status) => {
    await limit({ allowed_payload_size: 10 });
    if (name !== 'answers') answer = handle as RequestListener;
    expect((await post(Buffer.alloc(5_000_000), chunked)).status).toBe(status);
    await eventually(openFiles, (names) => names.length === 0);
  });
});

test('a route’s limit replaces its service’s', async () => {
  await gateway.make('POST', '/services/hms/plugins', {
    name: 'request-size-limiting',
    config: { allowed_payload_size: 10 },
  });
  await limit({ allowed_payload_size: 4, size_unit: 'kilobytes' });
  for (const headers of [{}, chunked]) {
    expect((await post(Buffer.alloc(4096), headers)).status).toBe(200);
    expect((await post(Buffer.alloc(4097), headers)).status).toBe(413);
  }
});
