import { beforeEach, describe, expect, test } from '@jest/globals';
import { send } from '../testing/harness.ts';
import { useEmptyGateway } from '../testing/setup.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const gateway = useEmptyGateway();

describe('create', () => {
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

  test('generates the key and secret of a credential', async () => {
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

  test('fills in the port of a target and gives its times in milliseconds', async () => {
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

  test('types the fields of a plugin by its schema, also in a PATCH', async () => {
    const created = await gateway.form(
      'POST',
      '/services/hms/plugins',
      'name=rate-limiting&config.minute=100&config.hour=1000',
    );
    expect(created.status).toBe(201);
    expect(created.json()).toMatchObject({
      config: { minute: 100, hour: 1000, policy: 'local', limit_by: 'consumer' },
    });
    const changed = await gateway.form('PATCH', `/plugins/${created.json().id}`, 'config.minute=50');
    expect(changed.json()).toMatchObject({ config: { minute: 50, hour: 1000 } });
  });

  test('refuses text in a numeric field', async () => {
    const answer = await gateway.form('POST', '/services/hms/plugins', 'name=rate-limiting&config.minute=many');
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ code: 2, fields: { config: { minute: 'expected a number' } } });
  });

  test('reads multipart bodies', async () => {
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

  test('refuses more than a thousand arguments', async () => {
    const answer = await gateway.form('POST', '/services', Array.from({ length: 1001 }, (_, i) => `a${i}=1`).join('&'));
    expect([answer.status, answer.json()]).toEqual([400, { message: 'Too many arguments' }]);
  });
});

describe('lists', () => {
  test('pages by size and offset, ordered by id', async () => {
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

  test('pages through targets, newest first, while targets are added and deleted', async () => {
    await gateway.make('POST', '/upstreams', { name: 'u' });
    const list = '/upstreams/u/targets';
    for (let port = 1; port <= 12; port += 1) await gateway.make('POST', list, { target: `10.0.0.1:${port}` });
    const all = (await gateway.admin('GET', list)).json().data as { id: string; created_at: number }[];
    const times = all.map(({ created_at }) => created_at);
    expect(times).toEqual([...times].sort((a, b) => b - a));
    const listed: string[] = [];
    let next = `${list}?size=3`;
    while (next) {
      const answer = (await gateway.admin('GET', next)).json() as { data: { id: string }[]; offset?: string };
      listed.push(...answer.data.map(({ id }) => id));
      if (answer.offset === undefined) break;
      expect(answer.offset).toMatch(/^\d+\.\d+$/);
      next = `${list}?size=3&offset=${answer.offset}`;
      // Delete the last listed target and add another.
      await gateway.make('DELETE', `${list}/${listed.at(-1)}`);
      await gateway.make('POST', list, { target: `10.0.0.2:${listed.length}` });
    }
    expect(listed).toEqual(all.map(({ id }) => id));
  });

  test('pages through targets created at the same time', async () => {
    await gateway.make('POST', '/upstreams', { name: 'u' });
    const list = '/upstreams/u/targets';
    for (let port = 1; port <= 5; port += 1)
      await gateway.make('POST', list, { target: `10.0.0.1:${port}`, created_at: 5 + (port % 2) });
    const all = (await gateway.admin('GET', list)).json().data as { id: string; created_at: number }[];
    expect(all.map(({ created_at }) => created_at)).toEqual([6, 6, 6, 5, 5]);
    const deleted: unknown[] = [];
    const idOf = ({ id }: { id: string }) => id;
    for (const size of [1, 2, 3, 4]) {
      const listed: { id: string }[] = [];
      let next: string | null = `${list}?`;
      while (next) {
        const answer = (await gateway.admin('GET', `${next}&size=${size}`)).json();
        const rows = answer.data as { id: string }[];
        listed.push(...rows);
        next = answer.next as string | null;
        // Restored unchanged after the last page.
        const last = rows.at(-1);
        await gateway.make('DELETE', `${list}/${last?.id}`);
        deleted.push(last);
      }
      expect(listed.map(idOf)).toEqual(all.map(idOf));
      for (const row of deleted.splice(0)) await gateway.make('POST', list, row);
    }
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

  test('finds consumers by custom_id', async () => {
    const consumer = await gateway.make('POST', '/consumers', { username: 'a', custom_id: 'h-1' });
    expect((await gateway.admin('GET', '/consumers?custom_id=h-1')).json()).toMatchObject({
      data: [{ id: consumer.id }],
      next: null,
    });
    expect((await gateway.admin('GET', '/consumers?custom_id=h-2')).json()).toEqual({ data: [], next: null });
  });
});

describe('endpoints that are not entities', () => {
  test('GET / returns the version', async () => {
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
