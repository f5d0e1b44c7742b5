import { describe, expect, test } from '@jest/globals';
import { useGateway } from '../testing/setup.ts';
import { toRegExp } from './patterns.ts';

const gateway = useGateway();
const LOOK = 'look-around, including look-ahead and look-behind, is not supported';
const BACK = 'backreferences are not supported';

describe('what Kong’s router refuses', () => {
  test.each([
    ['/a(?=b)', LOOK],
    ['/a(?!b)', LOOK],
    ['/(?<=a)b', LOOK],
    ['/(?<!a)b', LOOK],
    ['/[)](?!b)', LOOK],
    ['/\\[(?!b)', LOOK],
    ['/(a)\\1', BACK],
    ['/(?<n>a)\\k<n>', BACK],
  ])('%s', async (source, error) => {
    expect(toRegExp(source)).toEqual({ error });
    const answer = await gateway.admin('POST', '/routes', { paths: [`~${source}`] });
    expect([answer.status, answer.json()]).toMatchObject([
      400,
      { fields: { paths: [`invalid regex: '${source}' (${error})`] } },
    ]);
    const header = await gateway.admin('POST', '/routes', { headers: { 'x-a': [`~*${source}`] } });
    expect([header.status, header.body.includes(error)]).toEqual([400, true]);
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
])('%s matches %s', (source, path) => {
  const regex = toRegExp(source);
  expect(regex instanceof RegExp && regex.test(path)).toBe(true);
});

test('origins of cors may look around, as in Kong', async () => {
  const { id } = await gateway.make('POST', '/plugins', {
    name: 'cors',
    config: { origins: ['^https://(?!evil)[a-z]+\\.example$'] },
  });
  await gateway.make('DELETE', `/plugins/${id}`);
});
