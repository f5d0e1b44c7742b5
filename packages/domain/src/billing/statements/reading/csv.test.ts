import { describe, expect, it } from '@jest/globals';
import { readCsv } from './csv.ts';
import type { CsvMapping } from './mapping.ts';
import { StatementError } from './statement.ts';
import { sumDifference } from './sums.ts';

const mapping: CsvMapping = {
  separator: ';',
  decimal: ',',
  group: '.',
  dateFormat: 'DD.MM.YYYY',
  currency: 'EUR',
  date: 'Day',
  amount: 'AMOUNT',
  balance: 'Balance',
  texts: ['Text', 5],
};
const read = (text: string, more: Partial<CsvMapping> = {}) =>
  readCsv(new TextEncoder().encode(text), { ...mapping, ...more });
const HEADER = '\ufeffDay;Amount;Balance;Text;More\r\n';

describe('a statement in CSV', () => {
  it('is read in the order of time', () => {
    const statement = read(`${HEADER}02.11.2026;1.234,50-;765,50;"a;b";c\r\n01.11.2026;+1.000,00;2.000,00;;\r\n`);
    expect(statement).toMatchObject({ opening: 100_000, closing: 76_550, fromDay: '2026-11-01', toDay: '2026-11-02' });
    expect(statement.entries.map(({ amount }) => amount)).toEqual([100_000, -123_450]);
    expect(statement.entries[1]?.parts[0]?.text).toBe('a;b c');
    expect(sumDifference(statement)).toBe(0);
  });

  it('has the order of its balances if all is of one day', () => {
    const rows = ['02.11.2026;3,00;6,00;c;', '02.11.2026;2,00;3,00;b;', '02.11.2026;1,00;1,00;a;'];
    expect(read(HEADER + rows.join('\n'))).toMatchObject({ opening: 0, closing: 600 });
    expect(read(HEADER + rows.reverse().join('\n'))).toMatchObject({ opening: 0, closing: 600 });
  });

  it.each([
    ['more cells', `${HEADER}01.11.2026;1;234,50;1.234,50;text;more;and more`, {}],
    ['two columns', `Day;Amount;Amount;Balance;Text;More\n01.11.2026;1,00;2,00;;;`, {}],
    ['credit or debit', `${HEADER}01.11.2026;1,00;;;`, { sign: { column: 'More', debit: 'D' } }],
  ])('refuses what could be read in two ways: %s', (why, text, more) => {
    expect(() => read(text, more)).toThrow(why);
  });

  it('shows that a row is missing', () => {
    expect(sumDifference(read(`${HEADER}01.11.2026;1,00;1,00;;\n03.11.2026;1,00;5,00;;`))).toBe(300);
  });

  it('reads rows that continue a text, and columns for debit and credit', () => {
    const text = 'Account\n\nDay;Out;In;Text\n02.11.2026;1,00;;one\n;;;two\n01.11.2026;;2,00;three';
    const { amount: _, balance: __, ...rest } = mapping;
    const statement = readCsv(new TextEncoder().encode(text), {
      ...{ ...rest, linesBefore: 2, debit: 'out', credit: 'in', texts: ['text'], continuesText: true },
    });
    expect(statement.entries.map(({ amount, parts }) => [amount, parts[0]?.text])).toEqual([
      [200, 'three'],
      [-100, 'one two'],
    ]);
  });

  it.each([
    ['\u2212 1 234,50', ' ', -123_450],
    ["1'234,50", "'", 123_450],
    ['1\u00a0234,5', ' ', 123_450],
    ['-0,00', '', 0],
  ] as const)('reads %s', (written, group, amount) => {
    expect(read(`${HEADER}01.11.2026;${written};;;`, { group }).entries[0]?.amount).toBe(amount);
  });

  it('finds debits by the word of a column', () => {
    const sign = { column: 'text', debit: 'Af' };
    expect(read(`${HEADER}01.11.2026;1,00;;af;\n`, { sign }).entries[0]?.amount).toBe(-100);
  });

  it('takes only the two words for credit and debit, if both are given', () => {
    const sign = { column: 'text', debit: 'D', credit: 'C' };
    const amount = (word: string) => read(`${HEADER}01.11.2026;1,00;;${word};\n`, { sign }).entries[0]?.amount;
    expect([amount('d'), amount('c')]).toEqual([-100, 100]);
    expect(() => amount('RC')).toThrow('Line 2 says neither "D" nor "C"');
  });

  it.each([
    ['Line 2 has "1.23"', `${HEADER}01.11.2026;1.23;;;`],
    ['Line 2 has "31.02.2026"', `${HEADER}31.02.2026;1,00;;;`],
    ['no column "AMOUNT"', 'Day;Balance;Text\n01.11.2026;1,00;a'],
    ['more decimals', `${HEADER}01.11.2026;1,005;;;`],
  ])('says what is wrong: %s', (why, text) => {
    expect(() => read(text)).toThrow(StatementError);
    expect(() => read(text)).toThrow(why);
  });

  it('refuses bytes of another encoding', () => {
    const bytes = Buffer.from('Day;Amount;Balance;Text;More\n01.11.2026;1,00;;J\xf6rg;', 'latin1');
    expect(() => readCsv(bytes, mapping)).toThrow('is not in utf-8');
    expect(readCsv(bytes, { ...mapping, encoding: 'iso-8859-1' }).entries[0]?.parts[0]?.text).toBe('Jörg');
  });
});
