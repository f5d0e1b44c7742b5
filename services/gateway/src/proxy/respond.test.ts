import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { useClosing, useGateway, useServe } from '../testing/setup.ts';

const gateway = useGateway();
const closeLater = useClosing();
const serve = useServe(gateway, closeLater);

/** An upstream that answers each connection with these bytes, whatever they are. */
async function answering(text: string, service: object = {}): Promise<{ readonly asked: number }> {
  const state = { asked: 0 };
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      state.asked += 1;
      socket.end(Buffer.from(text, 'latin1'));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeLater(() => new Promise((resolve) => server.close(resolve)));
  await serve(undefined, {}, { port: (server.address() as AddressInfo).port, ...service });
  return state;
}

test('what any Connection header of the upstream names ends here', async () => {
  await answering(
    'HTTP/1.1 200 OK\r\nConnection: X-One, close\r\nX-One: 1\r\nX-Two: 2\r\nX-Kept: 3\r\nConnection: x-two\r\n\r\nbody',
  );
  const { status, headers, body } = await gateway.get('/');
  expect([status, body, headers['x-kept']]).toEqual([200, 'body', '3']);
  for (const name of ['x-one', 'x-two']) expect(headers[name]).toBeUndefined();
});
