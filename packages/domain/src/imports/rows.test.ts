/** What becomes of cells that spreadsheets and people wrote. */
import { describe, expect, it } from '@jest/globals';
import { fieldNamed } from './columns.ts';
import { orderOf } from './dates.ts';
import { type Cells, type Reading, readRow } from './rows.ts';

const ANA: Cells = { firstName: 'Ana', lastName: 'Silva', phone: '+351912345678', dateOfBirth: '1980-02-28' };

/** How one cell of an otherwise right row is read, and the codes of what is said about it. */
function read(column: keyof Cells, cell: string, reading: Reading = {}, others: Cells = {}) {
  const { patient, findings } = readRow({ ...ANA, ...others, [column]: cell }, reading);
  const about = findings.filter((finding) => finding.column === column);
  return { patient: patient as Record<string, unknown> | undefined, codes: about.map(({ code }) => code), about };
}

describe('a day', () => {
  it.each<[string, Reading, string]>([
    ['1980-02-28', {}, '1980-02-28'],
    ['1980/2/8', {}, '1980-02-08'],
    ['19800228', {}, '1980-02-28'],
    ['19800228.0', {}, '1980-02-28'],
    ['1980-02-28 00:00:00', {}, '1980-02-28'],
    ['2/28/1980 12:00 AM', { dateOrder: 'mdy' }, '1980-02-28'],
    ['08.02.1980', { dateOrder: 'dmy' }, '1980-02-08'],
    ['08/02/1980', { dateOrder: 'mdy' }, '1980-08-02'],
    ['28-Feb-1980', {}, '1980-02-28'],
    ['28 février 1980', {}, '1980-02-28'],
    ['February 28, 1980', {}, '1980-02-28'],
    ['28 فبراير 1980', {}, '1980-02-28'],
    ['٢٨/٠٢/١٩٨٠', { dateOrder: 'dmy' }, '1980-02-28'],
    ['1980年2月28日', {}, '1980-02-28'],
  ])('%s', (cell, reading, day) => {
    const { patient, codes } = read('dateOfBirth', cell, reading);
    expect([patient?.dateOfBirth, codes]).toEqual([day, []]);
  });

  it.each([
    ['29279', 'serialDate'],
    ['29279.5', 'serialDate'],
    ['1980', 'notADate'],
    ['28/02/80', 'twoDigitYear'],
    ['28-Feb-80', 'twoDigitYear'],
    ['1980-02-30', 'notADate'],
    ['1400-02-28', 'otherCalendar'],
    ['#N/A', 'errorValue'],
    ['########', 'tooNarrow'],
    ['', 'missing'],
    ['tomorrow', 'notADate'],
  ])('%s is refused', (cell, code) => {
    const { patient, codes } = read('dateOfBirth', cell);
    expect([patient, codes]).toEqual([undefined, [code]]);
  });

  it('names the day of a serial number', () => {
    expect(read('dateOfBirth', '29279').about[0]?.details).toEqual({ suggestion: '1980-02-28' });
  });

  it('is refused against the order of its column', () => {
    expect(read('dateOfBirth', '02/28/1980', { dateOrder: 'dmy' }).codes).toEqual(['dateOrder']);
  });

  it('has a Buddhist year', () => {
    const { patient, codes } = read('dateOfBirth', '28/02/2523', { dateOrder: 'dmy' });
    expect([patient?.dateOfBirth, codes]).toEqual(['1980-02-28', ['buddhistYear']]);
  });
});

it.each([
  [['28/02/1980', '03/04/1980'], { order: 'dmy' }],
  [['03/04/1980', '02/28/1980'], { order: 'mdy' }],
  [['28/02/1980', '02/28/1980'], { contradiction: [0, 1] }],
  [['05/05/1980', '03/04/1980'], { ambiguous: 1 }],
  [['05/05/1980', '1980-02-28', ''], {}],
  [['03.04.1980'], { order: 'dmy' }],
  [['03.04.1980', '03/04/1980'], { ambiguous: 0 }],
])('the order of %j is %j', (cells, evidence) => {
  expect(orderOf(cells.map((cell, line) => [line, cell] as const))).toEqual(evidence);
});

describe('a phone number', () => {
  it.each<[string, string | undefined, string, string[]]>([
    ['+351 912 345 678', undefined, '+351912345678', []],
    ['351912345678', undefined, '+351912345678', ['plus']],
    ['00351912345678', undefined, '+351912345678', ['plus']],
    ['351912345678.0', undefined, '+351912345678', ['decimal', 'plus']],
    ["'+351912345678", undefined, '+351912345678', ['textMark']],
    ['="+351912345678"', undefined, '+351912345678', ['textMark']],
    ['912 345 678', 'PT', '+351912345678', ['country']],
    ['081234567890', 'ID', '+6281234567890', ['country']],
    ['81234567890', 'ID', '+6281234567890', ['country']],
    ['6281234567890', 'ID', '+6281234567890', ['plus']],
    ['612345678', 'IT', '+390612345678', ['zero']],
    ['٠٨١٢٣٤٥٦٧٨٩٠', 'ID', '+6281234567890', ['country']],
  ])('%s in %s', (cell, country, number, expected) => {
    const { patient, codes } = read('phone', cell, { country });
    expect([patient?.phone, codes]).toEqual([number, expected]);
  });

  it.each([
    ['3.51912E+11', 'exponent'],
    ['3,51912E+11', 'exponent'],
    ['912345678', 'invalid'],
    ['12345', 'invalid'],
    ['none', 'invalid'],
    ['+351912345678 / +351912345679', 'invalid'],
    ['#REF!', 'errorValue'],
  ])('%s is refused', (cell, code) => {
    const { patient, codes } = read('phone', cell);
    expect([patient, codes]).toEqual([undefined, [code]]);
  });
});

describe('a name', () => {
  it.each([
    ['1234.0', 'numberAsName'],
    ['3.5E+11', 'numberAsName'],
    ['1-Jun', 'numberAsName'],
    ['28/02/1980', 'numberAsName'],
    ['TRUE', 'truthValue'],
    ['#NAME?', 'errorValue'],
    ['Jos?', 'lostCharacter'],
    ['Jos\ufffd', 'lostCharacter'],
    ['Jos&eacute;', 'html'],
  ])('%s is refused', (cell, code) => {
    const { patient, codes } = read('firstName', cell);
    expect([patient, codes]).toEqual([undefined, [code]]);
  });

  it.each(['Null', 'Na', 'True', 'Juan 2', 'José', "O'Brien"])('%s is one', (cell) => {
    const { patient, codes } = read('firstName', cell);
    expect([patient?.firstName, codes]).toEqual([cell, []]);
  });

  it('was saved in a wrong encoding', () => {
    const { patient, about } = read('firstName', 'JosÃ©');
    expect(patient?.firstName).toBe('José');
    const expected = { kind: 'repaired', code: 'wrongEncoding', value: 'JosÃ©', details: { readAs: 'José' } };
    expect(about).toEqual([{ column: 'firstName', ...expected }]);
  });
});

describe('other cells', () => {
  it('postal codes have their zeros', () => {
    const postalCode = (cell: string, country: string) => {
      const { patient, codes } = read('postalCode', cell, {}, { country });
      return [(patient?.address as { postalCode?: string })?.postalCode, codes];
    };
    expect(postalCode('1067', 'DE')).toEqual(['01067', ['zero']]);
    expect(postalCode('1067.0', 'Germany')).toEqual(['01067', ['decimal', 'zero']]);
    expect(postalCode('1067', 'AT')).toEqual(['1067', []]);
    expect(postalCode('01067', 'DE')).toEqual(['01067', []]);
  });

  it('blood groups, genders and countries are written in several ways', () => {
    expect(read('bloodGroup', 'ab −')).toMatchObject({ patient: { bloodGroup: 'AB-' }, codes: [] });
    expect(read('bloodGroup', '0+')).toMatchObject({ patient: { bloodGroup: 'O+' }, codes: ['zeroForO'] });
    expect(read('gender', 'F')).toMatchObject({ patient: { gender: 'female' } });
    expect(read('gender', 'ذكر')).toMatchObject({ patient: { gender: 'male' } });
    expect(read('country', 'Portugal')).toMatchObject({ patient: { address: { country: 'PT' } } });
    expect(read('country', 'Nowhere')).toMatchObject({ codes: ['invalid'] });
  });

  it('says everything about a row at once', () => {
    const { patient, findings } = readRow({ firstName: '', lastName: '1', phone: '1', dateOfBirth: '29279' }, {});
    expect(patient).toBeUndefined();
    expect(findings.map(({ column, code }) => [column, code])).toEqual([
      ['lastName', 'numberAsName'],
      ['dateOfBirth', 'serialDate'],
      ['firstName', 'missing'],
      ['phone', 'invalid'],
    ]);
  });
});

it.each([
  ['First Name', 'firstName'],
  ['last_name', 'lastName'],
  ['Surname', 'lastName'],
  ['DOB', 'dateOfBirth'],
  ['تاريخ الميلاد', 'dateOfBirth'],
  ['Prénom', 'firstName'],
  ['Shoe size', undefined],
  ['', undefined],
])('the column %s fills %s', (name, field) => expect(fieldNamed(name)).toBe(field));
