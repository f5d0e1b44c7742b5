import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { expect, test } from '@jest/globals';
import { pair } from '../testing/certificates.ts';
import { eventually, sendRaw } from '../testing/harness.ts';
import { useClosing, useGateway, useServe } from '../testing/setup.ts';

const gateway = useGateway();
const closeLater = useClosing();
const serve = useServe(gateway, closeLater);

const HANDSHAKE = 'GET /ws/room HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n\r\n';

async function listening(server: ReturnType<typeof createServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Not awaited: upgraded connections are closed later.
  closeLater(async () => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Upgrades with the header line, then echoes. */
function echo(socket: Duplex, line: string): void {
  socket.on('error', () => undefined).on('end', () => socket.end());
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${line}\r\n\r\n`);
  socket.on('data', (chunk) => socket.write(`echo ${chunk}`));
}

/** The gateway's response to a handshake so far, and a function that sends more. */
function handshake(): { readonly received: () => string; readonly write: (text: string) => void } {
  const socket = connect(gateway.proxy, '127.0.0.1');
  closeLater(async () => socket.destroy());
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  socket.write(HANDSHAKE);
  return { received: () => received, write: (text) => socket.write(text) };
}

const answered = (received: () => string) => eventually(received, (text) => text.includes('\r\n\r\n'));

test('bytes pass in both directions', async () => {
  const server = createServer();
  server.on('upgrade', (request, socket) => echo(socket, `X-Asked: ${request.url}`));
  await serve(undefined, { paths: ['/ws'] }, { port: await listening(server) });
  const { received, write } = handshake();
  await answered(received);
  expect(received()).toMatch(/^HTTP\/1\.1 101 Switching Protocols\r\n/);
  expect(received()).toContain('X-Asked: /room');
  expect(received()).toContain('Via: 1.1 kong/3.9.3');
  // As nginx writes it.
  expect(received()).toContain('\r\nConnection: upgrade\r\nUpgrade: websocket\r\n');
  expect(received()).toMatch(/\r\nDate: .* GMT\r\n/);
  write('hello');
  await eventually(received, (text) => text.endsWith('echo hello'));
});

test('the name of the protocol is case-insensitive', async () => {
  const server = createServer();
  server.on('upgrade', (_, socket) => socket.end('HTTP/1.1 403 Asked\r\nContent-Length: 0\r\n\r\n'));
  await serve(undefined, { paths: ['/ws'] }, { port: await listening(server) });
  const answer = await sendRaw(gateway.proxy, HANDSHAKE.replace('websocket', 'WebSocket'));
  expect(answer).toMatch(/^HTTP\/1\.1 403 Asked\r\n/);
});

test('the service gets the handshake in nginx’s form', async () => {
  const server = createServer();
  const handshakes: string[][] = [];
  server.on('upgrade', (request, socket) => {
    handshakes.push(request.rawHeaders);
    echo(socket, 'X-Here: yes');
  });
  await serve(undefined, { paths: ['/ws'] }, { port: await listening(server) });
  const { received } = handshake();
  await answered(received);
  const [headers = []] = handshakes;
  const values = (name: string) => headers.filter((_, index) => headers[index - 1]?.toLowerCase() === name);
  expect([values('connection'), values('upgrade')]).toEqual([['keep-alive, Upgrade'], ['websocket']]);
  expect(values('host')).toHaveLength(1);
});

test('bytes directly behind the upgrade response arrive', async () => {
  const server = createServer();
  server.on('upgrade', (_, socket) => {
    socket.on('error', () => undefined);
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nwelcome');
  });
  await serve(undefined, { paths: ['/ws'] }, { port: await listening(server) });
  const { received } = handshake();
  await eventually(received, (text) => text.endsWith('\r\n\r\nwelcome'));
});

test('bytes directly behind the handshake arrive', async () => {
  const server = createServer();
  server.on('upgrade', (_, socket, early) => {
    echo(socket, 'X-Here: yes');
    if (early.length > 0) socket.unshift(early);
  });
  await serve(undefined, { paths: ['/ws'] }, { port: await listening(server) });
  const socket = connect(gateway.proxy, '127.0.0.1');
  closeLater(async () => socket.destroy());
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  socket.write(`${HANDSHAKE}early`);
  await eventually(
    () => received,
    (text) => text.endsWith('echo early'),
  );
});

test('the response of a service that refuses the upgrade is passed on', async () => {
  const server = createServer();
  server.on('upgrade', (_, socket: Duplex) => socket.end('HTTP/1.1 403 Not Here\r\nContent-Length: 4\r\n\r\nnope'));
  await serve(undefined, { paths: ['/ws'] }, { port: await listening(server) });
  const { received } = handshake();
  await eventually(received, (text) => text.endsWith('\r\n\r\nnope'));
  expect(received()).toMatch(/^HTTP\/1\.1 403 Not Here\r\n/);
});

test('the certificates of a service apply as for its other requests', async () => {
  const server = await pair('localhost');
  const client = await pair('gateway.example');
  const authority = await pair('other', true);
  const secure = createTlsServer({ ...server, requestCert: true, rejectUnauthorized: false });
  secure.on('upgrade', (_, socket) =>
    echo(socket, `X-Client: ${(socket as TLSSocket).getPeerCertificate().subject?.CN}`),
  );
  const port = await listening(secure);
  const { id } = await gateway.make('POST', '/certificates', { ...client });
  const trusted = await gateway.make('POST', '/ca_certificates', { cert: authority.cert });
  const https = { protocol: 'https', host: 'localhost', port, retries: 0, client_certificate: { id } };
  await serve(undefined, { paths: ['/ws'] }, https);
  const { received } = handshake();
  await answered(received);
  expect(received()).toContain('X-Client: gateway.example');
  await serve(undefined, { paths: ['/ws'] }, { ...https, tls_verify: true, ca_certificates: [trusted.id] });
  const refused = handshake();
  await answered(refused.received);
  expect(refused.received()).toMatch(/^HTTP\/1\.1 502 /);
});

test('an invalid hostname is answered as not found', async () => {
  await serve(undefined, { paths: ['/ws'] }, { host: 'c0.d1.1', port: 80, retries: 5 });
  expect(await sendRaw(gateway.proxy, HANDSHAKE)).toMatch(/^HTTP\/1\.1 503 .*name resolution failed/s);
  expect(await gateway.get('/ws')).toMatchObject({
    status: 503,
    body: expect.stringContaining('name resolution failed'),
  });
});

// A handshake has no body, and node:http refuses to send a Trailer without chunks.
test('a head that can not be sent is refused, and counts as no failure of the service', async () => {
  const server = createServer();
  server.on('upgrade', (_, socket) => echo(socket, 'X-Here: yes'));
  await serve(undefined, { paths: ['/ws'] }, { port: await listening(server) });
  const unsendable = HANDSHAKE.replace('Host: a', 'Host: a\r\nTrailer: X');
  for (let count = 0; count < 3; count++)
    expect(await sendRaw(gateway.proxy, unsendable)).toMatch(/^HTTP\/1\.1 400 .*Bad request/s);
  const { received } = handshake();
  await answered(received);
  expect(received()).toContain('X-Here: yes');
});

test('the next target is tried if one refuses, whatever its name', async () => {
  const server = createServer();
  server.on('upgrade', (_, socket) => echo(socket, 'X-Here: yes'));
  const port = await listening(server);
  await gateway.make('POST', '/upstreams', { name: 'rooms' });
  for (const target of ['127.0.0.1:1', `127.0.0.1:${port}`]) {
    await gateway.make('POST', '/upstreams/rooms/targets', { target });
  }
  await serve(undefined, { paths: ['/ws'] }, { host: 'rooms', retries: 5 });
  for (let round = 0; round < 4; round++) {
    const { received } = handshake();
    await answered(received);
    expect(received()).toContain('X-Here: yes');
  }
  await gateway.make('POST', '/upstreams/rooms/targets', { target: 'c0.d1.1:80' });
  for (let round = 0; round < 6; round++) {
    const { received } = handshake();
    await answered(received);
    expect(received()).toMatch(/^HTTP\/1\.1 (101|503) /);
  }
});

test('a target that refuses is not tried again for the same handshake', async () => {
  const server = createServer();
  server.on('upgrade', (_, socket) => socket.end('HTTP/1.1 403 Here\r\nContent-Length: 0\r\n\r\n'));
  const port = await listening(server);
  // By path, so that each attempt would choose the same target.
  await gateway.make('POST', '/upstreams', { name: 'hashed', hash_on: 'path' });
  for (const target of ['127.0.0.1:1', `127.0.0.1:${port}`])
    await gateway.make('POST', '/upstreams/hashed/targets', { target });
  await serve(undefined, { paths: ['/ws'] }, { host: 'hashed', retries: 1 });
  for (let room = 0; room < 12; room++)
    expect(await sendRaw(gateway.proxy, HANDSHAKE.replace('room', String(room)))).toMatch(/^HTTP\/1\.1 403 Here\r\n/);
});

test.each([
  ['another method', HANDSHAKE.replace('GET', 'OPTIONS'), 'OPTIONS ', undefined],
  ['another protocol', HANDSHAKE.replace('websocket', 'h2c'), 'GET ', undefined],
  [
    'a body',
    HANDSHAKE.replace('GET', 'POST').replace('\r\n\r\n', '\r\nContent-Length: 4\r\n\r\nbody'),
    'POST body',
    '4',
  ],
  ['GET with a body', HANDSHAKE.replace('\r\n\r\n', '\r\nContent-Length: 4\r\n\r\nbody'), 'GET body', '4'],
  [
    'chunks',
    HANDSHAKE.replace('GET', 'PUT').replace('\r\n\r\n', '\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n'),
    'PUT body',
    undefined,
  ],
])('a handshake with %s is handled as an ordinary request', async (_name, bytes, expected, length) => {
  const upstream = await serve(undefined, { paths: ['/ws'] });
  const answer = await sendRaw(gateway.proxy, bytes.replace('keep-alive, Upgrade', 'Upgrade, close'));
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  const [{ method, body, headers } = { method: '', body: '', headers: {} }] = upstream.requests;
  expect([`${method} ${body}`, headers.upgrade, headers['content-length']]).toEqual([expected, undefined, length]);
});

test.each([
  ['refused by the gateway', undefined],
  [
    'refused by the service',
    (socket: Duplex) => socket.end('HTTP/1.1 403 No\r\nDate: now GMT\r\nContent-Length: 4\r\n\r\nnope'),
  ],
  ['failed', (socket: Duplex) => socket.destroy()],
])('a handshake %s ends its connection, also for a keep-alive client', async (_name, answer) => {
  if (answer) {
    const server = createServer();
    server.on('upgrade', (_, socket: Duplex) => answer(socket));
    await serve(undefined, { paths: ['/ws'] }, { port: await listening(server), retries: 0 });
  }
  const socket = connect({ port: gateway.proxy, host: '127.0.0.1', allowHalfOpen: true });
  closeLater(async () => socket.destroy());
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  socket.write(HANDSHAKE);
  await eventually(
    () => received,
    (text) => text.includes('\r\n\r\n'),
  );
  expect(received).toMatch(/^HTTP\/1\.1 (403|404|502) /);
  expect(received).toMatch(/\r\nConnection: close\r\n/);
  expect(received).toMatch(/\r\ndate: .* GMT\r\n/i);
  // Writing to a closed connection causes a reset.
  socket.on('error', () => undefined);
  await eventually(
    () => socket.write('x') || socket.destroyed,
    () => socket.destroyed,
  );
});
