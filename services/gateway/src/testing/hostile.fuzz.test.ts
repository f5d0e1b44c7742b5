import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bounded } from './fuzzing.ts';
import { publicPem, send, sendRaw, type TestGateway, type TestUpstream, testGateway, testUpstream } from './harness.ts';

let gateway: TestGateway;
let upstream: TestUpstream;

beforeAll(async () => {
  gateway = await testGateway();
  upstream = await testUpstream();
  await gateway.make('PUT', '/services/hms', { host: '127.0.0.1', port: upstream.port });
  await gateway.make('PUT', '/routes/open', { paths: ['/open'], service: { name: 'hms' } });
  await gateway.make('PUT', '/routes/closed', { paths: ['/closed'], service: { name: 'hms' } });
  await gateway.make('POST', '/routes/closed/plugins', { name: 'jwt', config: { claims_to_verify: ['exp'] } });
  await gateway.make('PUT', '/consumers/a', {});
  await gateway.make('POST', '/consumers/a/jwt', { key: 'a', algorithm: 'RS256', rsa_public_key: publicPem });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.stop();
});
beforeEach(() => {
  upstream.requests.length = 0;
});

/** A well-formed request is still served. */
async function expectAlive(): Promise<void> {
  expect((await gateway.get('/open')).status).toBe(200);
  expect((await gateway.admin('GET', '/status')).status).toBe(200);
}

describe('malformed requests', () => {
  const post = 'POST /open HTTP/1.1\r\nHost: a\r\n';
  test.each([
    ['garbage', '\0\x01\x02\r\n\r\n', /^HTTP\/1\.1 400/],
    ['a TLS hello', Buffer.from('160301020001000001fc0303', 'hex'), /^HTTP\/1\.1 400/],
    ['no host', 'GET /open HTTP/1.1\r\n\r\n', /^HTTP\/1\.1 400/],
    ['two lengths', `${post}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!`, /^HTTP\/1\.1 400/],
    [
      'length and chunks',
      `${post}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /closed`,
      /^HTTP\/1\.1 400/,
    ],
    ['an unknown encoding', `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`, /^HTTP\/1\.1 501/],
    ['a length that is not a number', `${post}Content-Length: 1e3\r\n\r\n`, /^HTTP\/1\.1 400/],
    ['a line folded', 'GET /open HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n', /^HTTP\/1\.1 (400|200)/],
    ['a space before the colon', 'GET /open HTTP/1.1\r\nHost: a\r\nX : a\r\n\r\n', /^HTTP\/1\.1 400/],
    ['huge headers', `GET /open HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`, /^HTTP\/1\.1 494/],
    ['a huge path', `GET /${'x'.repeat(100_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, /^HTTP\/1\.1 494/],
    ['CONNECT', 'CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: 127.0.0.1:22\r\n\r\n', /^HTTP\/1\.1 405/],
    [
      'a WebSocket without a token',
      'GET /jwt HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      /^HTTP\/1\.1 (404 Not Found|401 Unauthorized)\r\n/,
    ],
    ['TRACE', 'TRACE /open HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', /^HTTP\/1\.1 405/],
    ['malformed chunks', `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, /^(HTTP\/1\.1 (400|502)|$)/],
    [
      'a pipeline that ends in garbage',
      'GET /open HTTP/1.1\r\nHost: a\r\n\r\n\0\0\0\r\n\r\n',
      /^HTTP\/1\.1 200 .*"body":""}HTTP\/1\.1 400 /s,
    ],
  ])('%s', async (_name, bytes, expected) => {
    expect(await sendRaw(gateway.proxy, bytes)).toMatch(expected);
    expect(upstream.requests.every(({ url }) => url !== '/closed')).toBe(true);
    await expectAlive();
  });

  test('a protected path stays protected, however it is written', async () => {
    const paths = [
      '/closed',
      '/closed/',
      '//closed',
      '/./closed',
      '/open/../closed',
      '/open/%2e%2e/closed',
      '/%63losed',
      '/closed?x=/open',
      'http://a/closed',
    ];
    for (const path of paths) {
      const answer = await sendRaw(gateway.proxy, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      expect(`${path} ${answer?.split('\r\n')[0]}`).toBe(`${path} HTTP/1.1 401 Unauthorized`);
    }
    expect(upstream.requests).toEqual([]);
  });
});

test('tokens of any shape get 401, never 500', async () => {
  const part = fc.oneof(
    fc.json().map((text) => Buffer.from(text).toString('base64url')),
    fc
      .record({
        alg: fc.constantFrom('RS256', 'HS256', 'none', 'ES256', '__proto__', 5, null),
        iss: fc.constantFrom('a', '', 5, ['a'], null),
      })
      .map((value) => Buffer.from(JSON.stringify(value)).toString('base64url')),
    fc.stringMatching(/^[\w.-]{0,20}$/),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 4 }), async (parts) => {
      const answer = await gateway.get('/closed', { headers: { authorization: `Bearer ${parts.join('.')}` } });
      expect(answer.status).toBe(401);
    }),
    bounded(300),
  );
  await expectAlive();
});

test('paths and hosts of any shape never cause a 500', async () => {
  const path = fc.stringMatching(/^[!-~]{0,30}$/).map((text) => `/${text.replaceAll('#', '')}`);
  const host = fc.stringMatching(/^[a-z0-9.:[\]*-]{1,20}$/);
  await fc.assert(
    fc.asyncProperty(path, host, async (target, name) => {
      const answer = await gateway.get(target, { headers: { host: name } });
      expect([200, 400, 401, 404]).toContain(answer.status);
    }),
    bounded(300),
  );
  await expectAlive();
});

test('bodies of any shape never cause a 500 from the Admin API', async () => {
  const key = fc.oneof(
    fc.constantFrom(
      'name',
      'host',
      'port',
      'paths',
      'hosts',
      'headers',
      'config',
      'service',
      'tags',
      'id',
      'url',
      'target',
      '__proto__',
      'constructor',
      'healthchecks',
    ),
    fc.string({ maxLength: 5 }),
  );
  const body = fc.dictionary(key, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 });
  const path = fc.constantFrom(
    '/services',
    '/routes',
    '/plugins',
    '/consumers',
    '/upstreams',
    '/consumers/a/jwt',
    '/consumers/a/acls',
  );
  const plugin = fc.constantFrom(
    {},
    { name: 'rate-limiting' },
    { name: 'jwt' },
    { name: 'cors' },
    { name: 'request-termination' },
    { name: 'acl' },
  );
  await fc.assert(
    fc.asyncProperty(path, body, plugin, async (collection, fields, pluginFields) => {
      const answer = await gateway.admin('POST', collection, {
        ...fields,
        ...(collection === '/plugins' ? pluginFields : {}),
      });
      expect([201, 400, 409]).toContain(answer.status);
      if (answer.status === 201) await gateway.make('DELETE', `${collection}/${answer.json().id}`);
    }),
    bounded(500),
  );
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  await expectAlive();
});

test('forms of any shape never cause a 500 from the Admin API', async () => {
  const name = fc.stringMatching(/^[a-z_]{1,9}([.[][a-z0-9_]{0,9}\]?){0,4}$/);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(name, fc.string({ maxLength: 5 })), { maxLength: 6 }), async (pairs) => {
      const answer = await gateway.form('POST', '/services', new URLSearchParams(pairs).toString());
      expect([201, 400, 409]).toContain(answer.status);
    }),
    bounded(300),
  );
  for (const nasty of [
    `${'a.'.repeat(50_000)}=1`,
    `a${'[b]'.repeat(50_000)}=1`,
    '__proto__.polluted=1',
    'constructor[prototype][polluted]=1',
  ]) {
    expect((await gateway.form('POST', '/services', nasty)).status).toBe(400);
  }
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  await expectAlive();
});

test('a body beyond the limit of the Admin API is refused', async () => {
  const answer = await send(gateway.gateway.ports.admin, '/services', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"name":"${'x'.repeat(11 * 1024 * 1024)}"}`,
  });
  expect(answer.status).toBe(413);
  await expectAlive();
});

test.each([
  [{ name: 'rate-limiting', config: { year: 1, limit_by: 'ip', error_code: 99_999 } }],
  [{ name: 'cors', config: { exposed_headers: ['a\r\nSet-Cookie: x=1'] } }],
  [{ name: 'jwt', config: { realm: 'a\r\nb' } }],
])('a configuration that no response can carry ends the request, not the process: %j', async (plugin) => {
  await gateway.make('PUT', '/routes/odd', { paths: ['/odd'], service: { name: 'hms' } });
  await gateway.make('POST', '/routes/odd/plugins', plugin);
  for (let round = 0; round < 2; round += 1) {
    const answer = await gateway.get('/odd').catch(() => undefined);
    expect(answer?.headers['set-cookie']).toBeUndefined();
  }
  await gateway.make('DELETE', '/routes/odd');
  await expectAlive();
});
