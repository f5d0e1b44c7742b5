import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { escapePath, joinPath, normalizePath } from './path.ts';

describe('normalizePath', () => {
  test.each([
    ['/', '/'],
    ['/a/b', '/a/b'],
    ['/a//b///c', '/a/b/c'],
    ['/a/./b/../c', '/a/c'],
    ['/a/..', '/'],
    ['/a/b/.', '/a/b/'],
    ['/../../x', '/x'],
    ['/%7Eann', '/~ann'],
    ['/%61%62', '/ab'],
    ['/a%2fb', '/a%2Fb'],
    ['/a/%2e%2e/b', '/b'],
    ['/.hidden', '/.hidden'],
    ['/100%', '/100%'],
  ])('%s is %s', (path, normalized) => {
    expect(normalizePath(path)).toBe(normalized);
  });

  test('never leaves a dot segment or an empty one', () => {
    const piece = fc.constantFrom('a', '.', '..', '/', '%2e', '%2E', '%2f', '%41', '//');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const normalized = normalizePath(`/${pieces.join('/')}`);
        expect(normalized).toMatch(/^\//);
        expect(normalized).not.toMatch(/\/\/|\/\.\.?(\/|$)/);
      }),
    );
  });
});

test('escapePath keeps escapes and escapes the rest', () => {
  expect(escapePath('/a b%20c/\u00e9"')).toBe('/a%20b%20c/%E9%22');
});

/** service path, route path, strip_path, request path, path that is sent upstream */
describe('joinPath', () => {
  test.each([
    ['/', '/get', true, '/get', '/'],
    ['/', '/get', true, '/get/', '/'],
    ['/', '/get', true, '/get/more', '/more'],
    ['/', '/get', false, '/get/more', '/get/more'],
    ['/svc', '/get', true, '/get', '/svc'],
    ['/svc', '/get', true, '/get/', '/svc/'],
    ['/svc/', '/get', true, '/get', '/svc'],
    ['/svc/', '/get', true, '/get/more', '/svc/more'],
    ['/svc', '/get', true, '/getmore', '/svc/more'],
    ['/svc', '/get', false, '/get', '/svc/get'],
    ['/svc/', '/get', false, '/get', '/svc/get'],
    ['/svc', '/', false, '/', '/svc'],
    ['/svc', '/get', true, '/get../more', '/svc/more'],
    ['/svc', '/get', true, '/get./more', '/svc/more'],
    ['/svc', '/get', true, '/get..', '/svc'],
    ['/svc', '/get', true, '/get.', '/svc'],
    ['/svc', '/get', true, '/get...', '/svc/...'],
    ['/svc', '/get', true, '/get/..more', '/svc/..more'],
    ['/svc/', '/get/', true, '/get/', '/svc/'],
    ['/svc/', '/', true, '/', '/svc/'],
    ['/svc', '/', true, '/', '/svc'],
    ['/svc', '/', true, '/get', '/svc/get'],
    ['/svc', '/get/', true, '/get/', '/svc/'],
    ['/svc', '/get/', true, '/get/more', '/svc/more'],
    ['/svc/', '/get', true, '/get/', '/svc/'],
    ['/svc/', '/get', true, '/getmore', '/svc/more'],
    ['/', '/get', true, '/getmore', '/more'],
    ['/', '/get/', true, '/get/', '/'],
    // A route that matches by something else than a path strips nothing.
    ['/svc', '', true, '/', '/svc'],
    ['/svc', '', true, '/get/', '/svc/get/'],
    ['/svc/', '', true, '/', '/svc/'],
    ['/svc/', '', true, '/get', '/svc/get'],
  ] as const)('service %s, route %s, strip %s: %s goes to %s', (base, route, strip, path, upstream) => {
    expect(joinPath(base, path, strip ? route.length : 0)).toBe(upstream);
  });
});
