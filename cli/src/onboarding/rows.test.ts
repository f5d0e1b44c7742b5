import { describe, expect, it } from '@jest/globals';
import { manifestOf, problemsIn, readRows, sharedOwners } from './rows.ts';

const read = (text: string) => readRows(text, 'hospitals.csv');

describe('a CSV file', () => {
  it.each([
    ['commas', 'prefix,displayName\nhope,"Hope, North"\n'],
    ['semicolons, a byte order mark and CRLF', '\uFEFFprefix;displayName\r\nhope;Hope, North\r\n'],
    ['tabs, blanks and no line end', 'prefix\tdisplayName \nhope \tHope, North'],
  ])('may have %s', (_what, text) => {
    expect(read(text)).toEqual([{ number: 2, values: { prefix: 'hope', displayName: 'Hope, North' } }]);
  });

  it('counts its rows as a spreadsheet does, with empty rows and lines in cells', () => {
    const rows = read('prefix,displayName,address\na-one,A,"1 Road\nTown"\n\n,,\nb-one,B,\n');
    expect(rows.map(({ number }) => number)).toEqual([2, 5]);
    expect(rows[0]?.values.address).toBe('1 Road\nTown');
  });

  it.each([
    ['prefix,displayName,timezon\na,b,c', 'unknown column "timezon": did you mean timezone?'],
    ['prefix,displayName,beds\na,b,c', 'unknown column "beds": the columns are prefix, displayName,'],
    ['prefix,displayName,prefix\na,b,c', 'has the column prefix twice'],
    ['prefix,timezone\na,b', 'has no column displayName'],
    ['prefix,displayName\na,b,c', 'row 2 has 3 cells, and the heading has 2'],
    ['prefix,displayName\na,"b', "can't be read as CSV"],
    ['prefix,displayName\n', 'a heading and no hospitals'],
    ['', 'is empty'],
  ])('%j is refused: %s', (text, why) => {
    expect(() => read(text)).toThrow(why);
  });

  it('has each hospital once, with a name that can be one', () => {
    expect(problemsIn(read('prefix,displayName\nhope,A\nhope,B\nHope,C\n,D\nfaith,\n'))).toEqual([
      { row: 3, column: 'prefix', message: '"hope" is also in row 2: keep one.' },
      { row: 4, column: 'prefix', message: expect.stringContaining('"Hope" can\'t be') },
      { row: 5, column: 'prefix', message: 'is empty: every hospital needs one.' },
      { row: 6, column: 'displayName', message: 'is empty: every hospital needs one.' },
    ]);
  });

  it('may have an owner of several hospitals, who is pointed out', () => {
    const rows = read('prefix,displayName,ownerEmail\na-one,A,ann@a.example\nb-one,B,ANN@a.example\nc-one,C,\n');
    expect(sharedOwners(rows)).toEqual(['ann@a.example owns 2 hospitals: rows 2, 3.']);
  });

  it('sets only the fields of its cells', () => {
    const [row] = read('prefix,displayName,timezone,country,hosts\nhope,Hope,,IE,a.example  b.example\n');
    expect(row && manifestOf(row)).toEqual({
      apiVersion: 'hms.dev/v1',
      kind: 'Hospital',
      metadata: { name: 'hope' },
      spec: { displayName: 'Hope', settings: { country: 'IE' }, gateway: { hosts: ['a.example', 'b.example'] } },
    });
  });
});
