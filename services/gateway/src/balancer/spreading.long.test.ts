import type { RequestListener } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import type { Target, Upstream } from '../entities/upstreams.ts';
import { upstreams } from '../entities/upstreams.ts';
import { complete } from '../store/complete.ts';
import {
  eventually,
  inSeconds,
  publicPem,
  type Sent,
  type TestUpstream,
  testUpstream,
  token,
} from '../testing/harness.ts';
import { useClosing, useEmptyGateway } from '../testing/setup.ts';
import { picker } from './algorithms.ts';
import { Balancer } from './balancer.ts';
import type { HashedRequest } from './hash-input.ts';
import { Health } from './health.ts';
import { Latency } from './latency.ts';
import { Limiter } from './limiter.ts';
import type { Member } from './member.ts';

const gateway = useEmptyGateway();
const closeLater = useClosing();

/** A route to an upstream whose targets answer with their names, or with `handle`. */
async function targets(
  upstream: object,
  names: readonly string[],
  route: object = { paths: ['/'] },
): Promise<TestUpstream[]> {
  await gateway.make('PUT', '/upstreams/u', upstream);
  await gateway.make('PUT', '/services/s', { host: 'u', retries: 1 });
  await gateway.make('PUT', '/routes/r', { ...route, service: { name: 's' } });
  const upstreams: TestUpstream[] = [];
  for (const name of names) {
    const target = await testUpstream((_request, response) => response.end(name));
    closeLater(target.stop);
    await gateway.make('POST', '/upstreams/u/targets', { target: `127.0.0.1:${target.port}` });
    upstreams.push(target);
  }
  return upstreams;
}

describe('consistent hashing', () => {
  const names = ['a', 'b', 'c', 'd'];
  const header = (value: string): Sent => ({ headers: { 'x-key': value } });

  test.each<[string, object, (value: string) => [string, Sent?], string]>([
    ['header', { hash_on: 'header', hash_on_header: 'X-Key' }, (value) => ['/', header(value)], '/'],
    ['path', { hash_on: 'path' }, (value) => [`/${value}?${Math.random()}`], '/'],
    [
      'query_arg',
      { hash_on: 'query_arg', hash_on_query_arg: 'key' },
      (value) => [`/?other=${Math.random()}&key=${value}`],
      '/',
    ],
    [
      'uri_capture',
      { hash_on: 'uri_capture', hash_on_uri_capture: 'key' },
      (value) => [`/${value}/${Math.random()}`],
      '~/(?<key>[^/]+)/',
    ],
    [
      'cookie',
      { hash_on: 'cookie', hash_on_cookie: 'key' },
      (value) => ['/', { headers: { cookie: `other=1; key=${value}` } }],
      '/',
    ],
    [
      'the fallback',
      { hash_on: 'header', hash_on_header: 'X-None', hash_fallback: 'query_arg', hash_fallback_query_arg: 'key' },
      (value) => [`/?key=${value}`],
      '/',
    ],
  ])('by %s: equal values go to the same target, and values are spread', async (_name, upstream, ask, path) => {
    await targets(upstream, names, { paths: [path] });
    const targetNames = new Set<string>();
    for (let value = 0; value < 20; value += 1) {
      const answers = new Set<string>();
      for (let round = 0; round < 3; round += 1) answers.add((await gateway.get(...ask(`value-${value}`))).body);
      expect(answers.size).toBe(1);
      for (const answer of answers) targetNames.add(answer);
    }
    expect(targetNames.size).toBeGreaterThan(2);
  });

  test('by consumer, with the address as fallback', async () => {
    await targets({ hash_on: 'consumer', hash_fallback: 'ip' }, names);
    const anonymous = new Set<string>();
    for (let round = 0; round < 8; round += 1) anonymous.add((await gateway.get('/')).body);
    expect(anonymous.size).toBe(1);
    await gateway.make('POST', '/routes/r/plugins', { name: 'jwt' });
    const targetNames = new Set<string>();
    for (let number = 0; number < 12; number += 1) {
      const key = `hospital-${number}`;
      await gateway.make('POST', '/consumers', { username: key });
      await gateway.make('POST', `/consumers/${key}/jwt`, { key, algorithm: 'RS256', rsa_public_key: publicPem });
      const headers = { authorization: `Bearer ${token({ iss: key, exp: inSeconds(60) })}` };
      const answers = [await gateway.get('/', { headers }), await gateway.get('/', { headers })];
      expect(answers[0]?.body).toBe(answers[1]?.body);
      targetNames.add(answers[0]?.body ?? '');
    }
    expect(targetNames.size).toBeGreaterThan(1);
  });

  test('a client without the cookie gets one, which leads to the same target', async () => {
    await targets({ hash_on: 'cookie', hash_on_cookie: 'key', hash_on_cookie_path: '/x' }, names);
    const first = await gateway.get('/');
    const [cookie = ''] = first.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(/^key=[0-9a-f-]{36}; Path=\/x; Same-Site=Lax; HttpOnly$/);
    for (let round = 0; round < 5; round += 1) {
      const again = await gateway.get('/', { headers: { cookie: cookie.split(';')[0] ?? '' } });
      expect([again.body, again.headers['set-cookie']]).toEqual([first.body, undefined]);
    }
  });

  test('removing a member moves only its own share', () => {
    const members = ['10.0.0.1', '10.0.0.2', '10.0.0.3'].map(member);
    const pick = picker('consistent-hashing', members);
    const keys = Array.from({ length: 500 }, (_, index) => `key-${index}`);
    const before = keys.map((key) => pick(key, new Set())?.ip);
    for (const { ip } of members) expect(before.filter((picked) => picked === ip).length).toBeGreaterThan(80);
    members[1]?.health.set(false);
    const after = keys.map((key) => pick(key, new Set())?.ip);
    keys.forEach((_key, index) => {
      if (before[index] === '10.0.0.2') expect(after[index]).not.toBe('10.0.0.2');
      else expect(after[index]).toBe(before[index]);
    });
  });

  test.each([
    [{ hash_on: 'header' }, { hash_on_header: 'required field missing' }],
    [{ hash_on: 'cookie' }, { hash_on_cookie: 'required field missing' }],
    [{ hash_on: 'query_arg' }, { hash_on_query_arg: 'required field missing' }],
    [{ hash_on: 'uri_capture' }, { hash_on_uri_capture: 'required field missing' }],
  ])('%j names the missing field', async (upstream, fields) => {
    const answer = await gateway.admin('POST', '/upstreams', { name: 'u', ...upstream });
    expect([answer.status, answer.json()]).toMatchObject([400, { fields }]);
  });
});

test('least-connections avoids a busy target', async () => {
  await targets({ algorithm: 'least-connections' }, ['quick']);
  const held: (() => void)[] = [];
  const slow = await testUpstream((_request, response) => void held.push(() => response.end('slow')));
  closeLater(slow.stop);
  await gateway.make('POST', '/upstreams/u/targets', { target: `127.0.0.1:${slow.port}` });
  const first = gateway.get('/');
  const second = gateway.get('/');
  await eventually(
    () => held.length,
    (count) => count === 1,
  );
  const bodies: string[] = [];
  for (let round = 0; round < 6; round += 1) bodies.push((await gateway.get('/')).body);
  expect(bodies).toEqual(Array.from({ length: 6 }, () => 'quick'));
  held[0]?.();
  expect((await Promise.all([first, second])).map(({ body }) => body).sort()).toEqual(['quick', 'slow']);
});

test.each<[string, number]>([
  ['latency', 1],
  ['round-robin', 6],
])('by %s, one of two targets that is slow gets %i of twelve requests', async (algorithm, expected) => {
  const [slow] = await targets({ algorithm }, ['slow', 'quick']);
  slow?.server.removeAllListeners('request').on('request', (_request, response) => {
    setTimeout(() => response.end('slow'), 200);
  });
  const bodies: string[] = [];
  for (let round = 0; round < 12; round += 1) bodies.push((await gateway.get('/')).body);
  expect(bodies.filter((body) => body === 'slow')).toHaveLength(expected);
});

test.each(['round-robin', 'least-connections', 'latency', 'consistent-hashing'])(
  '%s: a request that failed at one target is retried at another, also with many parallel requests',
  async (algorithm) => {
    const [, gone] = await targets({ algorithm }, ['a', 'b']);
    await gone?.stop();
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => gateway.get('/', { method: 'POST', body: 'x' })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  },
);

test('an upstream runs at most as many parallel probes as its concurrency', async () => {
  let running = 0;
  let most = 0;
  let probes = 0;
  await gateway.make('PUT', '/upstreams/u', {
    healthchecks: { active: { concurrency: 2, healthy: { interval: 0.02 }, unhealthy: { interval: 0.02 } } },
  });
  const answer: RequestListener = (_request, response) => {
    running += 1;
    probes += 1;
    most = Math.max(most, running);
    setTimeout(() => {
      running -= 1;
      response.end();
    }, 20);
  };
  for (let number = 0; number < 6; number += 1) {
    const target = await testUpstream(answer);
    closeLater(target.stop);
    await gateway.make('POST', '/upstreams/u/targets', { target: `127.0.0.1:${target.port}` });
  }
  await eventually(
    () => probes,
    (count) => count > 30,
  );
  expect(most).toBe(2);
});

test('a limiter starts the next task when one has finished or failed', async () => {
  const limiter = new Limiter();
  const failing = limiter.run(1, () => Promise.reject(new Error('no')));
  const next = limiter.run(1, async () => 'in');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('in');
});

describe('a target by name', () => {
  const request = { requestHeader: () => undefined, queryValues: () => [] } as unknown as HashedRequest;
  const upstream = complete(
    upstreams,
    { id: '11111111-2222-4333-8444-555555555555', name: 'u' },
    undefined,
  ) as unknown as Upstream;
  const row = { target: 'hms.internal:80', weight: 100 } as Target;
  const origins = (balancer: Balancer) =>
    Array.from({ length: 4 }, () => balancer.next('http', request, new Set())?.origin).sort();

  test('stands for each of its addresses, and keeps its Host header', async () => {
    const balancer = new Balancer(
      upstream,
      () => undefined,
      async () => ['10.0.0.1', '10.0.0.2', 'fd00::1'],
    );
    balancer.update(upstream, [row]);
    expect(origins(balancer)).toEqual(Array.from({ length: 4 }, () => 'http://hms.internal:80'));
    await eventually(
      () => balancer.addresses(row.target).length,
      (count) => count === 3,
    );
    expect(new Set(origins(balancer))).toEqual(
      new Set(['http://10.0.0.1:80', 'http://10.0.0.2:80', 'http://[fd00::1]:80']),
    );
    expect(balancer.next('http', request, new Set())?.hostHeader).toBe('hms.internal');
    expect(balancer.setState(row.target, false, '10.0.0.1:80')).toBe(true);
    expect(origins(balancer)).not.toContain('http://10.0.0.1:80');
    balancer.stop();
  });

  test('is unavailable until it resolves', async () => {
    let isThere = false;
    const balancer = new Balancer(
      upstream,
      () => undefined,
      async () => {
        if (!isThere) throw new Error('ENOTFOUND');
        return ['10.0.0.1'];
      },
    );
    balancer.update(upstream, [row]);
    await eventually(
      () => balancer.state(row.target),
      (state) => state === 'DNS_ERROR',
    );
    expect(balancer.next('http', request, new Set())).toBeUndefined();
    isThere = true;
    await eventually(
      () => balancer.next('http', request, new Set())?.origin,
      (origin) => origin === 'http://10.0.0.1:80',
    );
    balancer.stop();
  });

  test('is listed with its addresses', async () => {
    const [target] = await targets({ healthchecks: { passive: { unhealthy: { timeouts: 1 } } } }, ['a']);
    await gateway.make('POST', '/upstreams/u/targets', { target: `localhost:${target?.port}` });
    const health = async () =>
      (await gateway.admin('GET', '/upstreams/u/health')).json() as {
        data: { data: { dns: string; addresses: { ip: string }[] } }[];
      };
    const resolved = await eventually(health, ({ data }) => data[0]?.data.addresses[0]?.ip === '127.0.0.1');
    expect(resolved.data[0]?.data).toMatchObject({
      dns: 'A',
      host: 'localhost',
      nodeWeight: 100,
      weight: { total: 100, available: 100 },
    });
    const path = `/upstreams/u/targets/localhost:${target?.port}/127.0.0.1:${target?.port}`;
    expect((await gateway.admin('PUT', `${path}/unhealthy`)).status).toBe(204);
    expect((await health()).data[0]?.data).toMatchObject({ weight: { available: 0, unavailable: 100 } });
    expect((await gateway.get('/')).body).toBe('a');
    expect(
      (await gateway.admin('PUT', `/upstreams/u/targets/localhost:${target?.port}/10.0.0.1:1/healthy`)).status,
    ).toBe(404);
  });
});

test('passive checks with one timeout take a hanging target out after the first', async () => {
  const [, hanging] = await targets({ healthchecks: { passive: { unhealthy: { timeouts: 1 } } } }, ['a', 'b']);
  await gateway.make('PATCH', '/services/s', { read_timeout: 200 });
  hanging?.server.removeAllListeners('request').on('request', () => undefined);
  const bodies: string[] = [];
  for (let round = 0; round < 6; round += 1) bodies.push((await gateway.get('/')).body);
  expect(bodies).toEqual(Array.from({ length: 6 }, () => 'a'));
  const { data } = (await gateway.admin('GET', '/upstreams/u/health')).json() as {
    data: { target: string; health: string }[];
  };
  expect(data.find(({ target }) => target.endsWith(`:${hanging?.port}`))?.health).toBe('UNHEALTHY');
});

function member(ip: string): Member {
  const health = new Health();
  return {
    target: `${ip}:80`,
    host: ip,
    ip,
    port: 80,
    health,
    latency: new Latency(),
    stop: new AbortController(),
    weight: 100,
    turn: 0,
    connections: 0,
  };
}
