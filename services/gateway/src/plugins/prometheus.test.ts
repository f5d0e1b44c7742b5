import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { expect, test } from '@jest/globals';
import { eventually } from '../testing/harness.ts';
import { useClosing, useGateway, useServe } from '../testing/setup.ts';

const gateway = useGateway();
const closeLater = useClosing();
const serve = useServe(gateway, closeLater);

const watch = (config: object) => gateway.make('POST', '/routes/r/plugins', { name: 'prometheus', config });
const metrics = async () => (await gateway.admin('GET', '/metrics')).body;

test('counts by service, route and code', async () => {
  await serve();
  await watch({ status_code_metrics: true, latency_metrics: true });
  await gateway.get('/');
  const { body, headers } = await gateway.admin('GET', '/metrics');
  expect(headers['content-type']).toBe('text/plain; charset=UTF-8');
  expect(body).toContain(
    'kong_http_requests_total{service="s",route="r",code="200",source="service",workspace="default",consumer=""} 1',
  );
  expect(body).toContain('kong_request_latency_ms_bucket{service="s",route="r",workspace="default",le="25"}');
  expect(body).toContain('kong_node_info{');
});

test('counts a WebSocket for its service, with the bytes in both directions', async () => {
  const server = createServer();
  server.on('upgrade', (_request, socket: Duplex) => {
    socket.on('error', () => undefined);
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    socket.once('data', () => socket.end('0123456789'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeLater(() => new Promise((resolve) => server.close(resolve)));
  await serve(undefined, {}, { port: (server.address() as AddressInfo).port });
  await gateway.make('PATCH', '/routes/r', { name: 'ws' });
  closeLater(() => gateway.make('DELETE', '/routes/ws'));
  await gateway.make('POST', '/routes/ws/plugins', {
    name: 'prometheus',
    config: { status_code_metrics: true, bandwidth_metrics: true },
  });
  const socket = connect(gateway.proxy, '127.0.0.1');
  closeLater(async () => socket.destroy());
  socket.once('data', () => socket.resume().write('hello'));
  socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  const text = await eventually(metrics, (metricsText) => metricsText.includes('code="101"'));
  expect(text).toContain(
    'kong_http_requests_total{service="s",route="ws",code="101",source="service",workspace="default",consumer=""} 1',
  );
  const bytes = (direction: string) =>
    `kong_bandwidth_bytes{service="s",route="ws",direction="${direction}",workspace="default",consumer=""}`;
  expect(text).toContain(`${bytes('egress')} 10\n`);
  expect(text).toContain(`${bytes('ingress')} 5\n`);
});

test.each([
  ['kong_http_requests_total', ['service', 'route', 'code', 'source', 'workspace', 'consumer']],
  ['kong_bandwidth_bytes', ['service', 'route', 'direction', 'workspace', 'consumer']],
  ['kong_request_latency_ms_bucket', ['service', 'route', 'workspace', 'le']],
  ['kong_upstream_target_health', ['upstream', 'target', 'address', 'state', 'subsystem']],
  ['kong_nginx_connections_total', ['node_id', 'subsystem', 'state']],
])('the labels of %s are in Kong’s order', async (name, labels) => {
  await serve();
  await gateway.make('PUT', '/upstreams/u', {});
  closeLater(() => gateway.make('DELETE', '/upstreams/u'));
  await gateway.make('POST', '/upstreams/u/targets', { target: '127.0.0.1:1' });
  const counted = { status_code_metrics: true, bandwidth_metrics: true, latency_metrics: true };
  await watch({ ...counted, upstream_health_metrics: true });
  await gateway.get('/');
  const series = (await metrics()).split('\n').filter((line) => line.startsWith(`${name}{`));
  expect(series.length).toBeGreaterThan(0);
  for (const line of series) expect([...line.matchAll(/(\w+)="/g)].map(([, label]) => label)).toEqual(labels);
});
