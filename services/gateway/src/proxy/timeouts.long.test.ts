/** A service's timeouts are exact to the millisecond, each for its own phase of a request. */
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sendRaw } from '../testing/harness.ts';
import { useClosing, useGateway, useServe } from '../testing/setup.ts';
import { SentBody } from './sent-body.ts';

const gateway = useGateway();
const closeLater = useClosing();
const serve = useServe(gateway, closeLater);

const HANDSHAKE = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

async function timed<T>(work: () => Promise<T>): Promise<{ readonly answer: T; readonly ms: number }> {
  const startedAt = performance.now();
  return { answer: await work(), ms: performance.now() - startedAt };
}

/** What a timeout between one and two seconds would be, rounded up. */
const WHOLE_SECONDS = 2000;

test.each([1050, 1200])('a read_timeout of %i ms', async (readTimeout) => {
  await serve(() => undefined, {}, { read_timeout: readTimeout, retries: 0 });
  const { answer, ms } = await timed(() => gateway.get('/'));
  expect(answer.status).toBe(504);
  expect(ms).toBeGreaterThanOrEqual(readTimeout - 5);
  expect(ms).toBeLessThan(WHOLE_SECONDS);
});

test('a read_timeout restarts with each chunk', async () => {
  await serve(
    (_request, response) => {
      response.writeHead(200);
      let chunksLeft = 6;
      const timer = setInterval(() => {
        chunksLeft -= 1;
        if (chunksLeft > 0) response.write('.');
        else response.end('end');
        if (chunksLeft === 0) clearInterval(timer);
      }, 150);
    },
    {},
    { read_timeout: 500 },
  );
  expect((await gateway.get('/')).body).toBe('.....end');
});

test('a response that stalls midway ends with the connection', async () => {
  await serve(
    (_request, response) => response.writeHead(200, { 'content-length': 10 }).write('half'),
    {},
    { read_timeout: 100 },
  );
  const { ms } = await timed(() => expect(gateway.get('/')).rejects.toThrow());
  expect(ms).toBeLessThan(500);
});

test('a write_timeout of 150 ms', async () => {
  class Untaken extends SentBody {
    protected override more(): void {
      this.give(Buffer.alloc(100_000));
    }

    protected override free(): void {}
  }
  const { answer, ms } = await timed(() =>
    once(
      new Untaken(150).once('readable', () => undefined),
      'error',
    ),
  );
  expect(answer).toMatchObject([{ code: 'ETIMEDOUT' }]);
  expect(ms).toBeGreaterThanOrEqual(145);
  expect(ms).toBeLessThan(950);
});

test('a WebSocket that carries nothing during its read_timeout ends', async () => {
  const server = createHttpServer();
  server.on('upgrade', (_request, socket: Duplex) => {
    socket.on('error', () => undefined);
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    // Each byte restarts the timeout.
    for (const delay of [250, 500]) setTimeout(() => socket.write('.'), delay);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeLater(async () => void server.close());
  await serve(undefined, {}, { port: (server.address() as AddressInfo).port, read_timeout: 400 });
  const { answer, ms } = await timed(() => sendRaw(gateway.proxy, HANDSHAKE));
  expect(answer).toMatch(/^HTTP\/1\.1 101 [\s\S]*\r\n\r\n\.\.$/);
  expect(ms).toBeGreaterThanOrEqual(890);
  expect(ms).toBeLessThan(1450);
});

describe('with a service that accepts connections and takes nothing', () => {
  const sockets: Socket[] = [];
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    sockets.push(socket.on('error', () => undefined));
  });
  let port = 0;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  test.each([
    ['a streamed body', {}, {}],
    [
      'a body that is stored in a file',
      { name: 'request-size-limiting', config: { allowed_payload_size: 100 } },
      { 'transfer-encoding': 'chunked' },
    ],
  ])('write_timeout ends %s', async (_name, plugin, headers) => {
    await serve(undefined, {}, { port, write_timeout: 150, read_timeout: 20_000, retries: 0 });
    if ('name' in plugin) await gateway.make('POST', '/routes/r/plugins', plugin);
    const { answer, ms } = await timed(() =>
      gateway.get('/', { method: 'POST', headers, body: Buffer.alloc(30_000_000) }),
    );
    expect(answer.status).toBe(504);
    expect(ms).toBeLessThan(4000);
  });

  test.each([1050, 1200])('read_timeout ends a WebSocket handshake after %i ms', async (readTimeout) => {
    await serve(undefined, {}, { port, read_timeout: readTimeout, retries: 0 });
    const { answer, ms } = await timed(() => sendRaw(gateway.proxy, HANDSHAKE));
    expect(answer).toMatch(/^HTTP\/1\.1 504 /);
    expect(ms).toBeGreaterThanOrEqual(readTimeout - 5);
    expect(ms).toBeLessThan(WHOLE_SECONDS);
  });

  test.each([1050, 1200])('connect_timeout ends a TLS handshake after %i ms', async (connectTimeout) => {
    await serve(undefined, {}, { protocol: 'https', port, connect_timeout: connectTimeout, retries: 0 });
    const { answer, ms } = await timed(() => gateway.get('/'));
    expect(answer.status).toBe(504);
    expect(ms).toBeGreaterThanOrEqual(connectTimeout - 5);
    expect(ms).toBeLessThan(WHOLE_SECONDS);
  });
});
