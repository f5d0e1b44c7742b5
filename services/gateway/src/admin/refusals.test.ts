import { describe, expect, test } from '@jest/globals';
import { send, sendRaw } from '../testing/harness.ts';
import { useEmptyGateway } from '../testing/setup.ts';

const WITHOUT_DATABASE = 'this endpoint is only available when Kong is configured to not use a database';

const someId = '11111111-2222-4333-8444-555555555555';
const gateway = useEmptyGateway();

describe('refusals', () => {
  const violation = (message: string, fields: object) => ({ code: 2, name: 'schema violation', message, fields });

  test.each<[string, string, object, object]>([
    [
      'a missing field',
      '/services',
      { name: 'a' },
      violation('schema violation (host: required field missing)', { host: 'required field missing' }),
    ],
    [
      'several',
      '/services',
      { host: 'h', port: 70000, foo: 1 },
      violation('2 schema violations (foo: unknown field; port: value should be between 0 and 65535)', {
        foo: 'unknown field',
        port: 'value should be between 0 and 65535',
      }),
    ],
    [
      'JSON keeps its types',
      '/services',
      { host: 'h', port: '80' },
      violation('schema violation (port: expected an integer)', { port: 'expected an integer' }),
    ],
    [
      'an element',
      '/routes',
      { paths: ['/a', 'b'] },
      violation('schema violation (paths.2: should start with: / (fixed path) or ~/ (regex path))', {
        paths: [null, 'should start with: / (fixed path) or ~/ (regex path)'],
      }),
    ],
    [
      'a path that is not normalised',
      '/routes',
      { paths: ['/a/../b'] },
      violation("schema violation (paths.1: non-normalized path, consider use '/b' instead)", {
        paths: ["non-normalized path, consider use '/b' instead"],
      }),
    ],
    [
      'nothing to match on',
      '/routes',
      { name: 'r' },
      violation(
        "schema violation (must set one of 'methods', 'hosts', 'headers', 'paths', 'snis' when 'protocols' is 'https')",
        {
          '@entity': ["must set one of 'methods', 'hosts', 'headers', 'paths', 'snis' when 'protocols' is 'https'"],
        },
      ),
    ],
    [
      'an unknown plugin',
      '/plugins',
      { name: 'magic' },
      violation("schema violation (name: plugin 'magic' not enabled; add it to the 'plugins' configuration property)", {
        name: "plugin 'magic' not enabled; add it to the 'plugins' configuration property",
      }),
    ],
    [
      'a limit without periods',
      '/plugins',
      { name: 'rate-limiting' },
      violation(
        "schema violation (at least one of these fields must be non-empty: 'config.second', 'config.minute', 'config.hour', 'config.day', 'config.month', 'config.year')",
        {
          '@entity': [
            "at least one of these fields must be non-empty: 'config.second', 'config.minute', 'config.hour', 'config.day', 'config.month', 'config.year'",
          ],
        },
      ),
    ],
    [
      'limits that contradict each other',
      '/plugins',
      { name: 'rate-limiting', config: { minute: 10, hour: 5 } },
      violation('schema violation (config: The limit for hour(5.0) cannot be lower than the limit for minute(10.0))', {
        config: 'The limit for hour(5.0) cannot be lower than the limit for minute(10.0)',
      }),
    ],
    [
      'an upstream that is an address',
      '/upstreams',
      { name: '10.0.0.1' },
      violation('schema violation (name: Invalid name; no ip addresses allowed)', {
        name: 'Invalid name; no ip addresses allowed',
      }),
    ],
    [
      'nested errors are written as Lua tables',
      '/upstreams',
      { name: 'u', healthchecks: { active: { timeout: -1 } } },
      violation('schema violation (healthchecks.active: {\n  timeout = "value should be between 0 and 65535"\n})', {
        healthchecks: { active: { timeout: 'value should be between 0 and 65535' } },
      }),
    ],
    [
      'a consumer without a name',
      '/consumers',
      {},
      violation("schema violation (at least one of these fields must be non-empty: 'custom_id', 'username')", {
        '@entity': ["at least one of these fields must be non-empty: 'custom_id', 'username'"],
      }),
    ],
  ])('%s', async (_name, path, body, expected) => {
    const answer = await gateway.admin('POST', path, body);
    expect([answer.status, answer.json()]).toEqual([400, expected]);
  });

  test('a jwt plugin of a consumer', async () => {
    const consumer = await gateway.make('POST', '/consumers', { username: 'a' });
    const answer = await gateway.admin('POST', `/consumers/${consumer.id}/plugins`, { name: 'jwt' });
    expect([answer.status, answer.json()]).toMatchObject([400, { fields: { consumer: 'value must be null' } }]);
  });

  test.each([
    [undefined, 'required field missing'],
    ['no key', 'invalid key'],
    ['-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----', 'invalid key'],
  ])('an RS256 credential with the key %s', async (rsa_public_key, sentence) => {
    await gateway.make('POST', '/consumers', { username: 'a' });
    const answer = await gateway.admin('POST', '/consumers/a/jwt', { algorithm: 'RS256', rsa_public_key });
    expect([answer.status, answer.json()]).toMatchObject([
      400,
      {
        fields: {
          rsa_public_key: sentence,
          '@entity': ["failed conditional validation given value of field 'algorithm'"],
        },
      },
    ]);
  });

  test('a duplicate of a unique value', async () => {
    const service = await gateway.make('POST', '/services', { name: 'hms', host: 'h' });
    const twice = await gateway.admin('POST', '/services', { name: 'hms', host: 'h' });
    expect([twice.status, twice.json()]).toEqual([
      409,
      {
        code: 5,
        name: 'unique constraint violation',
        message: `UNIQUE violation detected on '{name="hms"}'`,
        fields: { name: 'hms' },
      },
    ]);
    await gateway.make('POST', '/services/hms/plugins', { name: 'jwt' });
    const plugin = await gateway.admin('POST', '/services/hms/plugins', { name: 'jwt' });
    expect([plugin.status, plugin.json()]).toMatchObject([
      409,
      {
        message: `UNIQUE violation detected on '{consumer=null,name="jwt",route=null,service={id="${service.id}"}}'`,
        fields: { consumer: null, name: 'jwt', route: null, service: { id: service.id } },
      },
    ]);
  });

  test('a duplicate id', async () => {
    await gateway.make('POST', '/services', { id: someId, host: 'h' });
    const answer = await gateway.admin('POST', '/services', { id: someId, host: 'h' });
    expect([answer.status, answer.json()]).toMatchObject([
      400,
      { code: 3, name: 'primary key violation', message: `primary key violation on key '{id="${someId}"}'` },
    ]);
  });

  test('a link to a missing entity', async () => {
    const byId = await gateway.admin('POST', '/routes', { paths: ['/a'], service: { id: someId } });
    expect([byId.status, byId.json()]).toEqual([
      400,
      {
        code: 4,
        name: 'foreign key violation',
        message: `the foreign key '{id="${someId}"}' does not reference an existing 'services' entity.`,
        fields: { service: { id: someId } },
      },
    ]);
    const byName = await gateway.admin('POST', '/routes', { paths: ['/a'], service: { name: 'none' } });
    expect([byName.status, byName.json()]).toMatchObject([
      400,
      {
        code: 13,
        message: `foreign key unresolved (service.name: the foreign key cannot be resolved with '{name="none"}' for an existing 'services' entity)`,
      },
    ]);
  });

  test.each<[string, string, number, object]>([
    ['GET', '/services/none', 404, { message: 'Not found' }],
    ['GET', '/nothing', 404, { message: 'Not found' }],
    ['GET', '/targets', 404, { message: 'Not found' }],
    ['POST', '/services/none/routes', 404, { message: 'Not found' }],
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
    [
      'PATCH',
      `/services/${someId}`,
      404,
      {
        code: 6,
        name: 'not found',
        message: `could not find the entity with primary key '{id="${someId}"}'`,
        fields: { id: someId },
      },
    ],
    ['POST', '/services/none', 405, { message: 'Method not allowed' }],
    ['DELETE', '/services', 405, { message: 'Method not allowed' }],
    ['DELETE', '/routes/none/service', 404, { message: 'Not found' }],
    ['POST', '/routes/none/service', 405, { message: 'Method not allowed' }],
    ['GET', '/config', 400, { message: WITHOUT_DATABASE }],
    ['POST', '/config', 400, { message: WITHOUT_DATABASE }],
  ])('%s %s answers %i', async (method, path, status, body) => {
    const answer = await gateway.admin(method, path, method === 'GET' || method === 'DELETE' ? undefined : {});
    expect([answer.status, answer.json()]).toEqual([status, body]);
  });

  test.each([
    ['application/json', '{"name":', 400, 'Cannot parse JSON body'],
    ['application/json', '', 400, 'Cannot parse JSON body'],
    ['application/json', '[1]', 400, 'Cannot parse JSON body'],
    ['text/plain', 'name=x', 415, '415 Unsupported Media Type'],
  ])('a body of %s: %s', async (type, body, status, text) => {
    const answer = await send(gateway.gateway.ports.admin, '/services', {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    });
    expect(answer.status).toBe(status);
    expect(answer.body).toContain(text);
  });
});

test.each([
  ['/plugins', '{"name":"rate-limiting","config":{"minute":1,"redis_host":"a","redis":{"host":', '}}}'],
  ['/services', '{"host":"h","tags":', '}'],
])('a body of %s that is nested too deeply', async (path, before, after) => {
  const post = (depth: number) => {
    const body = `${before}${'['.repeat(depth)}"[\\"]"${']'.repeat(depth)}${after}`;
    return send(gateway.gateway.ports.admin, path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
  };
  const deep = await post(200_000);
  expect([deep.status, deep.json()]).toEqual([400, { message: 'Cannot parse JSON body' }]);
  expect((await post(997)).json()).toMatchObject({ code: 2 });
  expect((await post(1000)).json()).toEqual({ message: 'Cannot parse JSON body' });
});

test.each(['x', '1', 'WyJhIl0', '1.0005x', ''])('an invalid offset of targets: %s', async (offset) => {
  await gateway.make('POST', '/upstreams', { name: 'u' });
  const answer = await gateway.admin('GET', `/upstreams/u/targets?offset=${offset}`);
  expect([answer.status, answer.json()]).toMatchObject([400, { code: 7, name: 'invalid offset' }]);
});

test.each(['/nothing', '/services', '/status'])('a malformed body for %s is refused once', async (path) => {
  const bytes = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n`;
  expect(await sendRaw(gateway.gateway.ports.admin, bytes)).toMatch(/^HTTP\/1\.1 400 (?!.*HTTP)/s);
  expect(await gateway.admin('GET', '/status')).toMatchObject({ status: 200 });
});
