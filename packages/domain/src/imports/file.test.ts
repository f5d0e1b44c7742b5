import { expect, it } from '@jest/globals';
import { hasRightCells, openFile } from './file.ts';

const HEADER = 'firstName,lastName,phone,dateOfBirth,street,city';
const ANA = 'Ana,Silva,+351912345678,1980-02-28';
const BO = 'Bo,Li,+351912345679,1981-02-28';

it.each<[string, readonly string[], readonly boolean[]]>([
  ['all cells', [`${ANA},Rua A,Lisboa`], [true]],
  ['empty cells after the last column', [`${ANA},Rua A,Lisboa,,`], [true]],
  ['a value after the last column', [`${ANA},Rua A,Lisboa,x`], [false]],
  ['no optional cells', [ANA, `${BO},Rua B`], [true, true]],
  ['too few cells', ['Ana,Silva,+351912345678', BO], [false, true]],
  ['the end of a line within a cell', [`${ANA},Rua A`, '2 esq,Lisboa', BO], [false, false, true]],
])('a row with %s', async (_what, rows, expected) => {
  const content = Buffer.from([HEADER, ...rows].join('\n')).toString('base64');
  const open = await openFile({ fileName: 'patients.csv', content }, 'PT');
  expect(rows.map((_, at) => hasRightCells(open, at))).toEqual(expected);
});
