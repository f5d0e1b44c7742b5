import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Duplex, Writable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { TrafficMetrics } from '../metrics.ts';
import type { Runtime } from '../runtime/runtime.ts';
import {
  eventually,
  inSeconds,
  publicPem,
  send,
  sendRaw,
  type TestGateway,
  type TestUpstream,
  testGateway,
  testUpstream,
  token,
} from '../testing/harness.ts';
import { createProxyListener } from './listeners.ts';
import { RequestProxy } from './proxy.ts';

type Line = Readonly<Record<string, unknown>>;

let written = '';
let gateway: TestGateway;
let upstream: TestUpstream;

beforeAll(async () => {
  const sink = new Writable({
    write(chunk, _encoding, done) {
      written += String(chunk);
      done();
    },
  });
  gateway = await testGateway({}, pino({ level: 'info' }, sink));
  upstream = await testUpstream();
  await gateway.make('PUT', '/services/hms', { host: '127.0.0.1', port: upstream.port });
  await gateway.make('PUT', '/routes/patients', { paths: ['/api/hms'], strip_path: false, service: { name: 'hms' } });
  for (const [name, config] of [
    ['correlation-id', { header_name: 'X-Request-ID', generator: 'uuid', echo_downstream: true }],
    ['jwt', { uri_param_names: ['jwt'], claims_to_verify: ['exp'] }],
  ])
    await gateway.make('POST', '/services/hms/plugins', { name, config });
  await gateway.make('PUT', '/consumers/st-mary');
  const credential = { key: 'issuer', algorithm: 'RS256', rsa_public_key: publicPem };
  await gateway.make('POST', '/consumers/st-mary/jwt', credential);
});

afterAll(async () => {
  await gateway.stop();
  await upstream.stop();
});

const lines = (): Line[] =>
  written
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line)
    .filter(({ msg }) => msg === 'request');
const lineOf = async (holds: (line: Line) => boolean) => {
  const found = await eventually(lines, (all) => all.some(holds));
  expect(found.filter(holds)).toHaveLength(1);
  return found.find(holds) as Line;
};

test('logs a proxied request in one line, without query, token and headers', async () => {
  const jwt = token({ iss: 'issuer', exp: inSeconds(60) });
  const id = randomUUID();
  const answer = await gateway.get(`/api/hms/patients?jwt=${jwt}&q=secretquery`, {
    method: 'POST',
    headers: {
      'x-request-id': id,
      authorization: `Bearer ${jwt}`,
      host: 'st-mary.localhost:8000',
      cookie: 'secretcookie=1',
    },
    body: 'secretbody',
  });
  expect(answer.status).toBe(200);
  expect(await lineOf(({ requestId }) => requestId === id)).toEqual({
    ...{ level: 30, time: expect.any(Number), pid: process.pid, hostname: expect.any(String), msg: 'request' },
    requestId: id,
    client: '127.0.0.1',
    method: 'POST',
    host: 'st-mary.localhost',
    path: '/api/hms/patients',
    status: 200,
    route: 'patients',
    service: 'hms',
    consumer: 'st-mary',
    bytesIn: 10,
    bytesOut: answer.body.length,
    duration: expect.any(Number),
    upstreamDuration: expect.any(Number),
  });
  expect(upstream.requests.at(-1)?.headers['x-request-id']).toBe(id);
  for (const secret of ['secret', jwt, jwt.slice(0, 20), jwt.slice(-20)]) expect(written).not.toContain(secret);
});

test('logs a refused request with the id in its response', async () => {
  const refused = await gateway.get('/api/hms/patients');
  const id = refused.headers['x-request-id'];
  expect(refused.status).toBe(401);
  const line = await lineOf(({ requestId }) => requestId === id);
  expect(line).toMatchObject({ status: 401, route: 'patients', service: 'hms', bytesOut: refused.body.length });
  expect(line.consumer).toBeUndefined();
});

test('logs a request without a route with the id in its error page', async () => {
  const id = randomUUID();
  const unknown = await gateway.get('/nowhere?a=b', { headers: { 'x-request-id': id } });
  expect([unknown.status, unknown.json().request_id, unknown.headers['x-kong-request-id']]).toEqual([404, id, id]);
  expect(await lineOf(({ requestId }) => requestId === id)).toMatchObject({ status: 404, path: '/nowhere' });
});

test.each([
  ['no HTTP', 'hello\r\n\r\n', { status: 400, client: '127.0.0.1' }],
  ['a head that is too large', `GET / HTTP/1.1\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`, { status: 494 }],
  ['a request for a tunnel', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', { status: 405, method: 'CONNECT' }],
  ['a broken escape', 'GET /%zz?jwt=x HTTP/1.1\r\nHost: a\r\n\r\n', { status: 400, path: '/%zz' }],
  [
    'a malformed body',
    'POST /nowhere HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nnot a length\r\n\r\n',
    { status: 404, path: '/nowhere' },
  ],
])('logs %s with the id in its error page', async (_name, bytes, line) => {
  const received = (await sendRaw(gateway.proxy, bytes)) ?? '';
  const [, id] = /X-Kong-Request-Id: ([0-9a-f-]{36})/.exec(received) ?? [];
  expect(received.split('\r\n\r\n')[1]).toContain(id);
  expect(await lineOf(({ requestId }) => requestId === id)).toMatchObject(line);
});

test('answers a malformed body under the id of its request', async () => {
  const id = randomUUID();
  const jwt = token({ iss: 'issuer', exp: inSeconds(60) });
  const head = `POST /api/hms HTTP/1.1\r\nHost: a\r\nX-Request-ID: ${id}\r\nAuthorization: Bearer ${jwt}\r\n`;
  const received = await sendRaw(
    gateway.proxy,
    `${head}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nno length\r\n\r\n`,
  );
  expect(received).toMatch(/^HTTP\/1\.1 400 /);
  expect(received).toContain(`X-Request-ID: ${id}`);
  expect(await lineOf(({ requestId }) => requestId === id)).toMatchObject({ status: 400, route: 'patients' });
});

test('logs a WebSocket in one line when it ends', async () => {
  const server = createServer();
  server.on('upgrade', (_request, socket: Duplex) => {
    socket.on('error', () => undefined);
    socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nwelcome');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await gateway.make('PUT', '/services/rooms', {
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
  });
  await gateway.make('PUT', '/routes/rooms', { paths: ['/rooms'], service: { name: 'rooms' } });
  const id = randomUUID();
  const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
  await sendRaw(
    gateway.proxy,
    `GET /rooms/1?jwt=secrettoken HTTP/1.1\r\nHost: a\r\n${upgrade}X-Request-ID: ${id}\r\n\r\n`,
  );
  server.close();
  expect(await lineOf(({ requestId }) => requestId === id)).toMatchObject({
    ...{ method: 'GET', path: '/rooms/1', status: 101, route: 'rooms', service: 'rooms', bytesOut: 7 },
  });
  expect(written).not.toContain('secrettoken');
});

test('logs a fault without the query', async () => {
  let log = '';
  const sink = new Writable({
    write(chunk, _encoding, done) {
      log += String(chunk);
      done();
    },
  });
  const broken = {
    router: () => {
      throw new Error('broken');
    },
    globalChain: () => [],
  };
  const metrics = new TrafficMetrics('node', 'version');
  const proxy = new RequestProxy(broken as unknown as Runtime, metrics, pino({ level: 'info' }, sink), 1, undefined);
  const listener = createProxyListener(proxy);
  await listener.listen({ host: '127.0.0.1', port: 0 });
  const answer = await send(listener.port, '/a?jwt=secret');
  await listener.stop(0);
  expect(answer.status).toBe(500);
  expect(log).toContain('"path":"/a","msg":"The request could not be handled"');
  expect(log).not.toContain('secret');
});

test('truncates long paths', async () => {
  const id = randomUUID();
  await gateway.get('/a'.repeat(4_000), { headers: { 'x-request-id': id } });
  expect(String((await lineOf(({ requestId }) => requestId === id)).path)).toHaveLength(1024);
});

test('hides a secret in a path, and no id', async () => {
  const [id, secret] = [randomUUID(), 'aZ-_9'.repeat(9)];
  await gateway.get(`/calendar/${id}/${secret}`, { headers: { 'x-request-id': id } });
  expect((await lineOf(({ requestId }) => requestId === id)).path).toBe(`/calendar/${id}/***`);
});

test('logs configuration changes without their bodies', async () => {
  await gateway.make('PUT', '/consumers/late?token=secretargument', { custom_id: 'secretid' });
  const line = written.split('\n').find((each) => each.includes('"Admin API call"') && each.includes('late'));
  expect(JSON.parse(line ?? '{}')).toMatchObject({
    method: 'PUT',
    path: '/consumers/late',
    status: 200,
    client: '127.0.0.1',
  });
  for (const secret of ['secretid', 'secretargument']) expect(written).not.toContain(secret);
});
