import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { useClosing, useGateway, useServe } from '../testing/setup.ts';

const gateway = useGateway();
const closeLater = useClosing();
const serve = useServe(gateway, closeLater);

/** An upstream that answers each connection with these bytes. */
async function answering(text: string, service: object = {}): Promise<{ readonly requests: number }> {
  const state = { requests: 0 };
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      state.requests += 1;
      socket.end(Buffer.from(text, 'latin1'));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeLater(() => new Promise((resolve) => server.close(resolve)));
  await serve(undefined, {}, { port: (server.address() as AddressInfo).port, ...service });
  return state;
}

test('headers named by any Connection header of the upstream are removed', async () => {
  await answering(
    'HTTP/1.1 200 OK\r\nConnection: X-One, close\r\nX-One: 1\r\nX-Two: 2\r\nX-Kept: 3\r\nConnection: x-two\r\n\r\nbody',
  );
  const { status, headers, body } = await gateway.get('/');
  expect([status, body, headers['x-kept']]).toEqual([200, 'body', '3']);
  for (const name of ['x-one', 'x-two']) expect(headers[name]).toBeUndefined();
});

test.each([
  ['a control character', 'O\x01K'],
  ['a character beyond Latin-1', 'O\u20acK'],
  ['a DEL', 'O\x7fK'],
])('a reason phrase with %s is omitted', async (_name, phrase) => {
  await serve((request) =>
    request.socket.end(`HTTP/1.1 404 ${phrase}\r\nContent-Length: 4\r\nConnection: close\r\n\r\nbody`),
  );
  const { status, body } = await gateway.get('/');
  expect([status, body]).toEqual([404, 'body']);
});

test.each([
  ['HTTP/1.1', 0, 502],
  ['HTTP/1.1', 99, 502],
  ['HTTP/1.1', 101, 502],
  ['HTTP/1.1', 600, 600],
  ['HTTP/1.1', 999, 999],
  ['HTTP/2', 600, 502],
  ['HTTP/2', 999, 502],
])('over %s the status %i of an upstream becomes %i', async (version, upstreamStatus, expected) => {
  const upstream = await answering(
    `HTTP/1.1 ${String(upstreamStatus).padStart(3, '0')} Odd\r\nContent-Length: 4\r\nX-Odd: 1\r\nConnection: close\r\n\r\nbody`,
    { retries: 1 },
  );
  if (version === 'HTTP/1.1') {
    expect((await gateway.get('/')).status).toBe(expected);
    return;
  }
  const session = connectHttp2(`https://127.0.0.1:${gateway.gateway.ports.proxyTls}`, { rejectUnauthorized: false });
  closeLater(async () => session.destroy());
  const stream = session.request({ ':path': '/' });
  const [headers] = await once(stream, 'response');
  expect([headers[':status'], headers['x-odd'], upstream.requests]).toEqual([expected, undefined, 1]);
});
