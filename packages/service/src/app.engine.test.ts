import { gzipSync } from 'node:zlib';
import { connect } from '@hms/database';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { platform } from '../../../test/platform.ts';
import { until } from '../../../test/support/until.ts';
import { exampleModule } from './testing/example.ts';
import { createTestHospital, startTestModule, type TestHospital, type TestModule } from './testing/index.ts';

let module: TestModule;
let mary: TestHospital;
let token: string;

beforeAll(async () => {
  module = await startTestModule({ databaseUrls: platform().databaseUrls, define: () => exampleModule });
  mary = await createTestHospital(module.operator, module.issuer);
  token = await mary.token(['DOCTOR']);
});
afterAll(() => module.close());

const REQUEST_ID = '0b6a3f6e-52a8-4d1f-9c77-3d1f4a6c9f10';
const fail = (how: string) => module.send('POST', `/api/example/fail/${how}`, { token });
const echo = (raw: string | Buffer<ArrayBuffer>, headers: Readonly<Record<string, string>> = {}) =>
  module.send('POST', '/api/example/echo', { raw, headers });

describe('an answer', () => {
  it('keeps or generates the request id, also on errors', async () => {
    const echoed = await module.send('GET', '/api/example/schema', {
      token,
      headers: { 'X-Request-ID': REQUEST_ID },
    });
    expect(echoed.headers.get('X-Request-ID')).toBe(REQUEST_ID);
    for (const id of ['', 'from-gateway-1', `${REQUEST_ID}x`, `${REQUEST_ID} ${REQUEST_ID}`, '{"a":1}']) {
      const generated = await module.send('GET', '/nowhere', { headers: { 'X-Request-ID': id } });
      expect(generated.headers.get('X-Request-ID')).toMatch(/^[0-9a-f-]{36}$/);
      expect(generated.headers.get('X-Request-ID')).not.toBe(REQUEST_ID);
    }
  });

  it('forbids storage, and has neither a Server header nor an ETag', async () => {
    const { headers } = await module.send('GET', '/api/example/schema', { token });
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(headers.get('X-Powered-By')).toBeNull();
    expect(headers.get('ETag')).toBeNull();
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
  });
});

it('cancels a read when its client disconnects', async () => {
  const client = new AbortController();
  const { signal } = client;
  const headers = { authorization: `Bearer ${token}` };
  const reading = fetch(`${module.url}/api/example/endless`, { headers, signal }).catch(() => 'disconnected');
  const superuser = connect(platform().databaseUrls.admin);
  const running = () =>
    superuser('pg_stat_activity').where({ state: 'active' }).where('query', 'like', "SELECT 'endless'%").select('pid');
  await until('the statement', running, ({ length }) => length === 1);
  client.abort();
  expect(await reading).toBe('disconnected');
  await until('no statement', running, ({ length }) => length === 0);
  await superuser.destroy();
});

describe('an error', () => {
  it('that is unexpected reveals nothing else', async () => {
    for (const how of ['code', 'sql']) {
      const { status, success, error } = await fail(how);
      expect({ status, success, error }).toEqual({
        status: 500,
        success: false,
        error: { code: 'INTERNAL_ERROR', message: 'Internal server error', timestamp: expect.stringMatching(/Z$/) },
      });
    }
  });

  it('of a known constraint is mapped by the module', async () => {
    expect(await fail('constraint')).toMatchObject({ status: 409, error: { code: 'EXAMPLE_TAKEN' } });
  });

  it('of a busy database has Retry-After', async () => {
    const answer = await fail('busy');
    expect(answer).toMatchObject({ status: 503, error: { code: 'DATABASE_BUSY' } });
    expect(answer.headers.get('Retry-After')).toBe('1');
  });

  it.each(['{"text":', 'text', '{"text": 1} x', ' '])('reports that %j is not JSON', async (raw) => {
    expect(await echo(raw)).toMatchObject({ status: 400, error: { code: 'MALFORMED_JSON' } });
  });

  it.each([
    ['[]', 'a list'],
    ['null', 'null'],
    ['"text"', 'a string'],
    ['7', 'a number'],
    ['true', 'a boolean'],
  ])('reports that %s is JSON, but not an object', async (raw, is) => {
    expect(await echo(raw)).toMatchObject({
      status: 400,
      error: { code: 'VALIDATION_FAILED', message: `body must be a JSON object, and is ${is}` },
    });
  });

  it.each([
    ['a byte of Latin-1', [0xe9]],
    ['a truncated character', [0xe2, 0x82]],
    ['an overlong form', [0xc0, 0xaf]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
  ])('refuses %s instead of storing something else', async (_what, bytes) => {
    const raw = Buffer.concat([Buffer.from('{"text":"J'), Buffer.from(bytes), Buffer.from('"}')]);
    expect(await echo(raw)).toMatchObject({
      status: 400,
      error: { code: 'MALFORMED_REQUEST', message: expect.stringContaining('not UTF-8') },
    });
  });

  it('accepts UTF-8 with and without a charset, compressed, after a byte order mark, and an empty body', async () => {
    const text = 'Zoë 李 😀';
    const raw = Buffer.from(JSON.stringify({ text }));
    const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), raw]);
    for (const answer of [
      await echo(raw),
      await echo(raw, { 'Content-Type': 'application/json; charset="UTF-8"' }),
      await echo(gzipSync(raw), { 'Content-Encoding': 'gzip' }),
      await echo(marked),
    ]) {
      expect(answer.data<{ body: unknown }>().body).toEqual({ text });
    }
    const empty = await module.send('POST', '/api/example/echo', { headers: { 'Content-Type': 'application/json' } });
    expect(empty.data<{ body: unknown }>().body).toEqual({});
  });

  it('refuses an unsupported media type', async () => {
    const utf16 = await echo('{}', { 'Content-Type': 'application/json; charset=utf-16le' });
    expect(utf16).toMatchObject({ status: 415, error: { code: 'UNSUPPORTED_MEDIA_TYPE' } });
    const form = await echo('text=1', { 'Content-Type': 'application/x-www-form-urlencoded' });
    expect(form).toMatchObject({ status: 415, error: { code: 'UNSUPPORTED_MEDIA_TYPE' } });
    const encoding = await echo('{}', { 'Content-Encoding': 'compress' });
    expect(encoding.error.code).toBe('UNSUPPORTED_MEDIA_TYPE');
  });

  it('refuses a body over 10 MB, and accepts one just below', async () => {
    const text = (length: number) => JSON.stringify({ text: 'a'.repeat(length) });
    expect(await echo(text(10 * 1024 * 1024))).toMatchObject({
      status: 413,
      error: { code: 'PAYLOAD_TOO_LARGE', message: 'The body is too large: send at most 10,485,760 bytes' },
    });
    expect((await echo(text(10 * 1024 * 1024 - 100))).status).toBe(201);
  });

  it('refuses more than a route’s limit, even if it is smaller when compressed', async () => {
    const body = JSON.stringify({ line: ' '.repeat(1024 * 1024) });
    const send = (raw: string | Buffer<ArrayBuffer>, headers = {}) =>
      module.send('POST', '/api/example/note', { raw, headers });
    expect(await send(body)).toMatchObject({ status: 413, error: { code: 'PAYLOAD_TOO_LARGE' } });
    expect(await send(gzipSync(body), { 'Content-Encoding': 'gzip' })).toMatchObject({ status: 413 });
  });

  it('checks the length of a text before it normalises the text', async () => {
    // 400,000 combining marks, the worst case of normalization: sorting them takes 40 s.
    const text = '\u0301\u0323'.repeat(200_000);
    const answer = await module.send('POST', '/api/example/note', { body: { line: text } });
    expect(answer).toMatchObject({
      status: 400,
      error: {
        details: {
          fields: [{ field: 'line', message: 'must have at most 254 characters', code: 'too_long', limit: 254 }],
        },
      },
    });
  });

  it('distinguishes an unknown path, a malformed path and a wrong method', async () => {
    expect(await module.send('GET', '/api/example/nothing', { token })).toMatchObject({
      status: 404,
      error: { code: 'NOT_FOUND' },
    });
    expect(await module.send('POST', '/api/example/fail/%zz', { token })).toMatchObject({
      status: 400,
      error: { code: 'MALFORMED_REQUEST' },
    });
    const wrong = await module.send('DELETE', '/api/example/schema', { token });
    expect(wrong).toMatchObject({ status: 405, error: { code: 'METHOD_NOT_ALLOWED' } });
    expect(wrong.headers.get('Allow')).toBe('GET, HEAD, OPTIONS');
  });
});

describe("the client's address", () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['8.8.8.8, 203.0.113.9', '203.0.113.9'],
    ['203.0.113.9, not-an-address', '127.0.0.1'],
    ['', '127.0.0.1'],
  ])('of X-Forwarded-For "%s" is %s', async (forwarded, address) => {
    const answer = await echo('{}', { 'X-Forwarded-For': forwarded });
    expect(answer.data<{ clientAddress: string }>().clientAddress).toBe(address);
  });
});

describe('operations', () => {
  it('answer without a token', async () => {
    const health = await (await fetch(`${module.url}/health`)).json();
    expect(health).toMatchObject({ status: 'ok', module: 'example', version: '1.2.3' });
    const ready = await fetch(`${module.url}/ready`);
    expect(ready.status).toBe(200);
  });

  it('count requests by path pattern, without hospitals', async () => {
    await module.send('GET', '/api/example/schema', { token });
    await module.send('GET', '/nowhere/at/all');
    const text = await (await fetch(`${module.url}/metrics`)).text();
    expect(text).toMatch(
      /http_request_duration_seconds_count\{.*route="\/api\/example\/schema",status="200".*\} [1-9]/,
    );
    expect(text).toMatch(/http_request_duration_seconds_count\{.*route="unknown",status="404".*\} [1-9]/);
    expect(text).toContain('process_resident_memory_bytes');
    expect(text).not.toContain(mary.hospital.prefix);
  });

  it('describe the routes in OpenAPI 3.1', async () => {
    const document = (await (await fetch(`${module.url}/openapi.json`)).json()) as {
      openapi: string;
      paths: Record<string, Record<string, { responses: object; security: unknown[]; parameters: { name: string }[] }>>;
    };
    expect(document.openapi).toBe('3.1.0');
    const { '/api/example/fail/{how}': fail, '/api/example/list': list, '/api/example/echo': echo } = document.paths;
    expect(Object.keys(fail?.post?.responses ?? {})).toEqual(
      expect.arrayContaining(['200', '400', '401', '403', '409', '500', '503']),
    );
    expect(fail?.post?.security).toEqual([{ bearer: [] }, { query: [] }]);
    expect(echo?.post?.security).toEqual([]);
    expect(list?.get?.parameters.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['page', 'limit', 'sort', 'q', 'from', 'to', 'name']),
    );
  });

  it('describe the routes at the path of the module too, for clients that reach only the gateway', async () => {
    const [own, ofModule] = await Promise.all(
      ['/openapi.json', '/api/example/openapi.json'].map(async (path) => (await fetch(`${module.url}${path}`)).text()),
    );
    expect(ofModule).toBe(own);
  });

  it('report that the module is shutting down', async () => {
    const leaving = await startTestModule({ databaseUrls: platform().databaseUrls, define: () => exampleModule });
    leaving.app.stopping();
    expect((await fetch(`${leaving.url}/ready`)).status).toBe(503);
    expect((await fetch(`${leaving.url}/health`)).status).toBe(503);
    await leaving.close();
  });
});

describe('without PostgreSQL', () => {
  let alone: TestModule | undefined;
  afterEach(() => alone?.close());

  it('requests get 503 with Retry-After, and the module stays healthy and reports what is missing and since when', async () => {
    const { databaseUrls } = platform();
    const started = Date.now();
    alone = await startTestModule({
      databaseUrls: { ...databaseUrls, app: 'postgres://hms_app:x@127.0.0.1:9/hms' },
      identity: module.issuer,
      define: () => exampleModule,
    });
    const answer = await alone.send('GET', '/api/example/schema', { token });
    expect(answer).toMatchObject({ status: 503, error: { code: 'DATABASE_UNAVAILABLE' } });
    expect(answer.headers.get('Retry-After')).toBe('5');
    expect((await fetch(`${alone.url}/health`)).status).toBe(200);

    const first = await fetch(`${alone.url}/ready`);
    expect(first.status).toBe(503);
    type Ready = { checks: { name: string; ok: boolean; problem: string; since: string }[] };
    const { checks } = (await first.json()) as Ready;
    expect(checks).toMatchObject([
      { name: 'database', ok: false, problem: expect.stringContaining('ECONNREFUSED') },
      { name: 'registry', ok: false },
    ]);
    expect(Date.parse(checks[0]?.since ?? '')).toBeGreaterThanOrEqual(started);
    const again = (await (await fetch(`${alone.url}/ready`)).json()) as Ready;
    expect(again.checks[0]?.since).toBe(checks[0]?.since);
  });
});
