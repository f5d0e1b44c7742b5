import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  inSeconds,
  publicPem,
  sendRaw,
  type TestGateway,
  type TestUpstream,
  testGateway,
  testUpstream,
  token,
} from '../testing/harness.ts';

let gateway: TestGateway;
let upstream: TestUpstream;
const bearer = (iss: string) => ({ authorization: `Bearer ${token({ iss, exp: inSeconds(60) })}` });

beforeAll(async () => {
  gateway = await testGateway();
  upstream = await testUpstream();
  await gateway.make('PUT', '/services/hms', { url: `http://127.0.0.1:${upstream.port}` });
  for (const name of ['st-mary', 'city-general']) {
    await gateway.make('PUT', `/consumers/${name}`, {});
    await gateway.make('POST', `/consumers/${name}/jwt`, { key: name, algorithm: 'RS256', rsa_public_key: publicPem });
    await gateway.make('POST', `/consumers/${name}/acls`, { group: name });
  }
});
afterAll(async () => {
  await gateway.stop();
  await upstream.stop();
});
beforeEach(async () => {
  await gateway.make('DELETE', '/routes/r');
  await gateway.make('PUT', '/routes/r', { paths: ['/'], service: { name: 'hms' } });
});

const plugin = (name: string, config: object = {}) => gateway.make('POST', '/routes/r/plugins', { name, config });

describe('acl', () => {
  test('admits consumers in an allowed group', async () => {
    await plugin('jwt');
    await plugin('acl', { allow: ['st-mary'] });
    expect((await gateway.get('/', { headers: bearer('st-mary') })).status).toBe(200);
    expect(upstream.requests.at(-1)?.headers['x-consumer-groups']).toBe('st-mary');
    const refused = await gateway.get('/', { headers: bearer('city-general') });
    expect([refused.status, refused.json()]).toMatchObject([403, { message: 'You cannot consume this service' }]);
    expect(refused.json()).toHaveProperty('request_id');
  });

  test('refuses consumers in a denied group immediately', async () => {
    await plugin('jwt');
    await plugin('acl', { deny: ['suspended'], hide_groups_header: true });
    expect((await gateway.get('/', { headers: bearer('st-mary') })).status).toBe(200);
    expect(upstream.requests.at(-1)?.headers['x-consumer-groups']).toBeUndefined();
    await gateway.make('PUT', '/consumers/st-mary/acls/suspended', {});
    expect((await gateway.get('/', { headers: bearer('st-mary') })).status).toBe(403);
    await gateway.make('DELETE', '/consumers/st-mary/acls/suspended');
    expect((await gateway.get('/', { headers: bearer('st-mary') })).status).toBe(200);
  });

  test('needs an authenticated caller', async () => {
    await plugin('acl', { allow: ['st-mary'] });
    const answer = await gateway.get('/');
    expect([answer.status, answer.json()]).toMatchObject([401, { message: 'Unauthorized' }]);
  });

  test('has exactly one of its lists', async () => {
    const both = await gateway.admin('POST', '/plugins', { name: 'acl', config: { allow: ['a'], deny: ['b'] } });
    expect([both.status, both.json()]).toMatchObject([
      400,
      { fields: { '@entity': ["only one of these fields must be non-empty: 'config.allow', 'config.deny'"] } },
    ]);
  });
});

describe('cors', () => {
  const preflight = (origin: string) => ({
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'x-own' },
  });
  const platform = {
    origins: ['https://portal.example', 'https://console.example'],
    methods: ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'],
    headers: ['Authorization', 'Content-Type'],
    credentials: true,
    max_age: 3600,
  };

  test('answers a preflight before the token check', async () => {
    await plugin('jwt');
    await plugin('cors', platform);
    const answer = await gateway.get('/', preflight('https://portal.example'));
    expect([answer.status, answer.body]).toEqual([200, '']);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': 'https://portal.example',
      'access-control-allow-methods': 'GET,POST,PUT,DELETE,OPTIONS',
      'access-control-allow-headers': 'Authorization,Content-Type',
      'access-control-allow-credentials': 'true',
      'access-control-max-age': '3600',
      'content-length': '0',
      vary: 'Origin',
    });
  });

  test('does not name an origin that is not allowed', async () => {
    await plugin('cors', platform);
    const answer = await gateway.get('/', preflight('https://evil.example'));
    expect(answer.status).toBe(200);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    expect(answer.headers['access-control-allow-credentials']).toBe('true');
  });

  test('applies to refusals too', async () => {
    await plugin('jwt');
    await plugin('cors', platform);
    const answer = await gateway.get('/', { headers: { origin: 'https://console.example' } });
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([401, 'https://console.example']);
  });

  test.each([
    ['no list', {}, 'https://a.example', '*'],
    ['a star with credentials', { origins: ['*'], credentials: true }, 'https://a.example', 'https://a.example'],
    ['one plain origin, for any request', { origins: ['https://b.example'] }, 'https://a.example', 'https://b.example'],
    ['a regex for hosts', { origins: ['(.*)[.]example'] }, 'https://a.example', 'https://a.example'],
    ['a regex is anchored at the end', { origins: ['(.*)[.]example'] }, 'https://a.example.org', undefined],
    [
      'the scheme’s default port',
      { origins: ['https://a.example:443', 'https://x.example'] },
      'https://a.example',
      'https://a.example',
    ],
  ])('%s', async (_name, config, origin, allowed) => {
    await plugin('cors', config);
    expect((await gateway.get('/', { headers: { origin } })).headers['access-control-allow-origin']).toBe(allowed);
  });
});

describe('correlation-id', () => {
  test('is generated, sent upstream and echoed', async () => {
    await plugin('correlation-id', { header_name: 'X-Request-ID', generator: 'uuid', echo_downstream: true });
    const answer = await gateway.get('/');
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(upstream.requests.at(-1)?.headers['x-request-id']).toBe(answer.headers['x-request-id']);
  });

  test('of the client is kept if it is a UUID, also in refusals', async () => {
    await plugin('correlation-id', { header_name: 'X-Request-ID', generator: 'uuid', echo_downstream: true });
    await plugin('jwt');
    const id = '0B6D2E4C-92a5-4c1e-8f43-000000000001';
    const answer = await gateway.get('/', { headers: { 'x-request-id': id } });
    expect([answer.status, answer.headers['x-request-id'], answer.headers['x-kong-request-id']]).toEqual([401, id, id]);
  });

  test('of the client reaches the service, also if the client names the header in Connection', async () => {
    await plugin('correlation-id', { header_name: 'X-Request-ID', generator: 'uuid', echo_downstream: true });
    const id = randomUUID();
    const answer = await gateway.get('/', { headers: { 'x-request-id': id, connection: 'X-Request-ID' } });
    expect(answer.headers['x-request-id']).toBe(id);
    expect(upstream.requests.at(-1)?.headers['x-request-id']).toBe(id);
  });

  test('is the id of the request under every name', async () => {
    await plugin('correlation-id', { header_name: 'X-Request-ID', generator: 'uuid', echo_downstream: true });
    const passed = await gateway.get('/');
    const id = passed.headers['x-request-id'];
    expect(passed.headers['x-kong-request-id']).toBe(id);
    expect(upstream.requests.at(-1)?.headers).toMatchObject({ 'x-request-id': id, 'x-kong-request-id': id });
    await plugin('acl', { allow: ['nobody'] });
    const refused = await gateway.get('/', { headers: { accept: 'application/json' } });
    expect(refused.json()).toMatchObject({ request_id: refused.headers['x-request-id'] });
    expect(refused.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('request-termination', () => {
  test('of a consumer stops only that consumer, after the token check', async () => {
    await plugin('jwt');
    const { id } = await gateway.make('POST', '/consumers/st-mary/plugins', {
      name: 'request-termination',
      config: { status_code: 403, message: 'This hospital is suspended' },
    });
    expect((await gateway.get('/')).status).toBe(401);
    const refused = await gateway.get('/', { headers: bearer('st-mary') });
    expect([refused.status, refused.body]).toEqual([403, '{"message":"This hospital is suspended"}']);
    expect((await gateway.get('/', { headers: bearer('city-general') })).status).toBe(200);
    await gateway.make('PATCH', `/plugins/${id}`, { enabled: false });
    expect((await gateway.get('/', { headers: bearer('st-mary') })).status).toBe(200);
    await gateway.make('DELETE', `/plugins/${id}`);
  });

  test('has a default message, or a configured body', async () => {
    const { id } = await plugin('request-termination');
    expect((await gateway.get('/')).body).toBe('{"message":"Service unavailable"}');
    await gateway.make('PATCH', `/plugins/${id}`, { config: { body: '<p>closed</p>', content_type: 'text/html' } });
    const answer = await gateway.get('/');
    expect([answer.status, answer.headers['content-type'], answer.body]).toEqual([503, 'text/html', '<p>closed</p>']);
  });

  test.each([{}, { message: 'gone' }, { body: 'gone', content_type: 'text/plain' }])(
    '204 with %j has no content, and no header about it',
    async (config) => {
      await plugin('request-termination', { status_code: 204, ...config });
      const plain = await sendRaw(gateway.proxy, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
      const upgrade = await sendRaw(
        gateway.proxy,
        'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      );
      for (const answer of [plain, upgrade]) {
        expect(answer).toMatch(/^HTTP\/1\.1 204 No Content\r\n[\s\S]*\r\n\r\n$/);
        expect(answer).not.toMatch(/\r\n(content-length|content-type|transfer-encoding):/i);
      }
    },
  );

  test('refuses an informational status', async () => {
    await plugin('request-termination', { status_code: 101, body: 'switching' });
    const answer = await gateway.get('/');
    expect([answer.status, answer.body]).toEqual([500, 'switching']);
  });

  test('message and body exclude each other', async () => {
    const answer = await gateway.admin('POST', '/plugins', {
      name: 'request-termination',
      config: { message: 'a', body: 'b' },
    });
    expect(answer.json()).toMatchObject({ fields: { config: 'message cannot be used with content_type or body' } });
  });
});

describe('ip-restriction', () => {
  test.each([
    [{ allow: ['10.0.0.0/8'] }, 403],
    [{ allow: ['127.0.0.0/8'] }, 200],
    [{ deny: ['127.0.0.1'] }, 403],
    [{ allow: ['127.0.0.1'], deny: ['127.0.0.1'] }, 403],
  ])('%j answers %i', async (config, status) => {
    await plugin('ip-restriction', config);
    const answer = await gateway.get('/');
    expect(answer.status).toBe(status);
    if (status === 403) expect(answer.json()).toMatchObject({ message: 'IP address not allowed: 127.0.0.1' });
  });

  test('refuses an invalid range', async () => {
    const answer = await gateway.admin('POST', '/plugins', {
      name: 'ip-restriction',
      config: { allow: ['10.0.0.0/40'] },
    });
    expect(answer.json()).toMatchObject({ fields: { config: { allow: ["invalid ip or cidr range: '10.0.0.0/40'"] } } });
  });
});

describe('the shape of refusals', () => {
  test.each([
    [
      'application/json',
      'application/json; charset=utf-8',
      /^\{\n {2}"message":"no Route matched with those values",\n {2}"request_id":"[0-9a-f-]{36}"\n\}$/,
    ],
    ['text/html', 'text/html; charset=utf-8', /<p>no Route matched with those values\.<\/p>/],
    ['text/plain', 'text/plain; charset=utf-8', /^no Route matched with those values\nrequest_id: [0-9a-f-]{36}\n$/],
    ['application/xml', 'application/json; charset=utf-8', /./],
    ['text/html;q=0.5, application/json', 'application/json; charset=utf-8', /./],
  ])('%s', async (accept, type, body) => {
    await gateway.make('DELETE', '/routes/r');
    const answer = await gateway.get('/nowhere', { headers: { accept } });
    expect(answer.status).toBe(404);
    expect(answer.headers['content-type']).toBe(accept === 'application/xml' ? 'application/xml; charset=utf-8' : type);
    expect(answer.body).toMatch(body);
    expect(answer.headers).toMatchObject({ server: 'kong/3.9.3', 'x-kong-response-latency': expect.any(String) });
  });
});

test('the most specific configuration wins', async () => {
  const status = async () => (await gateway.get('/', { headers: bearer('st-mary') })).status;
  const end = (path: string, code: number, scope: object = {}) =>
    gateway.make('POST', path, { name: 'request-termination', config: { status_code: code }, ...scope });
  await plugin('jwt');
  const plugins = [await end('/plugins', 510)];
  expect(await status()).toBe(510);
  plugins.push(await end('/services/hms/plugins', 511));
  expect(await status()).toBe(511);
  plugins.push(await end('/routes/r/plugins', 512));
  expect(await status()).toBe(512);
  plugins.push(await end('/consumers/st-mary/plugins', 513));
  expect(await status()).toBe(513);
  plugins.push(await end('/routes/r/plugins', 514, { service: { name: 'hms' } }));
  expect(await status()).toBe(514);
  plugins.push(await end('/consumers/st-mary/plugins', 515, { service: { name: 'hms' } }));
  expect(await status()).toBe(515);
  plugins.push(await end('/consumers/st-mary/plugins', 516, { route: { name: 'r' } }));
  expect(await status()).toBe(516);
  for (const { id } of plugins) await gateway.make('DELETE', `/plugins/${id}`);
  expect(await status()).toBe(200);
});

test('a route for https only refuses http', async () => {
  await gateway.make('PATCH', '/routes/r', { protocols: ['https'] });
  const demanded = await gateway.get('/a?b=c', { headers: { host: 'x.example' } });
  expect([demanded.status, demanded.json()]).toMatchObject([426, { message: 'Please use HTTPS protocol' }]);
  expect(demanded.headers).toMatchObject({
    upgrade: 'TLS/1.2, HTTP/1.1',
    connection: expect.stringMatching(/upgrade/i),
  });
  await gateway.make('PATCH', '/routes/r', { https_redirect_status_code: 301 });
  expect((await gateway.get('/a?b=c', { headers: { host: 'x.example' } })).headers.location).toBe(
    'https://x.example/a?b=c',
  );
});

test('a WebSocket handshake without a token is refused', async () => {
  await plugin('jwt');
  const answer = await sendRaw(
    gateway.proxy,
    'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  );
  expect(answer).toMatch(/^HTTP\/1\.1 401 /);
  expect(answer).toContain('{"message":"Unauthorized"}');
});

test('a correlation id of the tracker names connection and request as nginx does', async () => {
  await plugin('correlation-id', { header_name: 'X-Request-ID', generator: 'tracker' });
  upstream.requests.length = 0;
  const request = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
  await sendRaw(gateway.proxy, request + request.replace('Host', 'Connection: close\r\nHost'));
  await gateway.get('/');
  const ids = upstream.requests.map(({ headers }) => String(headers['x-request-id']));
  const form = new RegExp(`^127\\.0\\.0\\.1-${gateway.proxy}-${process.pid}-(\\d+)-(\\d+)-(\\d+\\.\\d{3})$`);
  const parts = ids.map((id) => form.exec(id)?.slice(1, 3));
  expect(parts.sort()).toEqual([
    ['1', '1'],
    ['1', '2'],
    ['2', '1'],
  ]);
  for (const id of ids) expect(Math.abs(Number(form.exec(id)?.[3]) - Date.now() / 1000)).toBeLessThan(60);
});

describe('a correlation id from the client', () => {
  const ask = (value: string) =>
    sendRaw(
      gateway.proxy,
      Buffer.from(`GET / HTTP/1.1\r\nHost: a\r\nX-Request-ID: ${value}\r\nConnection: close\r\n\r\n`, 'latin1'),
    );
  const config = { header_name: 'X-Request-ID', generator: 'uuid', echo_downstream: true };

  test.each([
    'short',
    'x'.repeat(8000),
    '"><script>{}%0d%0aSet-Cookie: a=1',
    '\u00e9\u00ff',
    'a\tb',
    `{${randomUUID()}}`,
  ])('that is not a UUID is replaced: %.20j', async (value) => {
    await plugin('correlation-id', config);
    const answer = await ask(value);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    const [, id] = /\r\nX-Request-ID: ([0-9a-f-]{36})\r\n/.exec(answer ?? '') ?? [];
    expect(id).toBeDefined();
    expect(upstream.requests.at(-1)?.headers['x-request-id']).toBe(id);
  });

  test('that is sent twice is replaced', async () => {
    await plugin('correlation-id', config);
    const ids = [randomUUID(), randomUUID()];
    const answer = await gateway.get('/', { headers: { 'x-request-id': ids } });
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(ids).not.toContain(answer.headers['x-request-id']);
    expect(upstream.requests.at(-1)?.headers['x-request-id']).toBe(answer.headers['x-request-id']);
  });

  test.each(['a\rSet-Cookie: b=1', 'a\nSet-Cookie: b=1', 'a\0b', 'a\u0001b', 'a\u007fb', 'a\u001b[31m'])(
    'that contains a control character is refused: %j',
    async (value) => {
      await plugin('correlation-id', config);
      const before = upstream.requests.length;
      const answer = await ask(value);
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).not.toMatch(/Set-Cookie/i);
      expect(upstream.requests).toHaveLength(before);
    },
  );

  test('that is empty is replaced', async () => {
    await plugin('correlation-id', config);
    expect(await ask('')).toMatch(/\r\nX-Request-ID: [0-9a-f-]{36}\r\n/);
  });
});
