import { expect, test } from '@jest/globals';
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
