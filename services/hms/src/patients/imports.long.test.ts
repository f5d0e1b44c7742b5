/** Imports of patients: what a check names, and what the background tasks register. */
import { MOST_ROWS, type PatientImport } from '@hms/domain/imports';
import type { Patient } from '@hms/domain/patients';
import { createTestHospital } from '@hms/service/testing';
import { describe, expect, it } from '@jest/globals';
import { until } from '../../../../test/support/until.ts';
import { admin, create, doctor, hms, JANE, list, mary, PATIENTS } from './testing.ts';

const IMPORTS = '/api/hms/patient-imports';
const HEADER = 'firstName,lastName,phone,dateOfBirth';

const check = (csv: string, token = admin) =>
  hms.send('POST', IMPORTS, { token, body: { fileName: 'patients.csv', csv } });
const act = (method: string, path: string, token = admin) => hms.send(method, `${IMPORTS}${path}`, { token });

async function checked(...rows: readonly string[]): Promise<PatientImport> {
  const answer = await check(rows.join('\n'));
  expect(answer).toMatchObject({ status: 201 });
  return answer.data<PatientImport>();
}

async function problemsOf({ id }: PatientImport, query = '?limit=100'): Promise<unknown[]> {
  const answer = await act('GET', `/${id}/problems${query}`);
  expect(answer.status).toBe(200);
  return answer.data<{ line: number; column: string | null; value: string | null; message: string }[]>();
}

async function imported({ id }: PatientImport): Promise<PatientImport> {
  expect(await act('POST', `/${id}/start`)).toMatchObject({ status: 200 });
  return until(
    'the import to be completed',
    async () => (await act('GET', `/${id}`)).data<PatientImport>(),
    ({ status }) => status === 'completed',
  );
}

describe('a check', () => {
  it('registers nobody, and names line, column and value of what is wrong', async () => {
    const known = await create();
    const found = await checked(
      `${HEADER},email,gender,bloodGroup,city,country,allergies,alerts`,
      'Ana,Silva,+351912345678,1980-02-29,ana@example.org,Female,a+,Porto,PT,Penicillin: severe; Nuts: mild,Risk of falls',
      'Ana,,+351912345678,1981-02-29,,,,,,,',
      ',Silva,12345,tomorrow,ana,woman,C+,,Portugal,Nuts: deadly,',
      'Ana,Silva,+351912345678,2999-01-01,,,,,,,',
      '',
      'ana,SILVA,+351 912 345 678,1980-02-29,,,,,,,',
      `${JANE.firstName.toUpperCase()},${JANE.lastName},${JANE.phone},${JANE.dateOfBirth},,,,,,,`,
      'Bo,Li,+351912345679,1980-02-28',
    );
    expect(found).toMatchObject({ status: 'checked', total: 7, wrong: 6, imported: 0 });
    const problems = await problemsOf(found);
    expect(problems).toEqual(
      expect.arrayContaining([
        { line: 3, column: 'lastName', value: null, message: expect.any(String) },
        { line: 3, column: 'dateOfBirth', value: '1981-02-29', message: expect.any(String) },
        ...['phone', 'dateOfBirth', 'email', 'gender', 'bloodGroup', 'country', 'allergies'].map((column) =>
          expect.objectContaining({ line: 4, column }),
        ),
        { line: 5, column: 'dateOfBirth', value: '2999-01-01', message: 'must not be in the future' },
        { line: 7, column: null, value: null, message: 'is the same person as line 2' },
        { line: 8, column: null, value: null, message: `is registered already as ${known.patientCode}` },
        { line: 9, column: null, value: null, message: expect.stringContaining('has 4 cells, but line 1 has 11') },
      ]),
    );
    expect(await problemsOf(found, '?limit=2&page=2')).toEqual(problems.slice(2, 4));
    expect(await list('')).toMatchObject({ total: 1 });
  });

  it.each([
    ['no text', ' ', /lacks the columns|unknown column/],
    [
      'a column that is unknown',
      `${HEADER},shoeSize\na,b,c,d,e`,
      /unknown column "shoeSize"\. The columns are firstName/,
    ],
    ['a column that is missing', 'firstName,lastName,phone\na,b,c', /lacks the columns dateOfBirth/],
    ['a column twice', `${HEADER},First name\na,b,c,d,e`, /has the column firstName twice/],
    ['no rows', `${HEADER}\n\n`, /has no rows/],
    ['another encoding', `${HEADER}\nZo\ufffd,b,c,d`, /is not in UTF-8/],
    ['bytes that are no text', `${HEADER}\nA\0,b,c,d`, /is not in UTF-8/],
    ['half a character', `${HEADER}\nA\ud83d,b,c,d`, /is not in UTF-8/],
    ['a quote that never ends', `${HEADER}\n"Ana,b,c,d\n`, /is no CSV file/],
    ['too many rows', `${HEADER}\n${'a,b,c,d\n'.repeat(MOST_ROWS + 1)}`, /has more than 50000 rows: split it/],
  ])('refuses a file with %s', async (_what, csv, message) => {
    const answer = await check(csv);
    expect(answer).toMatchObject({ status: 422, error: { code: 'IMPORT_FILE_INVALID' } });
    expect(answer.error.details).toEqual({
      fields: [{ field: 'csv', in: 'body', message: expect.stringMatching(message) }],
    });
    expect((await act('GET', '')).data()).toEqual([]);
  });

  it('reads what spreadsheets write: a mark at the start, semicolons or tabs, quotes, other spellings of columns', async () => {
    const semicolons = await checked(
      '\ufeffFirst Name;last_name;PHONE;Date of birth;street\r',
      'Ana;"Silva; ""Lopes""";+351912345678;1980-02-28;"Rua Nova 1\n2. Esq."\r',
      'Bo;Li;1;1980-02-28;\r',
    );
    expect(semicolons).toMatchObject({ total: 2, wrong: 1 });
    expect(await problemsOf(semicolons)).toEqual([expect.objectContaining({ line: 4, column: 'phone', value: '1' })]);
    const long = await checked(HEADER, `Ana,Silva,${'x'.repeat(99)}😀,1980-02-28`);
    expect(await problemsOf(long)).toEqual([expect.objectContaining({ value: `${'x'.repeat(99)}😀` })]);
    expect(await checked(HEADER.replaceAll(',', '\t'), 'A\tB\t+351912345670\t1980-02-28')).toMatchObject({ wrong: 0 });
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
    expect(again).toMatchObject({ total: 250, wrong: 250 });
  });

  it('registers nobody twice when two people import the same file at the same time', async () => {
    const rows = Array.from({ length: 150 }, (_, index) => `Ana${index},Silva,+35191234${1000 + index},1980-02-28`);
    const both = [await checked(HEADER, ...rows), await checked(HEADER, ...rows)];
    const [one, other] = await Promise.all(both.map(imported));
    expect((one?.imported ?? 0) + (other?.imported ?? 0)).toBe(150);
    expect((one?.wrong ?? 0) + (other?.wrong ?? 0)).toBe(150);
    expect(await list('limit=1')).toMatchObject({ total: 150 });
  });

  it('takes spellings that are searched as the same for one person', async () => {
    const found = await checked(HEADER, "Zoë,O'Brien,+351912345678,1980-02-28", 'Zoe,O’Brien,+351912345678,1980-02-28');
    expect(await problemsOf(found)).toEqual([
      expect.objectContaining({ line: 3, message: expect.stringMatching(/line 2/) }),
    ]);
    expect(await imported(found)).toMatchObject({ imported: 1, wrong: 1 });
    expect(await list('limit=1')).toMatchObject({ total: 1 });
  });

  it('leaves out who was registered after the check', async () => {
    const found = await checked(HEADER, `${JANE.firstName},${JANE.lastName},${JANE.phone},${JANE.dateOfBirth}`);
    const { patientCode } = await create();
    expect(await imported(found)).toMatchObject({ total: 1, wrong: 1, imported: 0 });
    const message = `is registered already as ${patientCode}`;
    expect(await problemsOf(found)).toEqual([{ line: 2, column: null, value: null, message }]);
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
      ['GET', `/${found.id}/problems`],
      ['POST', `/${found.id}/start`],
      ['DELETE', `/${found.id}`],
    ] as const) {
      expect((await act(method, path, foreign)).status).toBe(404);
      expect((await act(method, path, doctor)).status).toBe(403);
    }
  });
});
