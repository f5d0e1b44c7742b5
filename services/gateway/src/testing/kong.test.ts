/** Kong behaviour that is easy to get wrong, over real sockets. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { eventually, inSeconds, publicPem, type TestUpstream, testUpstream, token } from './harness.ts';
import { useClosing, useEmptyGateway } from './setup.ts';

const gateway = useEmptyGateway();
const closeLater = useClosing();
const someId = '11111111-2222-4333-8444-555555555555';
let upstream: TestUpstream;

beforeEach(async () => {
  upstream = await testUpstream();
  closeLater(upstream.stop);
  await gateway.make('PUT', '/services/hms', { url: `http://127.0.0.1:${upstream.port}` });
  await gateway.make('PUT', '/routes/r', { paths: ['/api/hms'], strip_path: false, service: { name: 'hms' } });
  for (const name of ['st-mary', 'city-general']) {
    await gateway.make('PUT', `/consumers/${name}`, {});
    await gateway.make('POST', `/consumers/${name}/jwt`, { key: name, algorithm: 'RS256', rsa_public_key: publicPem });
  }
});

const plugin = (name: string, config: object = {}) => gateway.make('POST', '/routes/r/plugins', { name, config });
const ask = (claims: object, path = '/api/hms') =>
  gateway.get(path, { headers: { authorization: `Bearer ${token(claims)}`, accept: 'text/html' } });

test('the gateway’s own responses have two shapes: compact JSON, and a page chosen by Accept', async () => {
  await plugin('jwt', { claims_to_verify: ['exp'] });
  expect((await ask({ iss: 'none' })).body).toBe(`{"message":"No credentials found for given 'iss'"}`);
  expect((await ask({}, '/nowhere')).body).toMatch(/<p>no Route matched with those values\.<\/p>/);
  await plugin('rate-limiting', { year: 1 });
  const valid = { iss: 'st-mary', exp: inSeconds(60) };
  expect((await ask(valid)).status).toBe(200);
  expect((await ask(valid)).body).toMatch(
    /<p>API rate limit exceeded\.<\/p>\n {4}<p>request_id: [0-9a-f-]{36}\.?<\/p>/,
  );
});

test.each<[object, object, number | object]>([
  [{ claims_to_verify: ['exp'] }, { exp: 1 }, { exp: 'token expired' }],
  [{ claims_to_verify: ['nbf'] }, { nbf: 2 ** 40 }, { nbf: 'token not valid yet' }],
  [{ claims_to_verify: ['exp', 'nbf'] }, { exp: 'soon' }, { exp: 'must be a number', nbf: 'must be a number' }],
  [
    { claims_to_verify: ['exp'], maximum_expiration: 10 },
    { exp: 2 ** 33 },
    { exp: 'exceeds maximum allowed expiration' },
  ],
  [{}, { exp: 1 }, 200],
  [{ claims_to_verify: null }, {}, 200],
])('with %j the claims %j answer %j', async (config, claims, expected) => {
  await plugin('jwt', config);
  const answer = await ask({ iss: 'st-mary', ...claims });
  if (typeof expected === 'number') expect(answer.status).toBe(expected);
  else expect([answer.status, answer.json()]).toEqual([401, expected]);
});

test('a limit is per consumer by default: a hospital shares it, another hospital has its own', async () => {
  await plugin('jwt');
  await plugin('rate-limiting', { year: 2 });
  const of = async (iss: string, sub: string) => (await ask({ iss, sub })).status;
  expect([await of('st-mary', 'jane'), await of('st-mary', 'john'), await of('st-mary', 'mary')]).toEqual([
    200, 200, 429,
  ]);
  expect(await of('city-general', 'jane')).toBe(200);
});

test('a token of any consumer opens every route with jwt, and acl restricts it to its own', async () => {
  await plugin('jwt');
  expect((await ask({ iss: 'city-general' })).status).toBe(200);
  await gateway.make('POST', '/consumers/st-mary/acls', { group: 'st-mary' });
  await plugin('acl', { allow: ['st-mary'] });
  expect((await ask({ iss: 'st-mary' })).status).toBe(200);
  expect((await ask({ iss: 'city-general' })).status).toBe(403);
});

test.each([
  ['/api/hms', 200],
  ['/api/hmsX', 200],
  ['/api/hm', 404],
  ['/API/hms', 404],
])('a prefix is text, not segments: %s answers %i', async (path, status) => {
  expect((await gateway.get(path)).status).toBe(status);
});

test.each<[string, string, number, object | undefined]>([
  ['GET', `/services/${someId}`, 404, { message: 'Not found' }],
  ['GET', '/services/none', 404, { message: 'Not found' }],
  [
    'PATCH',
    '/services/none',
    404,
    {
      code: 6,
      name: 'not found',
      message: `could not find the entity with '{name="none"}'`,
      fields: { name: 'none' },
    },
  ],
  ['DELETE', `/services/${someId}`, 204, undefined],
  ['DELETE', '/services/none', 204, undefined],
  ['DELETE', `/consumers/st-mary/jwt/${someId}`, 404, { message: 'Not found' }],
  ['GET', '/targets', 404, { message: 'Not found' }],
  ['POST', '/services/hms', 405, { message: 'Method not allowed' }],
])('%s %s on a missing entity answers %i', async (method, path, status, body) => {
  const answer = await gateway.admin(method, path, method === 'PATCH' ? {} : undefined);
  expect([answer.status, answer.body === '' ? undefined : answer.json()]).toEqual([status, body]);
});

test.each<[object, string]>([
  [{ unhealthy: { interval: 0.02, http_failures: 1, tcp_failures: 1 } }, 'HEALTHY'],
  [{ unhealthy: { interval: 0.02, timeouts: 1 } }, 'UNHEALTHY'],
])('probes that time out count only if timeouts is set: %j is %s', async (limits, state) => {
  let probes = 0;
  const hanging = await testUpstream(() => {
    probes += 1;
  });
  closeLater(hanging.stop);
  const healthchecks = { active: { timeout: 0.02, healthy: { interval: 0.02 }, ...limits } };
  await gateway.make('PUT', '/upstreams/u', { healthchecks });
  await gateway.make('POST', '/upstreams/u/targets', { target: `127.0.0.1:${hanging.port}` });
  await eventually(
    () => probes,
    (count) => count > 4,
  );
  expect((await gateway.admin('GET', '/upstreams/u/health')).json()).toMatchObject({ data: [{ health: state }] });
});

describe('request-termination', () => {
  test.each<[object, string, Record<string, string>, number]>([
    [{ trigger: 'X-Stop' }, '/api/hms', {}, 200],
    [{ trigger: 'X-Stop' }, '/api/hms', { 'x-stop': '' }, 503],
    [{ trigger: 'X-Stop' }, '/api/hms?X-Stop=1', {}, 503],
    [{ trigger: 'X-Stop' }, '/api/hms?other=X-Stop', {}, 200],
    [{ trigger: 'X-Stop', status_code: 410 }, '/api/hms', { 'x-stop': '1' }, 410],
  ])('%j on %s with %j answers %i', async (config, path, headers, status) => {
    await plugin('request-termination', config);
    expect((await gateway.get(path, { headers })).status).toBe(status);
  });

  test('echoes the request', async () => {
    await plugin('request-termination', { echo: true, status_code: 404 });
    const answer = await gateway.get('/api/hms/x?a=1&a=2&b=%20', {
      headers: { host: 'St-Mary.localhost', 'x-own': 'x' },
    });
    expect([answer.status, answer.json()]).toMatchObject([
      404,
      {
        message: 'Not found',
        kong: {
          node_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          worker_pid: process.pid,
          hostname: expect.any(String),
        },
        request: {
          scheme: 'http',
          host: 'st-mary.localhost',
          port: gateway.proxy,
          method: 'GET',
          path: '/api/hms/x',
          headers: { 'x-own': 'x' },
          query: { a: ['1', '2'], b: ' ' },
        },
        matched_route: { name: 'r' },
        matched_service: { name: 'hms' },
      },
    ]);
  });
});
