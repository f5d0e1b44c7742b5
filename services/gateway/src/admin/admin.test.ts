import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { publicPem, send, type TestGateway, testGateway } from '../testing/harness.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const someId = '11111111-2222-4333-8444-555555555555';
let gateway: TestGateway;

beforeAll(async () => {
  gateway = await testGateway();
});
afterAll(() => gateway.stop());

/** Everything is deleted, children first. */
beforeEach(async () => {
  for (const kind of ['plugins', 'routes', 'services', 'consumers', 'upstreams']) {
    const { data } = (await gateway.admin('GET', `/${kind}?size=1000`)).json() as { data: { id: string }[] };
    for (const { id } of data) await gateway.admin('DELETE', `/${kind}/${id}`);
  }
});

describe('creating', () => {
  test('fills in every default', async () => {
    const answer = await gateway.admin('POST', '/services', { name: 'hms', url: 'http://hms.internal:18101/base' });
    expect(answer.status).toBe(201);
    expect(answer.json()).toEqual({
      id: expect.stringMatching(uuid),
      created_at: expect.any(Number),
      updated_at: expect.any(Number),
      name: 'hms',
      protocol: 'http',
      host: 'hms.internal',
      port: 18101,
      path: '/base',
      retries: 5,
      connect_timeout: 60000,
      write_timeout: 60000,
      read_timeout: 60000,
      tags: null,
      client_certificate: null,
      tls_verify: null,
      tls_verify_depth: null,
      ca_certificates: null,
      enabled: true,
    });
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.headers.server).toBe('kong/3.9.3');
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    expect(answer.headers['x-kong-admin-latency']).toMatch(/^\d+$/);
  });

  test('fills in the defaults of records', async () => {
    const answer = await gateway.admin('POST', '/upstreams', {
      name: 'hms',
      healthchecks: { active: { healthy: { interval: 5 } } },
    });
    const { healthchecks, algorithm, slots } = answer.json() as {
      healthchecks: { active: object };
      algorithm: string;
      slots: number;
    };
    expect({ algorithm, slots }).toEqual({ algorithm: 'round-robin', slots: 10000 });
    expect(healthchecks.active).toMatchObject({
      http_path: '/',
      timeout: 1,
      healthy: { interval: 5, successes: 0, http_statuses: [200, 302] },
      unhealthy: { http_statuses: [429, 404, 500, 501, 502, 503, 504, 505] },
    });
  });

  test('a credential gets its key and secret', async () => {
    await gateway.make('POST', '/consumers', { username: 'st-mary' });
    const answer = await gateway.form('POST', '/consumers/st-mary/jwt', '');
    expect(answer.status).toBe(201);
    expect(answer.json()).toMatchObject({
      algorithm: 'HS256',
      key: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
      secret: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
      rsa_public_key: null,
    });
  });

  test('a target gets its port, and times in milliseconds', async () => {
    await gateway.make('POST', '/upstreams', { name: 'hms' });
    const target = await gateway.make('POST', '/upstreams/hms/targets', { target: '127.0.0.1' });
    expect(target).toMatchObject({ target: '127.0.0.1:8000', weight: 100 });
    expect(String(target.created_at)).toMatch(/^\d+\.\d+$/);
  });
});

describe('forms', () => {
  beforeEach(() => gateway.make('POST', '/services', { name: 'hms', host: 'localhost' }));

  test.each([
    ['name=r&paths[]=/a&paths[]=/b', { paths: ['/a', '/b'] }],
    ['name=r&paths[1]=/a&paths[2]=/b', { paths: ['/a', '/b'] }],
    ['name=r&paths%5B%5D=/a', { paths: ['/a'] }],
    ['name=r&paths=/a', { paths: ['/a'] }],
    ['name=r&paths=/a&paths=/b', { paths: ['/a', '/b'] }],
    ['name=r&paths=/a,b', { paths: ['/a,b'] }],
    ['name=r&paths=/a&strip_path=false&regex_priority=7', { strip_path: false, regex_priority: 7 }],
    ['name=r&headers[x-foo][]=v&headers.x-bar=w', { headers: { 'x-foo': ['v'], 'x-bar': ['w'] } }],
    ['name=r&paths=/a&tags=', { tags: null }],
  ])('a route from %s', async (text, expected) => {
    const answer = await gateway.form('POST', '/services/hms/routes', text);
    expect(answer.body).toContain('"id"');
    expect(answer.json()).toMatchObject(expected);
  });

  test('a plugin is typed by its schema, when it is changed too', async () => {
    const made = await gateway.form(
      'POST',
      '/services/hms/plugins',
      'name=rate-limiting&config.minute=100&config.hour=1000',
    );
    expect(made.status).toBe(201);
    expect(made.json()).toMatchObject({ config: { minute: 100, hour: 1000, policy: 'local', limit_by: 'consumer' } });
    const changed = await gateway.form('PATCH', `/plugins/${made.json().id}`, 'config.minute=50');
    expect(changed.json()).toMatchObject({ config: { minute: 50, hour: 1000 } });
  });

  test('text that is no number is refused', async () => {
    const answer = await gateway.form('POST', '/services/hms/plugins', 'name=rate-limiting&config.minute=many');
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ code: 2, fields: { config: { minute: 'expected a number' } } });
  });

  test('multipart', async () => {
    const form = new FormData();
    form.set('name', 'r');
    form.append('paths[]', '/a');
    const encoded = new Response(form);
    const answer = await send(gateway.gateway.ports.admin, '/services/hms/routes', {
      method: 'POST',
      headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
      body: Buffer.from(await encoded.arrayBuffer()),
    });
    expect(answer.status).toBe(201);
    expect(answer.json()).toMatchObject({ paths: ['/a'] });
  });

  test('more than a thousand arguments are refused', async () => {
    const answer = await gateway.form('POST', '/services', Array.from({ length: 1001 }, (_, i) => `a${i}=1`).join('&'));
    expect([answer.status, answer.json()]).toEqual([400, { message: 'Too many arguments' }]);
  });
});

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
      'JSON is not typed',
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
      'what is deep is written as Lua writes it',
      '/upstreams',
      { name: 'u', healthchecks: { active: { timeout: -1 } } },
      violation('schema violation (healthchecks.active: {\n  timeout = "value should be between 0 and 65535"\n})', {
        healthchecks: { active: { timeout: 'value should be between 0 and 65535' } },
      }),
    ],
    [
      'a consumer without name',
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

  test('what is unique', async () => {
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

  test('an id that is taken', async () => {
    await gateway.make('POST', '/services', { id: someId, host: 'h' });
    const answer = await gateway.admin('POST', '/services', { id: someId, host: 'h' });
    expect([answer.status, answer.json()]).toMatchObject([
      400,
      { code: 3, name: 'primary key violation', message: `primary key violation on key '{id="${someId}"}'` },
    ]);
  });

  test('links to nothing', async () => {
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
    ['DELETE', '/routes/none/service', 405, { message: 'Method not allowed' }],
  ])('%s %s is %i', async (method, path, status, body) => {
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

describe('changing', () => {
  test('PUT by name creates, then replaces in full and keeps the id', async () => {
    const made = await gateway.admin('PUT', '/services/hms', { host: 'a', retries: 1, tags: ['x'] });
    expect(made.status).toBe(200);
    const replaced = await gateway.admin('PUT', '/services/hms', { host: 'b' });
    expect(replaced.json()).toMatchObject({ id: made.json().id, name: 'hms', host: 'b', retries: 5, tags: null });
  });

  test('PUT by id creates with that id', async () => {
    const service = await gateway.make('PUT', `/services/${someId}`, { name: 'hms', host: 'a' });
    expect(service.id).toBe(someId);
  });

  test('PUT keeps a creation time that is sent', async () => {
    const service = await gateway.make('PUT', `/services/${someId}`, { host: 'a', created_at: 1422386534 });
    expect(service).toMatchObject({ created_at: 1422386534 });
  });

  test('PATCH merges records, replaces lists, clears by null', async () => {
    await gateway.make('POST', '/upstreams', {
      name: 'hms',
      tags: ['a', 'b'],
      host_header: 'hms.internal',
      healthchecks: { active: { http_path: '/health', healthy: { interval: 5 } } },
    });
    const changed = await gateway.admin('PATCH', '/upstreams/hms', {
      tags: ['c'],
      host_header: null,
      healthchecks: { active: { healthy: { successes: 2 } } },
    });
    expect(changed.status).toBe(200);
    expect(changed.json()).toMatchObject({
      tags: ['c'],
      host_header: null,
      healthchecks: { active: { http_path: '/health', healthy: { interval: 5, successes: 2 } } },
    });
  });

  test('PATCH that breaks a rule changes nothing', async () => {
    await gateway.make('POST', '/services', { name: 'hms', host: 'a' });
    expect((await gateway.admin('PATCH', '/services/hms', { port: -1 })).status).toBe(400);
    expect((await gateway.admin('GET', '/services/hms')).json()).toMatchObject({ port: 80 });
  });

  test('a nested PUT links to the parent', async () => {
    const consumer = await gateway.make('PUT', '/consumers/st-mary', {});
    const credential = await gateway.make('PUT', `/consumers/st-mary/jwt/${someId}`, {
      key: 'http://localhost:8000/auth/realms/st-mary',
      algorithm: 'RS256',
      rsa_public_key: publicPem,
    });
    expect(credential).toMatchObject({ id: someId, consumer: { id: consumer.id } });
    const escaped = encodeURIComponent('http://localhost:8000/auth/realms/st-mary');
    expect((await gateway.admin('GET', `/consumers/st-mary/jwt/${escaped}`)).status).toBe(200);
    expect((await gateway.admin('PUT', '/consumers/st-mary/acls/doctors', {})).json()).toMatchObject({
      group: 'doctors',
    });
  });

  test('the parent of an entity', async () => {
    await gateway.make('POST', '/routes', { name: 'r', paths: ['/a'] });
    expect((await gateway.admin('GET', '/routes/r/service')).status).toBe(404);
    const service = await gateway.make('PUT', '/routes/r/service', { host: 'a' });
    expect((await gateway.admin('GET', '/routes/r')).json()).toMatchObject({ service: { id: service.id } });
    expect((await gateway.admin('PATCH', '/routes/r/service', { port: 81 })).json()).toMatchObject({
      id: service.id,
      port: 81,
    });
  });

  test('an unknown target is not created by PUT', async () => {
    await gateway.make('POST', '/upstreams', { name: 'hms' });
    expect((await gateway.admin('PUT', '/upstreams/hms/targets/10.0.0.1:80', { weight: 1 })).status).toBe(404);
    await gateway.make('POST', '/upstreams/hms/targets', { target: '10.0.0.1:80' });
    const changed = await gateway.admin('PATCH', '/upstreams/hms/targets/10.0.0.1:80', { weight: 1 });
    expect(changed.json()).toMatchObject({ weight: 1 });
  });
});

describe('deleting', () => {
  test('what is not there is gone; nested, it is missing', async () => {
    await gateway.make('PUT', '/consumers/a', {});
    expect((await gateway.admin('DELETE', '/services/none')).status).toBe(204);
    expect((await gateway.admin('DELETE', `/consumers/a/jwt/${someId}`)).status).toBe(404);
  });

  test('a service with routes stays', async () => {
    await gateway.make('PUT', '/services/hms', { host: 'a' });
    await gateway.make('POST', '/services/hms/routes', { paths: ['/a'] });
    const answer = await gateway.admin('DELETE', '/services/hms');
    expect([answer.status, answer.json()]).toEqual([
      400,
      {
        code: 4,
        name: 'foreign key violation',
        message: "an existing 'routes' entity references this 'services' entity",
        fields: { '@referenced_by': 'routes' },
      },
    ]);
  });

  test('what belongs to an entity goes with it', async () => {
    await gateway.make('PUT', '/consumers/a', {});
    await gateway.make('POST', '/consumers/a/jwt', { key: 'k' });
    await gateway.make('POST', '/consumers/a/acls', { group: 'g' });
    await gateway.make('POST', '/consumers/a/plugins', { name: 'request-termination' });
    expect((await gateway.admin('DELETE', '/consumers/a')).status).toBe(204);
    for (const path of ['/jwts', '/acls', '/plugins']) {
      expect((await gateway.admin('GET', path)).json()).toEqual({ data: [], next: null });
    }
  });
});

describe('lists', () => {
  test('pages by size and offset, in the order of ids', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await gateway.make('POST', '/services', { name, host: 'h' });
    const ids: string[] = [];
    let next: string | null = '/services?size=2';
    while (next) {
      const answer = (await gateway.admin('GET', next)).json() as {
        data: { id: string }[];
        next: string | null;
        offset?: string;
      };
      ids.push(...answer.data.map(({ id }) => id));
      expect('offset' in answer).toBe(answer.next !== null);
      next = answer.next;
    }
    expect(ids).toHaveLength(5);
    expect(ids).toEqual([...new Set(ids)].sort());
  });

  test('filters by tags', async () => {
    await gateway.make('POST', '/services', { name: 'one', host: 'h', tags: ['a', 'b'] });
    await gateway.make('POST', '/services', { name: 'two', host: 'h', tags: ['a'] });
    const names = async (tags: string) =>
      ((await gateway.admin('GET', `/services?tags=${tags}`)).json() as { data: { name: string }[] }).data
        .map(({ name }) => name)
        .sort();
    expect(await names('a')).toEqual(['one', 'two']);
    expect(await names('a,b')).toEqual(['one']);
    expect(await names('b/c')).toEqual(['one']);
    const mixed = await gateway.admin('GET', '/services?tags=a,b/c');
    expect([mixed.status, mixed.json()]).toMatchObject([
      400,
      { code: 11, message: 'invalid option (tags: invalid filter syntax)' },
    ]);
  });

  test.each<[string, object]>([
    ['?size=x', { code: 9, message: 'size must be a number' }],
    ['?size=0', { code: 9, message: 'size must be an integer between 1 and 1000' }],
    ['?size=1001', { code: 9, message: 'size must be an integer between 1 and 1000' }],
    ['?offset=x', { code: 7, message: "'x' is not a valid offset: bad base64 encoding" }],
  ])('%s is refused', async (query, expected) => {
    const answer = await gateway.admin('GET', `/services${query}`);
    expect([answer.status, answer.json()]).toMatchObject([400, expected]);
  });

  test('consumers by custom_id', async () => {
    const consumer = await gateway.make('POST', '/consumers', { username: 'a', custom_id: 'h-1' });
    expect((await gateway.admin('GET', '/consumers?custom_id=h-1')).json()).toMatchObject({
      data: [{ id: consumer.id }],
      next: null,
    });
    expect((await gateway.admin('GET', '/consumers?custom_id=h-2')).json()).toEqual({ data: [], next: null });
  });
});

describe('what is no entity', () => {
  test('GET / says the version', async () => {
    expect((await gateway.admin('GET', '/')).json()).toMatchObject({
      version: '3.9.3',
      edition: 'community',
      tagline: 'Welcome to kong',
    });
  });

  test('GET /status', async () => {
    expect((await gateway.admin('GET', '/status')).json()).toMatchObject({
      database: { reachable: true },
      server: expect.any(Object),
    });
    expect((await gateway.admin('GET', '/status?unit=x')).status).toBe(400);
  });

  test('GET /plugins/enabled', async () => {
    const { enabled_plugins: enabled } = (await gateway.admin('GET', '/plugins/enabled')).json();
    expect(enabled).toEqual(expect.arrayContaining(['acl', 'cors', 'jwt', 'rate-limiting', 'prometheus']));
  });

  test('OPTIONS and HEAD', async () => {
    const options = await gateway.admin('OPTIONS', '/services');
    expect([options.status, options.headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS, POST']);
    const head = await gateway.admin('HEAD', '/services');
    expect([head.status, head.body]).toEqual([200, '']);
  });
});
