/** Which rows a file has. */
import { expect, it } from '@jest/globals';
import { csvLines, separatorOf } from './csv.ts';

it.each<[string, string, (readonly [number, ...string[]])[]]>([
  [
    'plain',
    'a,b\n1,2\n',
    [
      [1, 'a', 'b'],
      [2, '1', '2'],
    ],
  ],
  [
    'an empty row',
    'a,b\n\n ,\n1,2',
    [
      [1, 'a', 'b'],
      [4, '1', '2'],
    ],
  ],
  [
    'several lines in a cell',
    'a,b\r\n"1\r\n1",2\r\n3,4\r\n',
    [
      [1, 'a', 'b'],
      [2, '1\r\n1', '2'],
      [3, '3', '4'],
    ],
  ],
  [
    'a separator',
    '\ufeffsep=;\r\na;b\r\n1;2\r\n',
    [
      [1, 'a', 'b'],
      [2, '1', '2'],
    ],
  ],
  [
    'the end of a file of DOS',
    'a,b\r\n1,2\r\n\x1a',
    [
      [1, 'a', 'b'],
      [2, '1', '2'],
    ],
  ],
])('a file with %s', async (_what, csv, expected) => {
  const rows = await Array.fromAsync(csvLines(csv, separatorOf(csv), 10));
  expect(rows.map(({ line, cells }) => [line, ...cells])).toEqual(expected);
});
