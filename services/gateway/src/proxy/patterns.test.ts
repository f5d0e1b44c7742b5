import { describe, expect, test } from '@jest/globals';
import { useClosing, useGateway, useServe } from '../testing/setup.ts';
import { compile } from './patterns.ts';

const gateway = useGateway();
const serve = useServe(gateway, useClosing());

describe('what Kong’s router refuses', () => {
  test.each([
    ['/a(?=b)', '(?='],
    ['/a(?!b)', '(?!'],
    ['/(?<=a)b', '(?<='],
    ['/(?<!a)b', '(?<!'],
    ['/[)](?!b)', '(?!'],
    ['/\\[(?!b)', '(?!'],
    ['/(a)\\1', '\\1'],
    ['/(?<n>a)\\k<n>', '\\k'],
    ['/a)|(b', 'unexpected )'],
    ['/(?:a{1,100}){1,100}', 'invalid repeat count'],
    [`/${'[ab].?'.repeat(1000)}`, 'too large'],
    [`/${'('.repeat(5000)}${')'.repeat(5000)}`, 'nests too deeply'],
  ])('%s', async (source, error) => {
    expect(compile(source)).toEqual({ error: expect.stringContaining(error) });
    const answer = await gateway.admin('POST', '/routes', { paths: [`~${source}`] });
    expect([answer.status, answer.json()]).toMatchObject([
      400,
      { fields: { paths: [expect.stringMatching(/^invalid regex: /)] } },
    ]);
    const header = await gateway.admin('POST', '/routes', { headers: { 'x-a': [`~*${source}`] } });
    expect([header.status, header.json().message]).toEqual([400, expect.stringContaining(error)]);
    const origin = await gateway.admin('POST', '/plugins', { name: 'cors', config: { origins: [source] } });
    expect([origin.status, origin.json().message]).toEqual([400, expect.stringContaining(error)]);
  });
});

test.each([
  ['/(?<id>\\d+)', '/12'],
  ['/(?P<id>\\d+)', '/12'],
  ['/(?:a|b)', '/b'],
  ['/[(?=]', '/?'],
  ['/\\(?!', '/(!'],
  ['/a\\\\1', '/a\\1'],
  ['(?i)/A', '/a'],
  ['/\\pL\\z', '/a'],
  ['/[[:alpha:]]+$', '/ab'],
])('%s matches %s', (source, path) => {
  for (const anchored of [true, false]) expect(compile(source, anchored).pattern?.test(path)).toBe(true);
});

test('the time of a match is linear in the length of the text', async () => {
  const evil = { paths: ['~/redos/(a+)+$', '/open'], headers: { 'x-a': ['~*^(b|b)*$', 'plain'] } };
  await serve(undefined, evil);
  await gateway.make('POST', '/routes/r/plugins', { name: 'cors', config: { origins: ['(c+)+:d', '^(c|c)*$'] } });
  const long = { headers: { 'x-a': `${'b'.repeat(7000)}!`, origin: `${'c'.repeat(7000)}!` } };
  const startedAt = performance.now();
  expect((await gateway.get(`/redos/${'a'.repeat(7000)}!`, long)).status).toBe(404);
  expect((await gateway.get('/open', { headers: { ...long.headers, 'x-a': 'plain' } })).status).toBe(200);
  expect(performance.now() - startedAt).toBeLessThan(5000);
});
