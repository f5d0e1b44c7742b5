import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { upstreams as schema, type Target, type Upstream } from '../entities/upstreams.ts';
import { complete } from '../store/complete.ts';
import { eventually, type TestGateway, type TestUpstream, testGateway, testUpstream } from '../testing/harness.ts';
import { Balancer } from './balancer.ts';
import type { HashedRequest } from './hash-input.ts';

let gateway: TestGateway;
const open: TestUpstream[] = [];

beforeAll(async () => {
  gateway = await testGateway();
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  await gateway.make('DELETE', '/routes/r');
  await gateway.make('DELETE', '/upstreams/hms');
  await gateway.make('PUT', '/services/s', { host: 'hms', retries: 5 });
  await gateway.make('PUT', '/routes/r', { paths: ['/'], service: { name: 's' } });
});
afterEach(async () => {
  for (const upstream of open.splice(0)) await upstream.stop();
});

/** A target that answers with its name, and on /health with `status`. */
async function target(name: string, weight = 100, port = 0): Promise<TestUpstream & { status: number }> {
  const state = { status: 200 };
  const upstream = await testUpstream((request, response) => {
    if (request.url === '/health') response.writeHead(state.status).end();
    else response.end(name);
  }, port);
  open.push(upstream);
  await gateway.make('POST', '/upstreams/hms/targets', { target: `127.0.0.1:${upstream.port}`, weight });
  return {
    ...upstream,
    get status() {
      return state.status;
    },
    set status(value: number) {
      state.status = value;
    },
  };
}

async function answers(count: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (let index = 0; index < count; index += 1) {
    const { status, body } = await gateway.get('/');
    const key = status === 200 ? body : String(status);
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

const checks = {
  active: {
    http_path: '/health',
    healthy: { interval: 0.05, successes: 2 },
    unhealthy: { interval: 0.05, http_failures: 3, tcp_failures: 3, timeouts: 3 },
  },
};

const states = async () => {
  const { data } = (await gateway.admin('GET', '/upstreams/hms/health')).json() as {
    data: { target: string; health: string }[];
  };
  return Object.fromEntries(data.map(({ target: address, health }) => [address.split(':')[1], health]));
};

describe('spreading', () => {
  test.each([
    [100, 100, { a: 6, b: 6 }],
    [200, 100, { a: 8, b: 4 }],
    [100, 0, { a: 12 }],
  ])('by weights %i and %i', async (first, second, expected) => {
    await gateway.make('PUT', '/upstreams/hms', {});
    await target('a', first);
    await target('b', second);
    expect(await answers(12)).toEqual(expected);
  });

  test('targets are added and deleted while requests arrive', async () => {
    await gateway.make('PUT', '/upstreams/hms', {});
    await target('a');
    expect(await answers(2)).toEqual({ a: 2 });
    const b = await target('b');
    expect(await answers(4)).toEqual({ a: 2, b: 2 });
    await gateway.make('DELETE', `/upstreams/hms/targets/127.0.0.1:${b.port}`);
    expect(await answers(4)).toEqual({ a: 4 });
  });

  test('without any target', async () => {
    await gateway.make('PUT', '/upstreams/hms', {});
    const answer = await gateway.get('/');
    expect([answer.status, answer.json()]).toMatchObject([
      503,
      { message: 'failure to get a peer from the ring-balancer' },
    ]);
  });

  test('a retry skips a target that refuses connections', async () => {
    await gateway.make('PUT', '/upstreams/hms', {});
    await target('a');
    const stopped = await target('b');
    await stopped.stop();
    expect(await answers(6)).toEqual({ a: 6 });
  });

  test('the upstream’s host_header, with the port of the target', async () => {
    await gateway.make('PUT', '/upstreams/hms', { host_header: 'hms.internal' });
    const a = await target('a');
    await gateway.get('/');
    await gateway.make('PUT', '/upstreams/hms', { host_header: 'hms.internal:8080' });
    await gateway.get('/');
    expect(a.requests.map(({ headers }) => headers.host)).toEqual([`hms.internal:${a.port}`, 'hms.internal:8080']);
  });

  test.each([
    ['http', 80, 'hms.internal'],
    ['https', 443, 'hms.internal'],
    ['https', 80, 'hms.internal:80'],
  ])('the Host header over %s to port %i', (scheme, port, host) => {
    const id = '11111111-2222-4333-8444-555555555555';
    const upstream = complete(schema, { id, name: 'u', host_header: 'hms.internal' }, undefined) as unknown as Upstream;
    const balancer = new Balancer(upstream, () => undefined);
    balancer.update(upstream, [{ target: `127.0.0.1:${port}`, weight: 100 } as Target]);
    const request = { requestHeader: () => undefined, queryValues: () => [] } as unknown as HashedRequest;
    expect(balancer.next(scheme, request, new Set())?.hostHeader).toBe(host);
    balancer.stop();
  });
});

describe('active health checks', () => {
  test('take a target out and back in', async () => {
    await gateway.make('PUT', '/upstreams/hms', { healthchecks: checks });
    const a = await target('a');
    const b = await target('b');
    await eventually(() => a.requests.length > 0 && b.requests.length > 0, Boolean);
    expect(a.requests[0]).toMatchObject({ method: 'GET', url: '/health', headers: { host: `127.0.0.1:${a.port}` } });
    b.status = 500;
    await eventually(states, (health) => health[b.port] === 'UNHEALTHY');
    expect(await answers(4)).toEqual({ a: 4 });
    b.status = 200;
    await eventually(states, (health) => health[b.port] === 'HEALTHY');
    expect(await answers(4)).toEqual({ a: 2, b: 2 });
  });

  test('detect that a process has stopped and restarted', async () => {
    await gateway.make('PUT', '/upstreams/hms', { healthchecks: checks });
    const a = await target('a');
    await a.stop();
    await eventually(states, (health) => health[a.port] === 'UNHEALTHY');
    const answer = await gateway.get('/');
    expect([answer.status, answer.json()]).toMatchObject([
      503,
      { message: 'failure to get a peer from the ring-balancer' },
    ]);
    open.push(await testUpstream((_request, response) => response.end('back'), a.port));
    await eventually(states, (health) => health[a.port] === 'HEALTHY');
    expect(await answers(1)).toEqual({ back: 1 });
  });

  test('a target that hangs counts as a timeout', async () => {
    await gateway.make('PUT', '/upstreams/hms', { healthchecks: { active: { ...checks.active, timeout: 0.05 } } });
    const hanging = await testUpstream(() => undefined);
    open.push(hanging);
    await gateway.make('POST', '/upstreams/hms/targets', { target: `127.0.0.1:${hanging.port}` });
    await eventually(states, (health) => health[hanging.port] === 'UNHEALTHY');
  });

  test('of type tcp are skipped, because they are for streams', async () => {
    await gateway.make('PUT', '/upstreams/hms', { healthchecks: { active: { ...checks.active, type: 'tcp' } } });
    const a = await target('a');
    await a.stop();
    await gateway.make('PUT', '/upstreams/clock', { healthchecks: checks });
    const clock = await testUpstream();
    open.push(clock);
    await gateway.make('POST', '/upstreams/clock/targets', { target: `127.0.0.1:${clock.port}` });
    await eventually(
      () => clock.requests.length,
      (probes) => probes > 6,
    );
    expect(await states()).toEqual({ [a.port]: 'HEALTHY' });
    await gateway.make('DELETE', '/upstreams/clock');
  });

  test('a status in neither list changes nothing', async () => {
    await gateway.make('PUT', '/upstreams/hms', { healthchecks: checks });
    const a = await target('a');
    a.status = 401;
    const before = a.requests.length;
    await eventually(
      () => a.requests.length - before,
      (probes) => probes > 6,
    );
    expect(await states()).toEqual({ [a.port]: 'HEALTHY' });
  });

  test('health checks switched off', async () => {
    await gateway.make('PUT', '/upstreams/hms', {});
    const a = await target('a');
    expect(await states()).toEqual({ [a.port]: 'HEALTHCHECKS_OFF' });
  });
});

test('passive checks take a target out, and only the Admin API restores it', async () => {
  await gateway.make('PUT', '/upstreams/hms', {
    healthchecks: { passive: { healthy: { successes: 1 }, unhealthy: { http_failures: 2, http_statuses: [500] } } },
  });
  const failing = await testUpstream((_request, response) => response.writeHead(500).end());
  open.push(failing);
  await gateway.make('POST', '/upstreams/hms/targets', { target: `127.0.0.1:${failing.port}` });
  expect(await answers(3)).toEqual({ 500: 2, 503: 1 });
  const path = `/upstreams/hms/targets/127.0.0.1:${failing.port}/healthy`;
  expect((await gateway.admin('POST', path)).status).toBe(405);
  expect((await gateway.admin('PUT', path)).status).toBe(204);
  expect(await answers(1)).toEqual({ 500: 1 });
});
