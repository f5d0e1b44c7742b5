/** Responses to clients that read slowly, or not at all. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Response } from 'express';
import { until } from '../../../test/support/until.ts';
import { send } from './answer.ts';

const STALLED_MS = 1_000;
const PIECE = 'x'.repeat(16 * 1024);
let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** Sends `body` to a client of its own. `sent` resolves when the server is finished with the response. */
async function answer(body: AsyncIterable<string> | string) {
  const { promise: sent, resolve } = Promise.withResolvers<void>();
  server = createServer((_request, response) => {
    resolve(send(response as Response, { status: 200, headers: {}, contentType: 'text/plain', body }, STALLED_MS));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => undefined);
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  return { client, sent };
}

it('a response whose client takes nothing more ends', async () => {
  const large = PIECE.repeat(1024);
  const { client } = await answer(large);
  client.pause();
  const connections = () => new Promise<number>((resolve) => server?.getConnections((_error, count) => resolve(count)));
  await until('the connection to open', connections, (count) => count === 1);
  await until('the connection to end', connections, (count) => count === 0);
  client.resume();
  await once(client, 'close');
  expect(client.bytesRead).toBeLessThan(large.length);
});

describe('a streamed response', () => {
  it('ends with its source when the client takes nothing more', async () => {
    let ended = false;
    async function* endless() {
      try {
        for (;;) yield PIECE;
      } finally {
        ended = true;
      }
    }
    const { client, sent } = await answer(endless());
    client.pause();
    await sent;
    expect(ended).toBe(true);
  });

  it('ends when the client does not take the end', async () => {
    const large = PIECE.repeat(1024);
    async function* one() {
      yield large;
    }
    const { client, sent } = await answer(one());
    client.pause();
    await sent;
    client.resume();
    await once(client, 'close');
    expect(client.bytesRead).toBeLessThan(large.length);
  });

  it('waits for a client that takes a little at a time', async () => {
    const pieces = 2048;
    async function* long() {
      for (let piece = 0; piece < pieces; piece++) yield PIECE;
    }
    const { client, sent } = await answer(long());
    const started = performance.now();
    let received = 0;
    client.on('data', (chunk) => {
      received += chunk.length;
      // Slower than the source, and several times the limit in total.
      if (performance.now() - started < 5 * STALLED_MS) {
        client.pause();
        setTimeout(() => client.resume(), STALLED_MS / 50);
      }
    });
    await sent;
    await until(
      'the whole body',
      async () => received,
      (all) => all > pieces * PIECE.length,
    );
    expect(performance.now() - started).toBeGreaterThan(2 * STALLED_MS);
  });

  it('waits for a source that is slower than the limit', async () => {
    async function* slow() {
      yield 'first';
      await delay(3 * STALLED_MS);
      yield 'last';
    }
    const { client, sent } = await answer(slow());
    let text = '';
    client.on('data', (chunk) => {
      text += chunk;
    });
    await sent;
    await until(
      'the last piece',
      async () => text,
      (all) => all.includes('last'),
    );
  });
});
