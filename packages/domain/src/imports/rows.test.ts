/** What becomes of cells that spreadsheets and people wrote. */
import { describe, expect, it } from '@jest/globals';
import { fieldNamed, fieldsOfColumns } from './columns.ts';
import { orderOf } from './dates.ts';
import { genderLetters } from './genders.ts';
import { formOf } from './phones.ts';
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
    ['1980-02-28T00:00:00.000Z', {}, '1980-02-28'],
    ['1980-02-28 23:30', {}, '1980-02-28'],
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
    ['1980-02-27T23:00:00.000Z', 'timeZone'],
    ['1980-02-27T23:00Z', 'timeZone'],
    ['1980-02-27 22:00:00+02:00', 'timeZone'],
    ['1980-02-27T22:00:00-0500', 'timeZone'],
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
    ['87712345678', 'ID', '+6287712345678', ['country']],
    ['491701234567', 'DE', '+491701234567', ['plus']],
    ['919876543210', 'IN', '+919876543210', ['plus']],
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

describe('a phone number that can be read in two ways', () => {
  const NATIONAL = ['1701234567', '1721234567', '3012345678'];
  const FOREIGN = ['351912345678', '447911123456', '6591234567', '81234567890'];

  it.each([
    ['351912345678', 'DE', '+49351912345678', '+351912345678'],
    ['447911123456', 'DE', '+49447911123456', '+447911123456'],
    ['6591234567', 'IN', '+916591234567', '+6591234567'],
    ['81234567890', 'ID', '+6281234567890', '+81234567890'],
  ])('%s in %s is refused, or as its column', (cell, country, national, international) => {
    const { patient, about } = read('phone', cell, { country });
    expect([patient, about[0]?.code]).toEqual([undefined, 'twoNumbers']);
    expect(about[0]?.details).toEqual({ national, international });
    const of = (phoneForm: 'national' | 'international') => read('phone', cell, { country, phoneForm });
    expect(of('national')).toMatchObject({ patient: { phone: national }, codes: ['country'] });
    expect(of('international')).toMatchObject({ patient: { phone: international }, codes: ['plus'] });
  });

  it.each<[string, string[], string | undefined]>([
    ['national', [...FOREIGN, ...NATIONAL], 'national'],
    ['national with decimals', NATIONAL.map((number) => `${number}.0`), 'national'],
    ['too few', NATIONAL.slice(1), undefined],
    ['all ambiguous', ['351912345678', '447911123456', '351912345679'], undefined],
    ['with the code of the country', ['491701234567', '491721234567', '491731234567'], 'international'],
    ['mixed', [...NATIONAL, '491701234567'], undefined],
    [
      'with a plus or a zero',
      ['+351912345678', '+447911123456', '+6591234567', ...NATIONAL.map((n) => `0${n}`)],
      undefined,
    ],
  ])('a column in Germany that is %s', async (_what, cells, form) => {
    expect(await formOf(cells, 'DE')).toBe(form);
  });
});

describe('a gender', () => {
  it.each<[string, string[], Record<string, [string | undefined, string[]]>]>([
    ['gender', ['M', 'F'], { M: ['male', []] }],
    ['gender', ['M'], { M: ['male', []] }],
    ['sexo', ['M', 'F'], { M: ['male', []], F: ['female', []] }],
    ['Sexo', ['M'], { M: [undefined, ['unclearGender']] }],
    ['sexo', ['M', 'H'], { M: ['female', ['genderLetter']], H: ['male', []] }],
    ['gender', ['m', 'hombre'], { m: ['female', ['genderLetter']], hombre: ['male', []] }],
    ['sexo', ['M', 'V'], { M: ['female', ['genderLetter']], V: ['male', ['genderLetter']] }],
    ['sex', ['M', 'V'], { M: [undefined, ['unclearGender']], V: [undefined, ['unclearGender']] }],
    ['sexe', ['H', 'F'], { H: ['male', []], F: ['female', []] }],
    ['sex', ['H', 'F', 'M'], { M: [undefined, ['unclearGender']], H: ['male', []] }],
    ['cinsiyet', ['kadın', 'ERKEK'], { kadın: ['female', []], ERKEK: ['male', []] }],
    [
      '',
      ['Frau', 'Herr'],
      { Frau: ['female', []], Herr: ['male', []], Ж: ['female', []], м: ['male', []], 女: ['female', []] },
    ],
  ])('of the column %s with %j', (heading, cells, expected) => {
    const letters = genderLetters(heading, cells);
    for (const [cell, [gender, codes]] of Object.entries(expected)) {
      const found = read('gender', cell, { genderLetters: letters });
      expect([cell, found.patient?.gender, found.codes]).toEqual([cell, gender, codes]);
    }
  });
});

describe('a name', () => {
  it.each([
    ['-', 'filler'],
    ['NULL', 'filler'],
    ['(null)', 'filler'],
    ['NaN', 'filler'],
    ['n/a', 'filler'],
    ['None', 'filler'],
    ['undefined', 'filler'],
    ['!!', 'notAName'],
    ['M\\u00fcller', 'notAName'],
    ['<b>Ana', 'notAName'],
    ['M¿ller', 'lostCharacter'],
    ['WAHR', 'truthValue'],
    ['VERDADEIRO', 'truthValue'],
    ['#NV', 'errorValue'],
    ['#BEZUG!', 'errorValue'],
    ['#¡REF!', 'errorValue'],
    ['#¿NOMBRE?', 'errorValue'],
    ['MÃ¼ller Łódź', 'wrongCharacters'],
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

  it.each(['FAUX', 'VERO', 'FALSO', 'Null', 'Na', 'True', 'Juan 2', 'José', "O'Brien"])('%s is one', (cell) => {
    const { patient, codes } = read('firstName', cell);
    expect([patient?.firstName, codes]).toEqual([cell, []]);
  });

  it.each([
    ['MÃƒÂ¼ller', 'Müller'],
    ['NicolÃ\u00a0s', 'Nicolàs'],
  ])('%s is %s', (cell, name) => {
    const { patient, codes } = read('firstName', cell);
    expect([patient?.firstName, codes]).toEqual([name, ['wrongEncoding']]);
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
    expect(read('country', 'United Kingdom')).toMatchObject({ patient: { address: { country: 'GB' } } });
    expect(read('country', 'UK')).toMatchObject({ patient: { address: { country: 'GB' } } });
    expect(read('country', 'Nowhere')).toMatchObject({ codes: ['invalid'] });
  });

  it.each(['NULL', '(null)', 'N/A', 'nan', '-'])('%s in an optional column is empty', (cell) => {
    const { patient, codes } = read('email', cell);
    expect([patient?.email, codes]).toEqual([undefined, []]);
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

it.each([
  ['Vorname;Name;Telefon;geboren am;Straße;Ort', 'firstName lastName phone dateOfBirth street city'],
  ['Prénom;Nom;Téléphone;Date de naissance;Sexe;Adresse', 'firstName lastName phone dateOfBirth gender street'],
  ['Nombre;Apellidos;Teléfono;Fecha de nacimiento;Ciudad', 'firstName lastName phone dateOfBirth city'],
  ['Nome;Apelido;Telemóvel;Data de nascimento', 'firstName lastName phone dateOfBirth'],
  ['Nome;Cognome;Cellulare;Data di nascita', 'firstName lastName phone dateOfBirth'],
  ['AD;SOYADI;Telefon;DOĞUM TARİHİ', 'firstName lastName phone dateOfBirth'],
  ['Imię;Nazwisko;Telefon;Data urodzenia', 'firstName lastName phone dateOfBirth'],
  ['Имя;Фамилия;Телефон;Дата рождения', 'firstName lastName phone dateOfBirth'],
  ['Name;Handy;Mobil', ' phone '],
])('the columns %s', (header, fields) => {
  expect(fieldsOfColumns(header.split(';')).map((field) => field ?? '')).toEqual(fields.split(' '));
});
