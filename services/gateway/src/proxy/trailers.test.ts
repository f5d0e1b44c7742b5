import { expect, test } from '@jest/globals';
import { sendRaw } from '../testing/harness.ts';
import { useClosing, useGateway, useServe } from '../testing/setup.ts';

const gateway = useGateway();
const serve = useServe(gateway, useClosing());

test('trailers are announced to a client that accepts them', async () => {
  await serve((_request, response) => {
    response.writeHead(200, { Trailer: 'X-Sum' });
    response.end('body');
  });
  const ask = async (headers: Record<string, string>) => (await gateway.get('/', { headers })).headers.trailer;
  expect(await ask({ te: 'trailers' })).toBe('X-Sum');
  expect(await ask({})).toBeUndefined();
});

test('a response with a length announces no trailers', async () => {
  await serve((_request, response) => {
    response.socket?.end('HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nContent-Length: 4\r\n\r\nbody');
  });
  const answer = await gateway.get('/', { headers: { te: 'trailers' } });
  expect([answer.status, answer.body, answer.headers.trailer]).toEqual([200, 'body', undefined]);
});

test('a client of HTTP/1.0 gets no announcement', async () => {
  await serve((_request, response) => {
    response.writeHead(200, { Trailer: 'X-Sum' });
    response.end('body');
  });
  const answer = await sendRaw(gateway.proxy, 'GET / HTTP/1.0\r\nTE: trailers\r\n\r\n');
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(answer).not.toMatch(/\r\nTrailer:/i);
});

test.each([
  ['trailers', 'trailers'],
  ['gzip, trailers;q=0.5', 'trailers'],
  ['gzip', undefined],
])('of TE: %s the service gets %s', async (te, passed) => {
  const upstream = await serve();
  await gateway.get('/', { headers: { te } });
  expect(upstream.requests.map(({ headers }) => headers.te)).toEqual([passed]);
});
