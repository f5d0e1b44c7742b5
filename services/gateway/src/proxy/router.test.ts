import { describe, expect, test } from '@jest/globals';
import { type Route, routes as schema } from '../entities/routes.ts';
import { complete } from '../store/complete.ts';
import { useClosing, useGateway, useServe } from '../testing/setup.ts';
import { Router } from './router.ts';

const gateway = useGateway();
const serve = useServe(gateway, useClosing());

const ids = [
  '00000000-0000-4000-8000-000000000001',
  '00000000-0000-4000-8000-000000000002',
  '00000000-0000-4000-8000-000000000003',
];

interface RequestPart {
  readonly method?: string;
  readonly host?: string;
  readonly path?: string;
  readonly scheme?: 'http' | 'https';
  readonly sni?: string;
  readonly headers?: Record<string, string | string[]>;
}

/** The name of the route that a request matches. */
function find(routes: Record<string, object>, request: RequestPart): string | undefined {
  const entries = Object.entries(routes).map(([name, fields], index) => {
    const route = complete(schema, { id: ids[index], name, ...fields }, undefined) as unknown as Route;
    return { route, target: name };
  });
  return new Router(entries).find({
    method: request.method ?? 'GET',
    scheme: request.scheme ?? 'http',
    host: request.host ?? 'localhost',
    port: 8000,
    path: request.path ?? '/',
    sni: request.sni,
    headerValues: (name) => [request.headers?.[name] ?? []].flat(),
  })?.target;
}

test('a stored path that is no longer a valid expression matches nothing, and does not affect the route’s other paths', () => {
  const route = complete(schema, { id: ids[0], name: 'old', paths: ['/one'] }, undefined) as unknown as Route;
  const router = new Router([{ route: { ...route, paths: ['~/(?=two)', '/one'] }, target: 'old' }]);
  const ask = (path: string) =>
    router.find({
      ...{ method: 'GET', scheme: 'http', host: 'a', port: 80, sni: undefined },
      path,
      headerValues: () => [],
    });
  expect(ask('/two')).toBeUndefined();
  expect(ask('/one')?.target).toBe('old');
});

describe('which route a request matches', () => {
  test.each<[string, Record<string, object>, RequestPart, string | undefined]>([
    ['no route, no match', {}, {}, undefined],
    ['a prefix is not a segment', { hms: { paths: ['/api/hms'] } }, { path: '/api/hmsX' }, 'hms'],
    ['paths are case-sensitive', { hms: { paths: ['/api/hms'] } }, { path: '/API/hms' }, undefined],
    ['the longer prefix wins', { root: { paths: ['/'] }, hms: { paths: ['/api/hms'] } }, { path: '/api/hms/x' }, 'hms'],
    [
      'host and path beat a longer path',
      { long: { paths: ['/api/hms/patients'] }, tenant: { hosts: ['st-mary.localhost'], paths: ['/api'] } },
      { host: 'st-mary.localhost', path: '/api/hms/patients' },
      'tenant',
    ],
    [
      'a plain host beats a wildcard',
      { wild: { hosts: ['*.localhost'], paths: ['/api/long'] }, plain: { hosts: ['a.localhost'], paths: ['/api'] } },
      { host: 'a.localhost', path: '/api/long' },
      'plain',
    ],
    ['a wildcard needs a label', { wild: { hosts: ['*.localhost'] } }, { host: '.localhost' }, undefined],
    ['a wildcard on the right', { wild: { hosts: ['api.*'] } }, { host: 'api.example.org' }, 'wild'],
    ['hosts are case-insensitive', { upper: { hosts: ['St-Mary.localhost'] } }, { host: 'st-mary.localhost' }, 'upper'],
    ['the port of a host is the listener’s', { port: { hosts: ['localhost:8000'] } }, {}, 'port'],
    ['another port', { port: { hosts: ['localhost:8443'] } }, {}, undefined],
    [
      'a regex beats a prefix',
      { prefix: { paths: ['/patients/123'] }, regex: { paths: ['~/patients/(?<id>\\d+)'] } },
      { path: '/patients/123' },
      'regex',
    ],
    ['a regex is anchored', { regex: { paths: ['~/\\d+'] } }, { path: '/a/1' }, undefined],
    [
      'regex_priority decides between regexes',
      { low: { paths: ['~/a'], regex_priority: 1 }, high: { paths: ['~/a'], regex_priority: 5 } },
      { path: '/a' },
      'high',
    ],
    [
      'methods count as an attribute',
      { any: { paths: ['/a/long'] }, post: { paths: ['/a'], methods: ['POST'] } },
      { method: 'POST', path: '/a/long' },
      'post',
    ],
    ['another method', { post: { paths: ['/a'], methods: ['POST'] } }, { path: '/a' }, undefined],
    [
      'headers: any of the values, case-insensitive',
      { version: { headers: { 'X-Version': ['v1', 'v2'] } } },
      { headers: { 'x-version': 'V2' } },
      'version',
    ],
    [
      'headers: a regex',
      { version: { headers: { 'X-Version': ['~*^v\\d$'] } } },
      { headers: { 'x-version': 'V9' } },
      'version',
    ],
    ['headers: any of several lines', { a: { headers: { x: ['a'] } } }, { headers: { x: ['b', 'A'] } }, 'a'],
    ['headers: lines are not joined', { a: { headers: { x: ['a, b'] } } }, { headers: { x: ['a', 'b'] } }, undefined],
    [
      'headers: all names must match',
      { both: { headers: { a: ['1'], b: ['2'] } } },
      { headers: { a: '1' } },
      undefined,
    ],
    [
      'more headers win',
      { one: { headers: { a: ['1'] } }, two: { headers: { a: ['1'], b: ['2'] } } },
      { headers: { a: '1', b: '2' } },
      'two',
    ],
    [
      'snis on https',
      { sni: { snis: ['a.example'], protocols: ['https'] } },
      { scheme: 'https', sni: 'b.example' },
      undefined,
    ],
    [
      'a plain host beats more attributes',
      { more: { methods: ['GET'], paths: ['/a'] }, host: { hosts: ['localhost'] } },
      { path: '/a' },
      'host',
    ],
    [
      'an expression beats more attributes and a longer prefix',
      { more: { methods: ['GET'], paths: ['/a/long'] }, regex: { paths: ['~/a'] } },
      { path: '/a/long' },
      'regex',
    ],
    [
      'headers beat more attributes',
      { more: { methods: ['GET'], paths: ['/a'] }, headers: { headers: { x: ['1'] } } },
      { path: '/a', headers: { x: '1' } },
      'headers',
    ],
    [
      'a plain host beats an expression',
      { regex: { methods: ['GET'], paths: ['~/a'] }, host: { hosts: ['localhost'] } },
      { path: '/a' },
      'host',
    ],
    [
      'an expression beats headers',
      { headers: { headers: { x: ['1'] }, paths: ['/a'] }, regex: { paths: ['~/a'] } },
      { path: '/a', headers: { x: '1' } },
      'regex',
    ],
    [
      'more attributes beat regex_priority',
      { priority: { paths: ['~/a'], regex_priority: 5 }, more: { methods: ['GET'], paths: ['~/a'] } },
      { path: '/a' },
      'more',
    ],
    [
      'more headers beat more attributes',
      { two: { headers: { a: ['1'], b: ['2'] } }, more: { headers: { a: ['1'] }, methods: ['GET'], paths: ['/a'] } },
      { path: '/a', headers: { a: '1', b: '2' } },
      'two',
    ],
    [
      'a plain host beside a wildcard counts as a wildcard',
      { mixed: { hosts: ['localhost', '*.localhost'] }, more: { methods: ['GET'], paths: ['/a'] } },
      { path: '/a' },
      'more',
    ],
    [
      'hosts count as an attribute',
      { long: { paths: ['/a/long'] }, wild: { hosts: ['*.localhost'], paths: ['/a'] } },
      { host: 'a.localhost', path: '/a/long' },
      'wild',
    ],
    [
      'snis count as an attribute',
      { long: { paths: ['/a/long'] }, sni: { snis: ['a.example'], paths: ['/a'], protocols: ['https'] } },
      { scheme: 'https', sni: 'a.example', path: '/a/long' },
      'sni',
    ],
    ['any path of a route', { two: { paths: ['/a', '/b/c'] } }, { path: '/b/c/d' }, 'two'],
  ])('%s', (_name, routes, request, expected) => {
    expect(find(routes, request)).toBe(expected);
    // Their ids decide only between equals.
    expect(find(Object.fromEntries(Object.entries(routes).reverse()), request)).toBe(expected);
  });

  test('a tie goes to the greater id', () => {
    expect(find({ first: { paths: ['/a'] }, second: { paths: ['/a'] } }, { path: '/a' })).toBe('second');
  });
});

test.each([
  [['~/a', '~/a/b', '~/a/b/c'], '/b/c'],
  [['~/a/b/c', '~/a/b', '~/a'], '/'],
  [['~/x', '~/a/b', '~/a'], '/c'],
])('the first matching expression of %j is stripped', async (paths, url) => {
  const upstream = await serve(undefined, { paths });
  await gateway.get('/a/b/c');
  expect(upstream.requests.map((each) => each.url)).toEqual([url]);
});

test('a route with very many hosts and paths is matched by each of them', () => {
  const hosts = Array.from({ length: 2_000 }, (_, index) => `h${index}.example`);
  const paths = Array.from({ length: 2_000 }, (_, index) => `/p${index}/`);
  const routes = { many: { hosts, paths }, host: { hosts: ['h7.example'] } };
  expect(find(routes, { host: 'h7.example', path: '/p1999/x' })).toBe('many');
  expect(find(routes, { host: 'h7.example', path: '/q' })).toBe('host');
  expect(find(routes, { host: 'other.example', path: '/p1999/x' })).toBeUndefined();
});

test.each([
  [['a', 'b'], 200],
  [['b', 'A'], 200],
  [['b'], 404],
])('X-Foo in the lines %j', async (lines, status) => {
  await serve(undefined, { headers: { 'x-foo': ['a'] } });
  expect((await gateway.get('/', { headers: { 'X-Foo': lines } })).status).toBe(status);
});
