import { Agent, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { eventually, send, testGateway, testUpstream } from '../testing/harness.ts';
import { useClosing, useGateway, useServe } from '../testing/setup.ts';

const gateway = useGateway();
const closeLater = useClosing();
const serve = useServe(gateway, closeLater);

describe('upstreams that fail', () => {
  const refusing = async (service: object = {}) => {
    const upstream = await serve(undefined, {}, service);
    await upstream.stop();
  };

  test('connection refused: 502', async () => {
    await refusing({ retries: 0 });
    const answer = await gateway.get('/', { headers: { accept: '*/*' } });
    expect([answer.status, answer.json()]).toMatchObject([
      502,
      { message: 'An invalid response was received from the upstream server' },
    ]);
    expect(answer.headers).toHaveProperty('x-kong-upstream-latency');
    expect(answer.headers.via).toBe('1.1 kong/3.9.3');
    const plain = await gateway.get('/');
    expect(plain.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(plain.body).toMatch(/^An invalid response was received from the upstream server\nrequest_id: /);
  });

  test('timeout: 504', async () => {
    await serve(() => undefined, {}, { read_timeout: 100, retries: 0 });
    const answer = await gateway.get('/', { headers: { accept: 'application/json' } });
    expect([answer.status, answer.json()]).toMatchObject([504, { message: 'The upstream server is timing out' }]);
    expect(answer.headers.via).toBe('1.1 kong/3.9.3');
  });

  test('a name that does not resolve: 503', async () => {
    await serve(undefined, {}, { host: 'no-such-host.invalid', retries: 0 });
    const answer = await gateway.get('/');
    expect([answer.status, answer.json()]).toMatchObject([503, { message: 'name resolution failed' }]);
  });

  test('a route without a service: 503', async () => {
    await gateway.make('PUT', '/routes/r', { paths: ['/'] });
    const answer = await gateway.get('/');
    expect([answer.status, answer.json()]).toMatchObject([503, { message: 'no Service found with those values' }]);
    expect(answer.headers.via).toBeUndefined();
  });

  test('a disabled service: 404', async () => {
    await serve(undefined, {}, { enabled: false });
    expect((await gateway.get('/')).status).toBe(404);
  });

  test('errors of the upstream are passed on unchanged', async () => {
    const upstream = await serve((_request, response) => response.writeHead(503).end('mine'));
    const answer = await gateway.get('/');
    expect([answer.status, answer.body]).toEqual([503, 'mine']);
    expect(upstream.requests).toHaveLength(1);
  });

  test.each([
    ['GET', 3],
    ['PUT', 3],
    ['POST', 1],
  ])('%s on a broken connection is tried %i times', async (method, times) => {
    const upstream = await serve((request) => request.socket.destroy(), {}, { retries: 2 });
    const answer = await gateway.get('/', { method, ...(method !== 'GET' && { body: 'x' }) });
    expect(answer.status).toBe(502);
    expect(upstream.requests).toHaveLength(times);
  });

  test('garbage instead of HTTP: 502, and the next request is served', async () => {
    const sockets = new Set<Socket>();
    const server = createTcpServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end('\u0000\u0001 no http\r\n\r\n'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closeLater(() => new Promise((resolve) => server.close(resolve)));
    await serve(undefined, {}, { port: (server.address() as AddressInfo).port, retries: 0 });
    expect((await gateway.get('/')).status).toBe(502);
    await serve();
    expect((await gateway.get('/')).status).toBe(200);
  });
});

describe('clients that disconnect', () => {
  test('while they wait for the response', async () => {
    let aborted = false;
    const upstream = await serve((_request, response) => {
      response.once('close', () => {
        aborted = true;
      });
    });
    const socket = connect(gateway.proxy, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await eventually(
      () => upstream.requests.length,
      (count) => count === 1,
    );
    socket.destroy();
    await eventually(
      () => aborted,
      (gone) => gone,
    );
  });

  test('while they send the body', async () => {
    const outcome: string[] = [];
    await serve((request) => {
      request.on('data', () => outcome.push('data'));
      request.on('error', () => outcome.push('error'));
      request.on('end', () => outcome.push('end'));
    });
    const socket = connect(gateway.proxy, '127.0.0.1');
    socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n${'x'.repeat(1000)}`);
    await eventually(
      () => outcome,
      (events) => events.includes('data'),
    );
    socket.destroy();
    await eventually(
      () => outcome,
      (events) => events.includes('error'),
    );
    expect(outcome).not.toContain('end');
  });
});

test('stop finishes requests, also on kept-alive connections, then accepts none', async () => {
  const own = await testGateway();
  let slow: ServerResponse | undefined;
  const upstream = await testUpstream((request, response) => {
    if (request.url === '/slow') slow = response;
    else response.end('quick');
  });
  closeLater(upstream.stop);
  await own.make('PUT', '/services/s', { host: '127.0.0.1', port: upstream.port });
  await own.make('PUT', '/routes/r', { paths: ['/'], service: { name: 's' } });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  closeLater(async () => agent.destroy());
  const kept = () => send(own.proxy, '/', { agent });
  expect((await kept()).headers.connection).toBe('keep-alive');
  const pending = send(own.proxy, '/slow');
  await eventually(
    () => slow !== undefined,
    (there) => there,
  );
  const stopped = own.stop();
  const last = await kept();
  expect([last.body, last.headers.connection]).toEqual(['quick', 'close']);
  slow?.end('done');
  expect((await pending).body).toBe('done');
  await stopped;
  await expect(send(own.proxy, '/')).rejects.toThrow();
});
