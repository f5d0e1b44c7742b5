/** Malformed input is answered after the responses in progress, never within them. */
import { connect } from 'node:net';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { eventually, sendRaw } from '../testing/harness.ts';
import { useClosing, useGateway, useServe } from '../testing/setup.ts';

const gateway = useGateway();
const closeLater = useClosing();
const serve = useServe(gateway, closeLater);

/** The status and body of each response on a connection. */
function answers(received: string | undefined): string[] {
  return (received ?? 'no end').split(/(?=HTTP\/1\.1 )/).map((text) => {
    const [head = '', body = ''] = text.split('\r\n\r\n');
    return `${head.split('\r\n')[0]?.slice(9, 12)} ${body.split('\n')[0]}`;
  });
}

const get = 'GET /open HTTP/1.1\r\nHost: a\r\n\r\n';
const post = 'POST /open HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody';
const large = `GET /open HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`;

describe('behind a request with a slow response', () => {
  beforeEach(async () => {
    await serve((request, response) => {
      request.resume().on('end', () => {
        response.writeHead(200, { 'content-length': 8 });
        response.write('half');
        setTimeout(() => response.end('half'), 50);
      });
    });
  });

  test.each([
    ['garbage', `${get}\0\0\0\r\n\r\n`, ['200 halfhalf', '400 Bad request']],
    ['a body longer than its length', `${post}garbage that is no request\r\n\r\n`, ['200 halfhalf', '400 Bad request']],
    ['a head that is too large', `${get}${large}`, ['200 halfhalf', '494 Request header or cookie too large']],
    ['two requests, then garbage', `${get}${get}\0`, ['200 halfhalf', '200 halfhalf', '400 Bad request']],
    [
      'a request whose body is garbage',
      `${get}POST /open HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
      ['200 halfhalf', '400 Bad request'],
    ],
    ['CONNECT', `${get}CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n`, ['200 halfhalf', '405 Method not allowed']],
    [
      'a WebSocket',
      `${get}GET /open HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n`,
      ['200 halfhalf', '200 halfhalf'],
    ],
    ['garbage after the last response', `${get.replace('Host', 'Connection: close\r\nHost')}\0`, ['200 halfhalf']],
  ])('%s', async (_name, bytes, expected) => {
    expect(answers(await sendRaw(gateway.proxy, bytes))).toEqual(expected);
  });

  test('garbage in several packets is answered once', async () => {
    const socket = connect(gateway.proxy, '127.0.0.1');
    closeLater(async () => socket.destroy());
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
      if (received.endsWith('\r\n\r\nhalf')) for (const piece of ['\0', '\0\r\n', '\r\n']) socket.write(piece);
    });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(get);
    await closed;
    expect(answers(received)).toEqual(['200 halfhalf', '400 Bad request']);
  });
});

test('the Admin API answers a completed write before malformed input', async () => {
  const put =
    'PUT /consumers/late HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}';
  const received = await sendRaw(gateway.gateway.ports.admin, `${put}and more than declared\r\n\r\n`);
  expect(answers(received).map((answer) => answer.slice(0, 3))).toEqual(['200', '400']);
  const bare = 'DELETE /consumers/late HTTP/1.1\r\nHost: localhost\r\n\r\n{"with":"a body"}\r\n\r\n';
  const deleted = await sendRaw(gateway.gateway.ports.admin, bare);
  expect(answers(deleted).map((answer) => answer.slice(0, 3))).toEqual(['204', '400']);
});

test('a slow reader of a large response does not get the error page within it', async () => {
  const body = 'x'.repeat(20_000_000);
  const upstream = await serve((_, response) => response.end(body));
  const socket = connect(gateway.proxy, '127.0.0.1');
  closeLater(async () => socket.destroy());
  let received = '';
  socket.pause().write(`${get}\0\0`);
  // The response is in progress, and larger than the connection buffers.
  await eventually(
    () => upstream.requests.length,
    (count) => count === 1,
  );
  socket.on('data', (chunk) => {
    received += chunk;
  });
  await new Promise((resolve) => socket.resume().once('close', resolve));
  expect(answers(received)).toEqual([`200 ${body}`, '400 Bad request']);
});

test('a pipelined request starts when the one before it is answered', async () => {
  const order: string[] = [];
  await serve((request, response) => {
    order.push(`${request.method} comes`);
    request.resume().on('end', () => {
      setTimeout(
        () => {
          order.push(`${request.method} is done`);
          response.end(request.method);
        },
        request.method === 'POST' ? 100 : 0,
      );
    });
  });
  const last = get.replace('Host', 'Connection: close\r\nHost');
  const received = await sendRaw(gateway.proxy, `${post}${get}${last}`);
  expect(answers(received)).toEqual(['200 POST', '200 GET', '200 GET']);
  expect(order.slice(0, 4)).toEqual(['POST comes', 'POST is done', 'GET comes', 'GET is done']);
});

test('of many pipelined requests only a few are read', async () => {
  const upstream = await serve((_request, response) => void setTimeout(() => response.end('ok'), 20));
  const last = get.replace('Host', 'Connection: close\r\nHost');
  const received = await sendRaw(gateway.proxy, `${get.repeat(100)}${last}`, 10_000);
  expect(answers(received)).toHaveLength(101);
  expect(upstream.requests).toHaveLength(101);
});

test('behind a request in progress almost nothing is read', async () => {
  let answerFirst: (() => void) | undefined;
  const upstream = await serve((_request, response) => {
    answerFirst = () => response.end('ok');
  });
  const readSoFar = async () => {
    const { server } = (await gateway.admin('GET', '/status')).json() as { server: { total_requests: number } };
    return server.total_requests;
  };
  const before = await readSoFar();
  const socket = connect(gateway.proxy, '127.0.0.1');
  closeLater(async () => socket.destroy());
  socket.on('error', () => undefined);
  // Far more than is read at once.
  socket.write(get.replace('Host', `X: ${'x'.repeat(8000)}\r\nHost`).repeat(500));
  await eventually(
    () => upstream.requests.length,
    (count) => count === 1,
  );
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect((await readSoFar()) - before).toBeLessThan(100);
  answerFirst?.();
});
