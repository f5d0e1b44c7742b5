/** What Kong 3.9.3 refuses, and with which message. */
import { randomUUID } from 'node:crypto';
import { describe, expect, jest, test } from '@jest/globals';
import { send, sendRaw } from '../testing/harness.ts';
import { useEmptyGateway } from '../testing/setup.ts';

const gateway = useEmptyGateway();
const port = () => gateway.gateway.ports.admin;

test.each([
  ['/services', 1000, 200],
  ['/services', 1001, 400],
  ['/services', 200_000, 400],
  ['/', 1001, 400],
])('%s with %i arguments answers %i', async (path, count, status) => {
  const head = `GET ${path}?${'&'.repeat(Math.min(count, 30_000) - 1)} HTTP/1.0\r\n\r\n`;
  const answer = await sendRaw(port(), head);
  expect(answer?.slice(9, 12)).toBe(String(status));
  if (status === 400) expect(answer).toContain('{"message":"Too many arguments"}');
});

test('a form and a multipart body have the same limit on arguments', async () => {
  const form = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
  const startedAt = performance.now();
  const answer = await send(port(), '/services', { ...form, body: 'a&'.repeat(400_000) });
  expect([answer.status, answer.json()]).toEqual([400, { message: 'Too many arguments' }]);
  const part = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n';
  const multipart = { method: 'POST', headers: { 'content-type': 'multipart/form-data; boundary=b' } };
  const parse = jest.spyOn(Response.prototype, 'formData');
  const parts = await send(port(), '/services', { ...multipart, body: `${part.repeat(150_000)}--b--\r\n` });
  expect([parts.status, parts.json()]).toEqual([400, { message: 'Too many arguments' }]);
  expect(parse).not.toHaveBeenCalled();
  parse.mockRestore();
  expect(performance.now() - startedAt).toBeLessThan(2000);
});

test('a body whose Content-Length is too large is refused before it is sent', async () => {
  const head =
    'POST /services HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99999999\r\n';
  const answer = await sendRaw(port(), `${head}Connection: close\r\n\r\n`, 2000);
  expect(answer === undefined ? 'nothing' : answer.slice(9, 12)).toBe('413');
});

test.each([{}, { 'transfer-encoding': 'chunked' }])(
  'a body of 10 MB passes, one byte more does not: %j',
  async (more) => {
    const post = async (bytes: number) => {
      const headers = { 'content-type': 'application/json', ...more };
      return (await send(port(), '/services', { method: 'POST', headers, body: '{"host":"h"}'.padEnd(bytes) })).status;
    };
    expect([await post(10 * 1024 * 1024), await post(10 * 1024 * 1024 + 1)]).toEqual([201, 413]);
  },
);

test.each([
  ['FOO', '/services', 405, 'Method not allowed'],
  ['FOO', '/services/none/routes?a=b', 405, 'Method not allowed'],
  ['FOO', '/metrics', 405, 'Method not allowed'],
  ['FOO', '/nothing', 404, 'Not found'],
  ['PROPFIND', '/services', 405, 'Method not allowed'],
])('the method %s of %s answers %i', async (method, path, status, message) => {
  const answer = await sendRaw(port(), `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  expect(answer?.slice(9, 12)).toBe(String(status));
  expect(answer).toMatch(new RegExp(`\\r\\n\\r\\n\\{"message":"${message}"\\}$`));
});

test('DELETE of the service of a route checks first that both exist', async () => {
  const remove = async (route: string) => (await gateway.admin('DELETE', `/routes/${route}/service`)).status;
  await gateway.make('POST', '/services', { name: 's', host: 'h' });
  await gateway.make('POST', '/routes', { name: 'with', paths: ['/'], service: { name: 's' } });
  await gateway.make('POST', '/routes', { name: 'without', paths: ['/'] });
  expect(await Promise.all(['none', 'without', 'with'].map(remove))).toEqual([404, 404, 405]);
});

describe('an upstream', () => {
  const conditional = (field: string) => ({
    '@entity': [`failed conditional validation given value of field '${field}'`],
  });
  const distinct = (on: string, fallback: string) => ({
    '@entity': [`values of these fields must be distinct: '${on}', '${fallback}'`],
  });
  const othersThan = (input: string) => {
    const inputs = ['none', 'consumer', 'ip', 'header', 'cookie', 'path', 'query_arg', 'uri_capture'];
    return `expected one of: ${inputs.filter((each) => each !== input).join(', ')}`;
  };

  test.each<[object, object]>([
    ...['consumer', 'ip', 'path'].map((input): [object, object] => [
      { hash_on: input, hash_fallback: input },
      { ...conditional('hash_on'), hash_fallback: othersThan(input) },
    ]),
    [
      { hash_on: 'header', hash_fallback: 'header', hash_on_header: 'a', hash_fallback_header: 'a' },
      distinct('hash_on_header', 'hash_fallback_header'),
    ],
    [
      { hash_on: 'query_arg', hash_fallback: 'query_arg', hash_on_query_arg: 'a', hash_fallback_query_arg: 'a' },
      distinct('hash_on_query_arg', 'hash_fallback_query_arg'),
    ],
    [
      {
        hash_on: 'uri_capture',
        hash_fallback: 'uri_capture',
        hash_on_uri_capture: 'a',
        hash_fallback_uri_capture: 'a',
      },
      distinct('hash_on_uri_capture', 'hash_fallback_uri_capture'),
    ],
    [
      { hash_on: 'cookie', hash_on_cookie: 'not a <> valid' },
      {
        hash_on_cookie: "bad cookie name 'not a <> valid', allowed characters are A-Z, a-z, 0-9, '_', and '-'",
      },
    ],
    [
      { hash_on: 'header', hash_on_header: 'a!b' },
      { hash_on_header: "bad header name 'a!b', allowed characters are A-Z, a-z, 0-9, '_', and '-'" },
    ],
    [
      { hash_on: 'ip', hash_fallback: 'header', hash_fallback_header: 'a!b' },
      { hash_fallback_header: "bad header name 'a!b', allowed characters are A-Z, a-z, 0-9, '_', and '-'" },
    ],
    ...[{ hash_on: 'none' }, { hash_on: 'cookie', hash_on_cookie: 'a' }].map((config): [object, object] => [
      { ...config, hash_fallback: 'ip' },
      { ...conditional('hash_on'), hash_fallback: 'expected one of: none' },
    ]),
    ...['header', 'cookie', 'query_arg', 'uri_capture'].map((input): [object, object] => [
      { hash_on: 'ip', hash_fallback: input },
      {
        ...conditional('hash_fallback'),
        [input === 'cookie' ? 'hash_on_cookie' : `hash_fallback_${input}`]: 'required field missing',
      },
    ]),
  ])('with %j is refused', async (config, fields) => {
    const answer = await gateway.admin('POST', '/upstreams', { name: 'u', ...config });
    expect([answer.status, answer.json()]).toMatchObject([400, { code: 2, fields }]);
  });

  test.each([
    { hash_on: 'header', hash_fallback: 'header', hash_on_header: 'a', hash_fallback_header: 'b' },
    { hash_on: 'ip', hash_fallback: 'cookie', hash_on_cookie: 'a_b-C1' },
  ])('with %j is accepted', async (config) => {
    await gateway.make('POST', '/upstreams', { name: 'u', ...config });
  });
});

describe('a link', () => {
  const route = (service: unknown, more: object = {}) =>
    gateway.admin('POST', '/routes', { paths: ['/'], service, ...more });
  const missing = { service: { id: 'missing primary key' } };
  const badName = "invalid value '\\o/': the only accepted ascii characters are alphanumerics or ., -, _, and ~";

  test.each<[unknown, object]>([
    [{}, missing],
    [[], missing],
    [{ id: null }, missing],
    [{ name: null }, missing],
    [{ protocol: 'http' }, missing],
    [{ id: 5 }, { service: { id: 'expected a string' } }],
    [{ id: 'x' }, { service: { id: 'expected a valid UUID' } }],
    [{ name: '' }, { service: { name: 'length must be at least 1' } }],
    [{ name: 5 }, { service: { name: 'expected a string' } }],
    [{ name: '\\o/' }, { service: { name: badName } }],
    ['x', { service: 'expected a record' }],
  ])('of %j is refused', async (service, fields) => {
    const answer = await route(service);
    expect([answer.status, answer.json()]).toEqual([
      400,
      { code: 2, name: 'schema violation', message: expect.any(String), fields },
    ]);
  });

  test('is resolved only when everything else is valid', async () => {
    const both = await route({ name: 'none' }, { protocols: ['foo'] });
    expect(both.json()).toMatchObject({ code: 2, fields: { protocols: [expect.any(String)] } });
    expect((both.json() as { fields: object }).fields).not.toHaveProperty('service');
    const invalid = await route({ name: '\\o/' }, { protocols: ['foo'] });
    expect(invalid.json()).toMatchObject({
      message: expect.stringMatching(/^2 schema violations \(protocols\.1: .*; service\.name: /),
    });
    expect((await route({ name: 'none' })).json()).toMatchObject({ code: 13 });
  });

  test('may name any unique field of the entity', async () => {
    const consumer = await gateway.make('POST', '/consumers', { username: 'u', custom_id: 'c' });
    const created = await gateway.make('POST', '/acls', { group: 'g', consumer: { custom_id: 'c' } });
    expect(created.consumer).toEqual({ id: consumer.id });
    const unknown = await gateway.admin('POST', '/acls', { group: 'g', consumer: { id: randomUUID() } });
    expect(unknown.json()).toMatchObject({ code: 4 });
  });

  test('that is empty in a form counts as missing', async () => {
    const answer = await gateway.form('POST', '/routes', 'paths[]=/&service.name=');
    expect([answer.status, answer.json()]).toMatchObject([400, { fields: missing }]);
  });
});

test.each(['multipart/form-data', 'multipart/form-data; boundary=b', 'application/x-www-form-urlencoded'])(
  'an empty body of %s has no fields',
  async (type) => {
    await gateway.make('POST', '/consumers', { username: 'u' });
    const answer = await send(port(), '/consumers/u/jwt', { method: 'POST', headers: { 'content-type': type } });
    expect(answer.status).toBe(201);
  },
);
