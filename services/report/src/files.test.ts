/** What a spreadsheet program finds in a workbook: values that it can sum and sort, written as the hospital does. */
import { expect, it } from '@jest/globals';
import { unzipSync } from 'fflate';
import { type Table, workbook } from './files.ts';

const COLUMNS: Table['columns'] = [
  { name: 'at', title: 'Time', kind: 'moment' },
  { name: 'day', title: 'Day', kind: 'day' },
  { name: 'total', title: 'Total', kind: 'money' },
  { name: 'share', title: 'Share', kind: 'share' },
  { name: 'name', title: 'Name', kind: 'text' },
];
const ROW = ['2026-03-01T18:00:00+07:00', '2026-03-01', 1234.567, 0.25, '=1+1'];
/** Of spreadsheets: days since 30 December 1899. */
const FIRST_OF_MARCH = 46_082;

async function partsOf(currency: string, row: readonly (string | number | null)[]) {
  const files = unzipSync(await workbook('Revenue', { columns: COLUMNS, rows: [row] }, 'en', currency));
  const text = (name: string) => Buffer.from(files[name] ?? []).toString();
  const sheet = text('xl/worksheets/sheet1.xml');
  const cell = (name: string) => new RegExp(`<c r="${name}"[^>]*?(?:/>|>.*?</c>)`).exec(sheet)?.[0];
  const numbers = ['A2', 'B2', 'C2', 'D2'].map((name) => Number(/<v>(.*?)<\/v>/.exec(cell(name) ?? '')?.[1]));
  const formats = [...text('xl/styles.xml').matchAll(/formatCode="(.*?)"/g)].map(([, format]) => format);
  return { sheet, numbers, formats };
}

it('has days, times by the clock of the hospital, and amounts with the digits of the currency', async () => {
  const { sheet, numbers, formats } = await partsOf('KWD', ROW);
  expect(numbers).toEqual([FIRST_OF_MARCH + 0.75, FIRST_OF_MARCH, 1234.567, 0.25]);
  expect(formats).toEqual(expect.arrayContaining(['yyyy-mm-dd hh:mm', 'yyyy-mm-dd', '#,##0.000', '0.0%']));
  expect((await partsOf('JPY', ROW)).formats).toContain('#,##0');
  // A text, whatever it begins with.
  expect(sheet).not.toContain('<f>');
});

it('has empty cells for what is not known', async () => {
  expect((await partsOf('EUR', [null, null, null, null, null])).numbers).toEqual([NaN, NaN, NaN, NaN]);
});
