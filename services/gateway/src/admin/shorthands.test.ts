/** Fields with a former name: `config.redis_host` of rate-limiting is `config.redis.host`. */
import { beforeEach, expect, test } from '@jest/globals';
import { useEmptyGateway } from '../testing/setup.ts';

const gateway = useEmptyGateway();
let id: string;

beforeEach(async () => {
  ({ id } = await gateway.make('POST', '/plugins', { name: 'rate-limiting', config: { minute: 1 } }));
});

const change = (method: string, config: object) =>
  gateway.admin(method, `/plugins/${id}`, { name: 'rate-limiting', config: { minute: 1, ...config } });
const defaults = { host: null, port: 6379, timeout: 2000, username: null, password: null, database: 0 };
const redisDefaults = { ...defaults, ssl: false, ssl_verify: false, server_name: null };

/** A configuration as the API returns it: each value under both names. */
function withBothNames(changed: object) {
  const redis = { ...redisDefaults, ...changed };
  return { redis, ...Object.fromEntries(Object.entries(redis).map(([name, value]) => [`redis_${name}`, value])) };
}

test.each<[object, object]>([
  [{}, {}],
  [{ redis_host: 'a' }, { host: 'a' }],
  [{ redis: { host: 'a' } }, { host: 'a' }],
  [
    { redis: { port: 1 }, redis_host: 'a' },
    { host: 'a', port: 1 },
  ],
  [{ redis: { host: 'a' }, redis_host: 'a' }, { host: 'a' }],
  [{ redis: { host: 'a' }, redis_host: null }, { host: 'a' }],
  [{ redis: null, redis_host: 'a' }, { host: 'a' }],
  [{ redis: { ssl: false }, redis_ssl: true }, {}],
  [{ redis_port: null }, { port: null }],
  [{ redis_password: '' }, { password: '' }],
  [
    { redis_port: 1, redis_username: 'u', redis_ssl: true, redis_ssl_verify: true, redis_server_name: 's' },
    { port: 1, username: 'u', ssl: true, ssl_verify: true, server_name: 's' },
  ],
  [
    { redis_timeout: 5, redis_database: 2 },
    { timeout: 5, database: 2 },
  ],
])('%j is stored in the fields that it stands for', async (config, redis) => {
  for (const method of ['PUT', 'PATCH']) {
    const answer = await change(method, config);
    expect([answer.status, answer.json().config]).toMatchObject([200, withBothNames(redis)]);
    expect((await gateway.admin('GET', `/plugins/${id}`)).json()).toEqual(answer.json());
  }
});

test.each<[object, object]>([
  [{ redis_host: 'b' }, { host: 'b', port: 1 }],
  [{ redis: { host: 'b' } }, { host: 'b', port: 1 }],
  [{ redis: { port: 2 } }, { host: 'a', port: 2 }],
  [{ redis_host: null }, { host: null, port: 1 }],
  [{}, { host: 'a', port: 1 }],
])('a change of %j takes effect under either name', async (config, redis) => {
  await change('PUT', { redis_host: 'a', redis: { port: 1 } });
  const answer = await change('PATCH', config);
  expect([answer.status, answer.json().config]).toMatchObject([200, withBothNames(redis)]);
});

test.each<[object, object]>([
  [
    { redis_host: 'a', redis: { host: 'b' } },
    {
      redis_host: 'both deprecated and new field are used but their values mismatch: redis_host = a vs redis.host = b',
    },
  ],
  [
    { redis_host: 'a', redis: { host: { toString: 1 } } },
    { redis_host: expect.stringContaining('redis.host = {"toString":1}') },
  ],
  [{ redis_port: 'many' }, { redis_port: 'expected an integer' }],
  [{ redis_port: 70_000 }, { redis: { port: 'value should be between 0 and 65535' } }],
  [{ redis_nothing: 1 }, { redis_nothing: 'unknown field' }],
])('%j is refused', async (config, errors) => {
  for (const method of ['PUT', 'PATCH']) {
    const answer = await change(method, config);
    expect([answer.status, answer.json()]).toMatchObject([400, { code: 2, fields: { config: errors } }]);
  }
});

test('a form may use them, and rules apply to the fields that they stand for', async () => {
  const form = 'name=rate-limiting&config.minute=5';
  const refused = await gateway.form('PUT', `/plugins/${id}`, `${form}&config.policy=redis`);
  expect([refused.status, refused.json()]).toMatchObject([
    400,
    { fields: { config: { redis: { host: 'required field missing' } } } },
  ]);
  const replaced = await gateway.form('PUT', `/plugins/${id}`, `${form}&config.redis_host=a&config.redis_port=7`);
  expect([replaced.status, replaced.json().config]).toMatchObject([200, withBothNames({ host: 'a', port: 7 })]);
});

test('the schema names the fields that they stand for', async () => {
  const { fields } = (await gateway.admin('GET', '/schemas/plugins/rate-limiting')).json() as {
    fields: { config?: { fields: object[]; shorthand_fields: object[] } }[];
  };
  const config = fields.find((field) => 'config' in field)?.config;
  expect(config?.fields.map((field) => Object.keys(field)[0])).not.toContain('redis_host');
  expect(config?.shorthand_fields).toHaveLength(9);
  expect(config?.shorthand_fields[0]).toEqual({
    redis_host: {
      type: 'string',
      translate_backwards: ['redis', 'host'],
      deprecation: {
        message: 'rate-limiting: config.redis_host is deprecated, please use config.redis.host instead',
        removal_in_version: '4.0',
        replaced_with: [{ path: ['redis', 'host'] }],
      },
    },
  });
});
