/** What counts for the health of a target, and how long it is kept. */

import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { sendRaw, testUpstream } from '../testing/harness.ts';
import { useClosing, useGateway, useServe } from '../testing/setup.ts';

const gateway = useGateway();
const closeLater = useClosing();
const serve = useServe(gateway, closeLater);
const health = async () => {
  const { data } = (await gateway.admin('GET', '/upstreams/u/health')).json() as { data: { health: string }[] };
  return data.map((target) => target.health);
};

/** Accepts each request and resets its connection. */
async function resetting(): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.resetAndDestroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeLater(async () => void server.close());
  return (server.address() as AddressInfo).port;
}

test.each([
  [{ tcp_failures: 1 }, 0, 'HEALTHY'],
  [{ tcp_failures: 1 }, 1, 'UNHEALTHY'],
  [{ http_failures: 1, http_statuses: [502] }, 0, 'UNHEALTHY'],
])('with %j a reset after %i retries leaves the target %s', async (unhealthy, retries, state) => {
  await gateway.make('DELETE', '/upstreams/u');
  await gateway.make('POST', '/upstreams', { name: 'u', healthchecks: { passive: { unhealthy } } });
  await gateway.make('POST', '/upstreams/u/targets', { target: `127.0.0.1:${await resetting()}` });
  await serve(undefined, {}, { host: 'u', retries });
  // The health of a former upstream with this name does not matter here.
  await gateway.admin('PUT', `/upstreams/u/targets/${encodeURIComponent(await firstTarget())}/healthy`);
  expect((await gateway.get('/')).status).toBe(retries > 0 ? 503 : 502);
  expect(await health()).toEqual([state]);
});

test.each([
  ['is reset after 0 retries', undefined, { tcp_failures: 1 }, 0, 'HEALTHY'],
  ['is reset after 1 retry', undefined, { tcp_failures: 1 }, 1, 'UNHEALTHY'],
  ['is reset after 0 retries', undefined, { http_failures: 1, http_statuses: [502] }, 0, 'UNHEALTHY'],
  ['is refused', 500, { http_failures: 1, http_statuses: [500] }, 0, 'UNHEALTHY'],
  ['is refused', 403, { http_failures: 1, http_statuses: [500] }, 0, 'HEALTHY'],
])('a WebSocket handshake that %s (%s) leaves the target with %j', async (_name, status, unhealthy, retries, state) => {
  await gateway.make('DELETE', '/upstreams/u');
  await gateway.make('POST', '/upstreams', { name: 'u', healthchecks: { passive: { unhealthy } } });
  const port = status === undefined ? await resetting() : await refusing(status);
  await gateway.make('POST', '/upstreams/u/targets', { target: `127.0.0.1:${port}` });
  await serve(undefined, {}, { host: 'u', retries });
  await gateway.admin('PUT', `/upstreams/u/targets/127.0.0.1:${port}/healthy`);
  const handshake = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
  expect(await sendRaw(gateway.proxy, handshake)).toMatch(/^HTTP\/1\.1 [45]\d\d /);
  expect(await health()).toEqual([state]);
});

/** Refuses each request with the status. */
async function refusing(status: number): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeLater(async () => void server.close());
  return (server.address() as AddressInfo).port;
}

async function firstTarget(): Promise<string> {
  const { data } = (await gateway.admin('GET', '/upstreams/u/targets')).json() as { data: { target: string }[] };
  return data[0]?.target ?? '';
}

test('an upstream that is deleted and created again still knows which of its targets are unhealthy', async () => {
  const upstream = await testUpstream();
  closeLater(upstream.stop);
  const [target, other] = [`127.0.0.1:${upstream.port}`, '127.0.0.2:1'];
  const make = async () => {
    await gateway.make('DELETE', '/upstreams/u');
    const healthchecks = { passive: { unhealthy: { tcp_failures: 1 } } };
    await gateway.make('POST', '/upstreams', { name: 'u', healthchecks });
    for (const each of [other, target]) await gateway.make('POST', '/upstreams/u/targets', { target: each });
  };
  await make();
  await gateway.make('PUT', `/upstreams/u/targets/${target}/unhealthy`);
  expect((await health()).sort()).toEqual(['HEALTHY', 'UNHEALTHY']);
  await make();
  expect((await health()).sort()).toEqual(['HEALTHY', 'UNHEALTHY']);
  await gateway.make('PUT', `/upstreams/u/targets/${target}/healthy`);
  await make();
  expect(await health()).toEqual(['HEALTHY', 'HEALTHY']);
});
