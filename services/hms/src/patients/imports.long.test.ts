/** Imports of patients: what a check names, and what the background tasks register. */
import { type ImportFinding, type ImportPreview, MOST_ROWS, type PatientImport } from '@hms/domain/imports';
import type { Patient } from '@hms/domain/patients';
import { createTestHospital } from '@hms/service/testing';
import { describe, expect, it } from '@jest/globals';
import { until } from '../../../../test/support/until.ts';
import { admin, create, doctor, hms, JANE, list, mary, PATIENTS } from './testing.ts';

const IMPORTS = '/api/hms/patient-imports';
const HEADER = 'firstName,lastName,phone,dateOfBirth';

/** A request with a file in UTF-8, and what a person has decided. */
const fileOf = (csv: string | Uint8Array, decisions: object = {}) => ({
  fileName: 'patients.csv',
  content: Buffer.from(csv as string).toString('base64'),
  ...decisions,
});
const check = (csv: string | Uint8Array, decisions?: object) =>
  hms.send('POST', IMPORTS, { token: admin, body: fileOf(csv, decisions) });
const act = (method: string, path: string, token = admin) => hms.send(method, `${IMPORTS}${path}`, { token });

async function preview(csv: string | Uint8Array, decisions?: object): Promise<ImportPreview> {
  const answer = await hms.send('POST', `${IMPORTS}/preview`, { token: admin, body: fileOf(csv, decisions) });
  expect(answer).toMatchObject({ status: 200 });
  return answer.data<ImportPreview>();
}

async function checked(...rows: readonly string[]): Promise<PatientImport> {
  const answer = await check(rows.join('\n'));
  expect(answer).toMatchObject({ status: 201 });
  return answer.data<PatientImport>();
}

async function findingsOf({ id }: PatientImport, query = '?limit=100'): Promise<ImportFinding[]> {
  const answer = await act('GET', `/${id}/findings${query}`);
  expect(answer.status).toBe(200);
  return answer.data<ImportFinding[]>();
}

async function imported({ id }: PatientImport): Promise<PatientImport> {
  expect(await act('POST', `/${id}/start`)).toMatchObject({ status: 200 });
  return until(
    'the import to be completed',
    async () => (await act('GET', `/${id}`)).data<PatientImport>(),
    ({ status }) => status === 'completed',
  );
}

describe('a preview', () => {
  it('shows how a file is read, and stores nothing', async () => {
    const csv =
      'sep=;\r\nVorname;Name;Tel;DOB;Haar\r\nAna;Silva;351912345678;28.02.1980;rot\r\n;;;;\r\nBo;Li;;3.4.81;\r\n';
    const shown = await preview(csv);
    expect(shown).toMatchObject({ encoding: 'utf-8', separator: ';', dateOrder: 'dmy', total: 2, words: [] });
    expect(shown.columns).toEqual([
      { name: 'Vorname', field: 'firstName', values: ['Ana', 'Bo'] },
      { name: 'Name', field: 'lastName', values: ['Silva', 'Li'] },
      { name: 'Tel', field: 'phone', values: ['351912345678'] },
      { name: 'DOB', field: 'dateOfBirth', values: ['28.02.1980', '3.4.81'] },
      { name: 'Haar', field: null, values: ['rot'] },
    ]);
    expect(shown.undecided).toEqual(['columns']);
    expect(shown.rows).toEqual([
      { line: 2, read: { firstName: 'Ana', lastName: 'Silva', phone: '+351912345678', dateOfBirth: '1980-02-28' } },
      { line: 4, read: { firstName: 'Bo', lastName: 'Li', dateOfBirth: '3.4.81' } },
    ]);
    expect((await act('GET', '')).data()).toEqual([]);
    const columns = ['firstName', 'lastName', 'phone', 'dateOfBirth', null];
    expect(await preview(csv, { columns })).toMatchObject({
      undecided: [],
      rows: [{ read: { lastName: 'Silva' } }, {}],
    });
    const { data } = await check(csv, { columns });
    const made = data<PatientImport>();
    expect(made).toMatchObject({ total: 2, wrong: 1, repaired: 1 });
    expect(await preview(csv)).toMatchObject({ previousImportId: made.id });
    expect((await findingsOf(made)).map(({ line, kind, column, code }) => [line, kind, column, code])).toEqual([
      [2, 'repaired', 'phone', 'plus'],
      [4, 'wrong', 'dateOfBirth', 'twoDigitYear'],
      [4, 'wrong', 'phone', 'missing'],
    ]);
  });

  it('leaves to a person what is not certain: the encoding, and the order of dates', async () => {
    const csv = Buffer.from(`${HEADER}\nJosé,Silva,+351912345678,03/04/1980\n`, 'latin1');
    const shown = await preview(csv);
    expect(shown).toMatchObject({ encoding: 'windows-1252', words: ['José'], dateOrder: null });
    expect(shown.undecided).toEqual(['encoding', 'dateOrder']);
    const refused = await check(csv);
    expect(refused).toMatchObject({ status: 422, error: { code: 'IMPORT_FILE_INVALID' } });
    const { fields } = refused.error.details as { fields: { field: string }[] };
    expect(fields.map(({ field }) => field)).toEqual(['encoding', 'dateOrder']);
    const decided = await check(csv, { encoding: 'windows-1252', dateOrder: 'mdy' });
    await imported(decided.data<PatientImport>());
    const { data } = await hms.send('GET', `${PATIENTS}?q=José`, { token: doctor });
    expect(data<Patient[]>()[0]).toMatchObject({
      firstName: 'José',
      dateOfBirth: expect.stringMatching(/^1980-03-04/),
    });
  });

  it('names the rows of dates that contradict each other', async () => {
    const shown = await preview(`${HEADER}\nA,B,+351912345678,28/02/1980\nC,D,+351912345679,02/28/1980\n`);
    expect(shown).toMatchObject({ undecided: ['dateOrder'], contradiction: [2, 3] });
  });

  it('reads numbers of a country', async () => {
    const csv = `${HEADER}\nAna,Silva,912 345 678,1980-02-28\n`;
    expect(await preview(csv)).toMatchObject({ country: null, rows: [{ read: { phone: '912 345 678' } }] });
    expect(await preview(csv, { country: 'PT' })).toMatchObject({
      country: 'PT',
      rows: [{ read: { phone: '+351912345678' } }],
    });
  });
});

describe('a check', () => {
  it('registers nobody, and names row, column and value of what is wrong', async () => {
    const known = await create();
    const found = await checked(
      `${HEADER},email,gender,bloodGroup,city,country,allergies,alerts`,
      'Ana,Silva,+351912345678,1980-02-29,ana@example.org,Female,a+,Porto,PT,Penicillin: severe; Nuts: mild,Risk of falls',
      'Ana,,+351912345678,1981-02-29,,,,,,,',
      ',Silva,12345,tomorrow,ana,third,C+,,Nowhere,Nuts: deadly,',
      'Ana,Silva,+351912345678,2999-01-01,,,,,,,',
      '',
      'ana,SILVA,+351 912 345 678,1980-02-29,,,,,,,',
      `${JANE.firstName.toUpperCase()},${JANE.lastName},${JANE.phone},${JANE.dateOfBirth},,,,,,,`,
      'Bo,Li,+351912345679,1980-02-28',
      'Bo,Li,+351912345679,1980-02-28,,,,,,,,more',
    );
    expect(found).toMatchObject({ status: 'checked', total: 8, wrong: 5, known: 1, repaired: 0, imported: 0 });
    const findings = await findingsOf(found);
    const shown = findings.map(({ line, kind, column, code, value }) => [line, kind, column, code, value]);
    expect(shown).toEqual(
      expect.arrayContaining([
        [3, 'wrong', 'lastName', 'missing', null],
        [3, 'wrong', 'dateOfBirth', 'notADate', '1981-02-29'],
        [4, 'wrong', 'firstName', 'missing', null],
        [4, 'wrong', 'dateOfBirth', 'notADate', 'tomorrow'],
        ...['phone', 'email', 'gender', 'bloodGroup', 'country', 'allergies'].map((column) => [
          ...[4, 'wrong', column, 'invalid', expect.any(String)],
        ]),
        [5, 'wrong', 'dateOfBirth', 'invalid', '2999-01-01'],
        [7, 'wrong', null, 'sameAsLine', null],
        [8, 'known', null, 'registered', null],
        [10, 'wrong', null, 'cells', null],
      ]),
    );
    expect(findings.find(({ line }) => line === 7)?.message).toBe('is the same person as row 2');
    expect(findings.find(({ line }) => line === 8)?.message).toBe(`is registered already as ${known.patientCode}`);
    expect(await findingsOf(found, '?limit=2&page=2')).toEqual(findings.slice(2, 4));
    expect((await findingsOf(found, '?kind=known')).map(({ line }) => line)).toEqual([8]);
    expect(await list('')).toMatchObject({ total: 1 });
  });

  it.each([
    ['nothing', '', 'content', /empty/],
    ['no text', ' ', 'content|csv', /no rows/],
    [
      'a column that is unknown',
      `${HEADER},shoeSize\na,b,c,d,e`,
      'columns',
      /unknown column "shoeSize"\. The columns are firstName/,
    ],
    ['a column that is missing', 'firstName,lastName,phone\na,b,c', 'columns', /no column fills dateOfBirth/],
    ['no rows', `${HEADER}\n\n`, 'csv', /has no rows/],
    ['bytes that are no text', `${HEADER}\nA\0,b,c,d`, 'content', /no text/],
    ['a workbook', 'PK\x03\x04', 'content', /is a workbook: save it as "CSV UTF-8"/],
    ['a quote that never ends', `${HEADER}\n"Ana,b,c,d\n`, 'csv', /is no CSV file/],
    ['too many rows', `${HEADER}\n${'a,b,c,d\n'.repeat(MOST_ROWS + 1)}`, 'csv', /has more than 50000 rows: split it/],
  ])('refuses a file with %s', async (_what, csv, field, message) => {
    const answer = await check(csv);
    expect([400, 422]).toContain(answer.status);
    expect(answer.error.details).toEqual({
      fields: [{ field: expect.stringMatching(field), in: 'body', message: expect.stringMatching(message) }],
    });
    expect((await act('GET', '')).data()).toEqual([]);
  });

  it.each([
    [{ columns: ['firstName'] }, 'columns', /an entry for each of the 4 columns/],
    [{ columns: ['firstName', 'firstName', 'phone', 'dateOfBirth'] }, 'columns', /two columns fill firstName/],
    [{ encoding: 'utf-7' }, 'encoding', /must be one of utf-8/],
    [{ country: 'Portugal' }, 'country', /two capital letters/],
    [{ content: 'no base64!' }, 'content', /in Base64/],
  ])('refuses the decision %j', async (decisions, field, message) => {
    const answer = await check(`${HEADER}\nAna,Silva,+351912345678,1980-02-28`, decisions);
    expect([400, 422]).toContain(answer.status);
    expect(answer.error.details?.fields).toMatchObject([
      { field, in: 'body', message: expect.stringMatching(message) },
    ]);
  });

  it('reads what spreadsheets write: a mark at the start, semicolons, tabs or bars, quotes, other spellings of columns', async () => {
    const semicolons = await checked(
      '\ufeffFirst Name;last_name;PHONE;Date of birth;street;\r',
      'Ana;"Silva; ""Lopes""";+351912345678;1980-02-28;"Rua Nova 1\n2. Esq.";\r',
      'Bo;Li;1;1980-02-28;;\r',
      ';;;;;\r',
    );
    expect(semicolons).toMatchObject({ total: 2, wrong: 1 });
    expect(await findingsOf(semicolons)).toEqual([expect.objectContaining({ line: 3, column: 'phone', value: '1' })]);
    const long = await checked(HEADER, `Ana,Silva,${'x'.repeat(99)}😀,1980-02-28`);
    expect(await findingsOf(long)).toEqual([expect.objectContaining({ value: `${'x'.repeat(99)}😀` })]);
    for (const separator of ['\t', '|']) {
      const row = ['A', 'B', '+351912345670', '1980-02-28'].join(separator);
      expect(await checked(HEADER.replaceAll(',', separator), row)).toMatchObject({ wrong: 0 });
    }
  });
});

describe('a column', () => {
  it('decides what its numbers and letters mean, in the preview as in the check', async () => {
    const heading = 'Nombre,Apellidos,Teléfono,Fecha de nacimiento,Sexo';
    const rows = (...phones: readonly string[]) =>
      [heading, ...phones.map((phone, at) => `Ana${at},Silva,${phone},1980-02-28,${at === 0 ? 'M' : 'H'}`)].join('\n');
    const alone = rows('351912345678', '447911123456');
    expect(await preview(alone, { country: 'DE' })).toMatchObject({ rows: [{ read: { phone: '351912345678' } }, {}] });
    expect((await check(alone, { country: 'DE' })).data()).toMatchObject({ wrong: 2 });
    const decided = rows('351912345678', '1701234567', '1721234567', '3012345678');
    expect(await preview(decided, { country: 'DE' })).toMatchObject({
      rows: [{ read: { phone: '+49351912345678', gender: 'female' } }, {}, {}, {}],
    });
    const found = (await check(decided, { country: 'DE' })).data<PatientImport>();
    expect(found).toMatchObject({ wrong: 0, repaired: 4 });
    expect((await findingsOf(found)).map(({ line, code }) => [line, code])).toEqual([
      [2, 'country'],
      [2, 'genderLetter'],
      [3, 'country'],
      [4, 'country'],
      [5, 'country'],
    ]);
  });
});

describe('an import', () => {
  it('registers the right rows once, each with a code and a family', async () => {
    const rows = Array.from({ length: 250 }, (_, index) => `Ana${index},Silva,+35191234${1000 + index},1980-02-28`);
    const found = await checked(HEADER, ...rows, 'Bo,Li,1,1980-02-28');
    expect(await imported(found)).toMatchObject({ total: 251, wrong: 1, imported: 250 });
    expect(await list('limit=1')).toMatchObject({ total: 250 });
    const { data } = await hms.send('GET', `${PATIENTS}?q=Ana17`, { token: doctor });
    expect(data<Patient[]>()[0]).toMatchObject({
      patientCode: expect.stringMatching(/^HSP-000\d{3}$/),
      familyId: expect.any(String),
    });
    const again = await checked(HEADER, ...rows);
    expect(again).toMatchObject({ total: 250, wrong: 0, known: 250 });
  });

  it('registers nobody twice when two people import the same file at the same time', async () => {
    const rows = Array.from({ length: 150 }, (_, index) => `Ana${index},Silva,+35191234${1000 + index},1980-02-28`);
    const both = [await checked(HEADER, ...rows), await checked(HEADER, ...rows)];
    const [one, other] = await Promise.all(both.map(imported));
    expect((one?.imported ?? 0) + (other?.imported ?? 0)).toBe(150);
    expect((one?.known ?? 0) + (other?.known ?? 0)).toBe(150);
    expect(await list('limit=1')).toMatchObject({ total: 150 });
  });

  it('takes spellings that are searched as the same for one person', async () => {
    const found = await checked(HEADER, "Zoë,O'Brien,+351912345678,1980-02-28", 'Zoe,O’Brien,+351912345678,1980-02-28');
    expect(await findingsOf(found)).toEqual([
      expect.objectContaining({ line: 3, message: expect.stringMatching(/row 2/) }),
    ]);
    expect(await imported(found)).toMatchObject({ imported: 1, wrong: 1 });
    expect(await list('limit=1')).toMatchObject({ total: 1 });
  });

  it('leaves out who was registered after the check', async () => {
    const found = await checked(HEADER, `${JANE.firstName},${JANE.lastName},${JANE.phone},${JANE.dateOfBirth}`);
    const { patientCode } = await create();
    expect(await imported(found)).toMatchObject({ total: 1, wrong: 0, known: 1, imported: 0 });
    expect(await findingsOf(found)).toEqual([
      expect.objectContaining({ line: 2, kind: 'known', details: { patientCode } }),
    ]);
  });

  it('starts once, is deleted when it does not run, and keeps no data of who was imported', async () => {
    const found = await checked(HEADER, 'Ana,Silva,+351912345678,1980-02-28');
    await imported(found);
    const again = await act('POST', `/${found.id}/start`);
    expect(again).toMatchObject({ status: 409, error: { code: 'INVALID_STATE' } });
    const rows = () =>
      hms.platform.tenants.inTenant(mary.hospital, (trx) =>
        trx.query<{ data: unknown }>('SELECT data FROM patient_import_rows'),
      );
    expect(await rows()).toEqual([{ data: null }]);
    expect(await act('DELETE', `/${found.id}`)).toMatchObject({ status: 200 });
    expect(await rows()).toEqual([]);
    expect(await list('')).toMatchObject({ total: 1 });
  });

  it('belongs to its hospital and to its administrators', async () => {
    const found = await checked(HEADER, 'Ana,Silva,+351912345678,1980-02-28');
    const john = await createTestHospital(hms.operator, hms.issuer);
    const foreign = await john.token(['ADMIN']);
    for (const [method, path] of [
      ['GET', `/${found.id}`],
      ['GET', `/${found.id}/findings`],
      ['POST', `/${found.id}/start`],
      ['DELETE', `/${found.id}`],
    ] as const) {
      expect((await act(method, path, foreign)).status).toBe(404);
      expect((await act(method, path, doctor)).status).toBe(403);
    }
  });
});
