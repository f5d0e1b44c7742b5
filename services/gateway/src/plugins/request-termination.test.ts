/** What request-termination echoes of a request. */
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { send, sendRaw } from '../testing/harness.ts';
import { useGateway } from '../testing/setup.ts';

const gateway = useGateway();

beforeAll(async () => {
  await gateway.make('PUT', '/services/s', { host: '127.0.0.1' });
});
beforeEach(async () => {
  await gateway.make('DELETE', '/routes/r');
  await gateway.make('PUT', '/routes/r', { paths: ['~/v(\\d)/(?<name>[^/]+)', '/'], service: { name: 's' } });
});

const echo = (config: object = {}) =>
  gateway.make('POST', '/routes/r/plugins', { name: 'request-termination', config: { echo: true, ...config } });
const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };
const multipart = { 'content-type': 'multipart/form-data; boundary=x' };
const part = (name: string, value: string, more = '') =>
  `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
const parts = `${part('a', '1')}${part('b', 'two', '; filename="b.txt"')}${part('a', '2')}--x--\r\n`;
const large = 'x'.repeat(8 * 1024 + 1);

test('echoes the complete request', async () => {
  await echo({ status_code: 404, message: 'seen' });
  const answer = await send(gateway.proxy, '/v1/./st%2Dm%C3%A4ry?a=1', {
    method: 'PUT',
    headers: { host: 'St-Mary.localhost', 'x-own': ['1', '2'] },
    body: 'cool body',
  });
  expect([answer.status, answer.headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
  expect(answer.json()).toEqual({
    message: 'seen',
    kong: { node_id: expect.stringMatching(/^[0-9a-f-]{36}$/), worker_pid: process.pid, hostname: expect.any(String) },
    request: {
      scheme: 'http',
      host: 'st-mary.localhost',
      port: gateway.proxy,
      method: 'PUT',
      path: '/v1/st-märy',
      headers: expect.objectContaining({ host: 'St-Mary.localhost', 'x-own': ['1', '2'], 'content-length': '9' }),
      query: { a: '1' },
      raw_body: 'cool body',
      uri_captures: { named: { name: 'st-märy' }, unnamed: ['1', 'st-märy'] },
    },
    matched_route: expect.objectContaining({ name: 'r', service: { id: expect.any(String) } }),
    matched_service: expect.objectContaining({ name: 's' }),
  });
});

describe('the body', () => {
  test.each<[string, Record<string, string>, string, object]>([
    ['none', {}, '', { raw_body: '' }],
    ['text', { 'content-type': 'text/plain' }, 'äö', { raw_body: 'äö' }],
    ['JSON', json, '{"a":[1,{"b":null}]}', { raw_body: '{"a":[1,{"b":null}]}', body: { a: [1, { b: null }] } }],
    ['malformed JSON', json, '{', { raw_body: '{' }],
    [
      'a form',
      form,
      'a=1&b=x+y&a=%32&c',
      { raw_body: 'a=1&b=x+y&a=%32&c', body: { a: ['1', '2'], b: 'x y', c: true } },
    ],
    ['multipart', multipart, parts, { raw_body: parts, body: { a: ['1', '2'], b: 'two' } }],
    ['JSON that is not a table', json, '"x"', { raw_body: '"x"' }],
    ['malformed multipart', multipart, 'x', { raw_body: 'x' }],
    ['chunks', { ...json, 'transfer-encoding': 'chunked' }, '[]', { raw_body: '[]', body: [] }],
    ['of the size of nginx’s buffer', {}, large.slice(1), { raw_body: large.slice(1) }],
    ['larger', {}, large, {}],
    ['larger, in chunks', { 'transfer-encoding': 'chunked' }, large, {}],
  ])('%s', async (_name, headers, body, expected) => {
    await echo();
    const answer = await send(gateway.proxy, '/', { method: 'POST', headers, body });
    const { raw_body, body: parsed } = answer.json().request as { raw_body?: string; body?: unknown };
    expect([answer.status, { raw_body, body: parsed }]).toEqual([503, { raw_body: undefined, ...expected }]);
  });

  test('is requested from a client that waits for 100 Continue', async () => {
    await echo();
    const head = 'POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n';
    const answer = await sendRaw(gateway.proxy, `${head}cool`);
    expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 503 [\s\S]*"raw_body":"cool"/);
  });

  test('of a client that disconnects midway causes no error', async () => {
    await echo();
    const half = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nco';
    expect(await sendRaw(gateway.proxy, half, 100)).toBeUndefined();
    expect((await gateway.get('/')).json()).toMatchObject({ request: { raw_body: '' } });
  });
});

test.each<[string, object]>([
  ['', {}],
  ['?a=1&b=&c&a=2', { a: ['1', '2'], b: '', c: true }],
  ['?constructor=1&__proto__=2&toString', JSON.parse('{"constructor":"1","__proto__":"2","toString":true}')],
  ['?=1&%20=x%26y', { ' ': 'x&y' }],
])('the query "%s"', async (query, expected) => {
  await echo();
  const answer = await gateway.get(`/${query}`);
  expect(answer.status).toBe(503);
  expect((answer.json().request as { query: object }).query).toEqual(expected);
});

test('headers include the changes of earlier plugins', async () => {
  await gateway.make('POST', '/routes/r/plugins', {
    name: 'correlation-id',
    config: { header_name: 'X-Request-ID', generator: 'uuid' },
  });
  await echo();
  const { request } = (await gateway.get('/')).json() as { request: { headers: Record<string, string> } };
  expect(request.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
});

test.each<[string, Record<string, string>, boolean]>([
  ['/', {}, false],
  ['/', { 'x-debug': '' }, true],
  ['/', { 'X-Debug': '1' }, true],
  ['/?X-Debug', {}, true],
  ['/?X-Debug=1', {}, true],
])('with a trigger, %s with %j: echoed %s', async (path, headers, isEchoed) => {
  await echo({ trigger: 'X-Debug', status_code: 418 });
  expect((await gateway.get(path, { headers })).status === 418).toBe(isEchoed);
});

test('a handshake is echoed too', async () => {
  await echo();
  const answer = await sendRaw(
    gateway.proxy,
    'GET /x HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  );
  expect(answer).toMatch(/^HTTP\/1\.1 503 [\s\S]*"path":"\/x"[\s\S]*"raw_body":""/);
});
