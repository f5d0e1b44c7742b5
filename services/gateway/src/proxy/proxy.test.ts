import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { describe, expect, test } from '@jest/globals';
import { eventually, sendRaw } from '../testing/harness.ts';
import { useClosing, useGateway, useServe } from '../testing/setup.ts';

const gateway = useGateway();
const closeLater = useClosing();
const serve = useServe(gateway, closeLater);

describe('what goes upstream', () => {
  test('the address of the client, without its own identity headers', async () => {
    const upstream = await serve();
    await gateway.get('/a/../b//c?q=%20&x', {
      headers: {
        host: 'st-mary.localhost:9999',
        'x-forwarded-for': '10.1.1.1',
        'x-forwarded-proto': 'https',
        'x-forwarded-host': 'evil',
        'x-real-ip': '10.1.1.1',
        'x-kong-request-id': 'mine',
        via: '1.1 other',
      },
    });
    expect(upstream.requests[0]).toMatchObject({ url: '/b/c?q=%20&x' });
    expect(upstream.requests[0]?.headers).toMatchObject({
      host: `127.0.0.1:${upstream.port}`,
      'x-forwarded-for': '10.1.1.1, 127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': 'st-mary.localhost',
      'x-forwarded-port': String(gateway.proxy),
      'x-forwarded-path': '/a/../b//c',
      'x-real-ip': '127.0.0.1',
      via: '1.1 other, 1.1 kong/3.9.3',
      'x-kong-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(upstream.requests[0]?.headers['x-forwarded-prefix']).toBeUndefined();
  });

  test('the host of the client, if the route preserves it', async () => {
    const upstream = await serve(undefined, { preserve_host: true });
    await gateway.get('/', { headers: { host: 'St-Mary.localhost:9999' } });
    expect(upstream.requests[0]?.headers.host).toBe('St-Mary.localhost:9999');
  });

  test('the stripped prefix', async () => {
    const upstream = await serve(undefined, { paths: ['/api/hms'] }, { path: '/base' });
    await gateway.get('/api/hms/patients?page=1');
    expect(upstream.requests[0]).toMatchObject({
      url: '/base/patients?page=1',
      headers: { 'x-forwarded-prefix': '/api/hms' },
    });
  });

  test('no hop-by-hop header', async () => {
    const upstream = await serve();
    await gateway.get('/', {
      headers: {
        connection: 'x-private, keep-alive',
        'x-private': 'a',
        'keep-alive': 'timeout=5',
        'proxy-connection': 'x',
        te: 'gzip',
        upgrade: 'h2c',
        'proxy-authorization': 'kept',
      },
    });
    const headers = upstream.requests[0]?.headers ?? {};
    expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['x-private']));
    for (const name of ['x-private', 'keep-alive', 'proxy-connection', 'te', 'upgrade'])
      expect(headers[name]).toBeUndefined();
    expect(headers['proxy-authorization']).toBe('kept');
  });

  test.each([
    ['a small body', 'x'.repeat(100), {}],
    ['a large body', 'x'.repeat(300_000), {}],
    ['a chunked body', 'x'.repeat(300_000), { 'transfer-encoding': 'chunked' }],
    ['a body after 100 Continue', 'x'.repeat(100), { expect: '100-continue' }],
  ])('%s', async (_name, body, headers) => {
    const upstream = await serve();
    const answer = await gateway.get('/', { method: 'POST', body, headers });
    expect(answer.status).toBe(200);
    expect(upstream.requests[0]?.body).toHaveLength(body.length);
    expect(upstream.requests[0]?.headers.expect).toBeUndefined();
  });

  test.each(['DELETE', 'GET', 'POST'])('%s with an empty body', async (method) => {
    const upstream = await serve();
    expect((await gateway.get('/', { method, headers: { 'content-length': '0' } })).status).toBe(200);
    expect(upstream.requests[0]?.method).toBe(method);
  });
});

describe('what comes back', () => {
  test('the upstream’s response with the gateway’s headers', async () => {
    await serve((_request, response) => {
      response.writeHead(418, 'Teapot', [
        ['Set-Cookie', 'a=1'],
        ['Set-Cookie', 'b=2'],
        ['Via', '1.1 inner'],
        ['Server', 'mine'],
        ['Connection', 'x-hop'],
        ['X-Hop', 'gone'],
        ['X-Accel-Buffering', 'no'],
      ] as never);
      response.end('short and stout');
    });
    const answer = await gateway.get('/');
    expect([answer.status, answer.body]).toEqual([418, 'short and stout']);
    expect(answer.headers).toMatchObject({
      'set-cookie': ['a=1', 'b=2'],
      via: '1.1 inner, 1.1 kong/3.9.3',
      server: 'mine',
      'x-kong-upstream-latency': expect.stringMatching(/^\d+$/),
      'x-kong-proxy-latency': expect.stringMatching(/^\d+$/),
      'x-kong-request-id': expect.any(String),
    });
    for (const name of ['x-hop', 'x-accel-buffering', 'x-kong-response-latency'])
      expect(answer.headers[name]).toBeUndefined();
  });

  test.each([1, 256, 16 * 1024, 16 * 1024 + 1, 200_000])('an answer of %i bytes of every kind', async (length) => {
    const body = Buffer.from(Uint8Array.from({ length }, (_, index) => index % 256));
    await serve((_request, response) => response.writeHead(200, { 'content-length': length }).end(body));
    const answer = await fetch(`http://127.0.0.1:${gateway.proxy}/`);
    expect(Buffer.from(await answer.arrayBuffer()).equals(body)).toBe(true);
  });

  test('the answer to HEAD, without a body', async () => {
    await serve((_request, response) => response.writeHead(200, { 'content-length': '5' }).end());
    const answer = await gateway.get('/', { method: 'HEAD' });
    expect([answer.status, answer.headers['content-length'], answer.body]).toEqual([200, '5', '']);
  });

  test('events as they arrive', async () => {
    let stream: ServerResponse | undefined;
    await serve((_request, response) => {
      stream = response;
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    });
    const request = httpRequest({ port: gateway.proxy, host: '127.0.0.1', path: '/' }).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    for (const event of ['one', 'two']) {
      stream?.write(`data: ${event}\n\n`);
      const [chunk] = (await once(response, 'data')) as [Buffer];
      expect(chunk.toString()).toBe(`data: ${event}\n\n`);
    }
    const upstreamClosed = once(stream as ServerResponse, 'close');
    request.destroy();
    await upstreamClosed;
  });

  test('a truncated response is not taken for a complete one', async () => {
    await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('x', () => response.destroy());
    });
    await expect(gateway.get('/')).rejects.toThrow();
  });

  test.each([
    ['one response', 1],
    ['the second of two pipelined responses', 2],
  ])('each byte of many parts, in %s', async (_what, requests) => {
    const all = Buffer.from(Uint8Array.from({ length: 256 }, (_, byte) => byte));
    const parts = [1, 15, 16, 255, 1000, 8191, 8192, 8193, 20_000, 3, 70_000, 5].map((length) =>
      Buffer.alloc(length, all),
    );
    await serve(async (_request, response) => {
      for (const part of parts) {
        response.write(part);
        await sleep(2);
      }
      response.end();
    });
    const socket = connect(gateway.proxy, '127.0.0.1');
    const get = (more: string) => `GET / HTTP/1.1\r\nHost: a\r\n${more}\r\n`;
    socket.write(get('').repeat(requests - 1) + get('Connection: close\r\n'));
    const answers = Buffer.concat(await Array.fromAsync(socket as AsyncIterable<Buffer>));
    const bodies = bodiesOf(answers);
    expect(bodies).toHaveLength(requests);
    for (const body of bodies) expect(body.equals(Buffer.concat(parts))).toBe(true);
  });

  test.each([256 * 1024, 1024])('a slow reader slows the upstream down, in parts of %d bytes', async (bytes) => {
    let written = 0;
    await serve((_request, response) => {
      const chunk = Buffer.alloc(bytes);
      const more = () => {
        while (written < 200 * 1024 * 1024) {
          written += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', more);
        }
        response.end();
      };
      response.on('error', () => undefined);
      more();
    });
    const socket = connect(gateway.proxy, '127.0.0.1');
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    let last = -1;
    await eventually(
      () => {
        const settled = written > 0 && written === last;
        last = written;
        return settled;
      },
      (settled) => settled,
    );
    expect(written).toBeLessThan(60 * 1024 * 1024);
    socket.destroy();
  });
});

test('TLS, with the same certificate each time', async () => {
  const upstream = await serve();
  const ask = () =>
    new Promise<{ status: number; fingerprint: string }>((resolve, reject) => {
      const request = httpsRequest(
        { host: '127.0.0.1', port: gateway.gateway.ports.proxyTls, path: '/', rejectUnauthorized: false, agent: false },
        (response) => {
          const { fingerprint } = (response.socket as TLSSocket).getPeerCertificate();
          response.resume().on('end', () => resolve({ status: response.statusCode ?? 0, fingerprint }));
        },
      );
      request.on('error', reject).end();
    });
  const first = await ask();
  expect(first.status).toBe(200);
  expect(await ask()).toEqual(first);
  expect(upstream.requests[0]?.headers).toMatchObject({
    'x-forwarded-proto': 'https',
    'x-forwarded-port': String(gateway.gateway.ports.proxyTls),
  });
});

test('changes take effect immediately', async () => {
  await serve();
  for (let round = 0; round < 5; round += 1) {
    await gateway.make('PATCH', '/routes/r', { paths: [`/round-${round}`] });
    expect((await gateway.get(`/round-${round}`)).status).toBe(200);
    expect((await gateway.get(`/round-${round - 1}`)).status).toBe(404);
  }
});

test('pipelined requests are answered in order', async () => {
  await serve((request, response) => response.end(`<${request.url}>`));
  const two = 'GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
  const received = await sendRaw(gateway.proxy, two);
  expect(received?.indexOf('</1>')).toBeGreaterThan(0);
  expect(received?.indexOf('</2>')).toBeGreaterThan(received?.indexOf('</1>') ?? 0);
});

/** The bodies of chunked responses, one after the other. */
function bodiesOf(answers: Buffer): Buffer[] {
  const bodies: Buffer[] = [];
  let at = 0;
  const line = () => {
    const end = answers.indexOf('\r\n', at);
    const text = answers.toString('latin1', at, end);
    at = end + 2;
    return text;
  };
  while (at < answers.length) {
    at = answers.indexOf('\r\n\r\n', at) + 4;
    const parts: Buffer[] = [];
    for (let length = Number.parseInt(line(), 16); length > 0; length = Number.parseInt(line(), 16)) {
      parts.push(answers.subarray(at, at + length));
      at += length;
      expect(line()).toBe('');
    }
    expect(line()).toBe('');
    bodies.push(Buffer.concat(parts));
  }
  return bodies;
}
