/**
 * Imports of patients from CSV files: the tables `patient_imports` and `patient_import_rows`.
 *
 * An import is first checked, which registers nobody and names what is wrong with each row. When somebody starts it,
 * background tasks register the right rows in batches. A batch is one transaction with the rows that it imports, so an
 * import continues after a crash where it was, and no row is imported twice.
 */
import {
  type ErrorKind,
  fields,
  foldText,
  newId,
  Problem,
  record,
  records,
  type TaskName,
  type Work,
} from '@hms/service';
import { z } from 'zod';
import { registerPatient } from '../families/families.ts';
import { holdNewPatients, registeredAs } from '../patients/duplicates.ts';
import { bornProblem } from '../patients/patients.ts';
import { COLUMN_NAMES, type NewRow, REQUIRED_COLUMNS, type RowProblem, readRow } from './columns.ts';
import { type CsvRow, csvRows, excerpt, invalidFile } from './csv.ts';

export { COLUMN_NAMES, REQUIRED_COLUMNS } from './columns.ts';
export { IMPORT_FILE_INVALID } from './csv.ts';

/** In rows. The file of a larger hospital can be split. */
export const MOST_ROWS = 50_000;
/** In characters. With its quotes escaped in JSON, it is below the limit of a request. */
export const LONGEST_FILE = 8_000_000;

const count = (what: string) => z.int().min(0).describe(what);

export const imports = record('patient_imports', {
  name: 'patient import',
  fields: { fileName: fields.line(255) },
  set: {
    total: count('Rows of the file'),
    wrong: count('Rows that are not imported, because something is wrong with them'),
    imported: count('Rows that have been imported'),
  },
  states: { checked: ['running'], running: ['completed'], completed: [] },
});
export type PatientImport = z.output<typeof imports.item>;

export const newImport = imports.create
  .extend({
    csv: z
      .string()
      .min(1)
      .max(LONGEST_FILE)
      .describe('The content of the file, in UTF-8. Columns are separated by commas, semicolons or tabs'),
  })
  .meta({ id: 'NewPatientImport' });

export const importProblem = z
  .object({
    line: z.int().describe('In the file. The line with the names of columns is 1'),
    column: z.string().nullable().describe('Null for a problem of the whole row'),
    value: z.string().nullable().describe('What the file has there'),
    message: z.string(),
  })
  .meta({ id: 'PatientImportProblem' });
type ImportProblem = z.output<typeof importProblem>;

export const IMPORT_RUNNING: ErrorKind = {
  status: 409,
  code: 'IMPORT_RUNNING',
  message: 'The import is running: wait until it is completed',
};

/** Rows that are checked at once. Others get their turn in between. */
const CHECK_BATCH = 500;
/** Rows of one transaction. Others who register a patient wait for it. */
const IMPORT_BATCH = 100;

/** A row of the file, as it is stored. */
interface CheckedRow {
  readonly line: number;
  /** As written, by column. */
  readonly cells: Readonly<Record<string, string>>;
  readonly patient?: NewRow;
  readonly problems: readonly RowProblem[];
}

/**
 * Checks each row of a file, and stores it.
 * @throws Problem IMPORT_FILE_INVALID if it is no CSV file with the right columns, or has too many rows.
 */
export async function createImport(work: Work, { fileName, csv }: z.output<typeof newImport>): Promise<PatientImport> {
  const id = newId();
  let created = await records(work, imports).insert({ fileName, total: 0, wrong: 0, imported: 0 }, id);
  const seen = new Map<string, number>();
  let [total, wrong] = [0, 0];
  const format = { names: COLUMN_NAMES, required: REQUIRED_COLUMNS, mostRows: MOST_ROWS };
  for await (const batch of batches(csvRows(csv, format), CHECK_BATCH)) {
    const rows = await withoutRegistered(
      work,
      batch.map((row) => checked(work, row, seen)),
    );
    total += rows.length;
    wrong += rows.filter(({ problems }) => problems.length > 0).length;
    await work.trx.query(STORE, [id, JSON.stringify(rows.map(stored))]);
  }
  if (total === 0) throw invalidFile('has no rows');
  created = await records(work, imports).update(created, { total, wrong });
  return created;
}

/** Starts a checked import. @param task imports one batch. @throws Problem INVALID_STATE if it was started before. */
export async function startImport(
  work: Work,
  id: string,
  task: TaskName<{ importId: string }>,
  version?: number,
): Promise<PatientImport> {
  const own = records(work, imports);
  const started = await own.moveTo(await own.lock(id, version), 'running');
  work.addTask(task, { importId: id });
  return started;
}

/** Imports the next rows, and adds the task for those after them. */
export async function importBatch(work: Work, id: string, task: TaskName<{ importId: string }>): Promise<void> {
  const own = records(work, imports);
  const running = await own.lock(id);
  if (running.status !== 'running') return;
  const next = await work.trx.query<{ line: number; data: NewRow }>(NEXT, [id, IMPORT_BATCH]);
  if (next.length === 0) {
    await own.moveTo(running, 'completed');
    return;
  }
  // Somebody may have registered them since the file was checked, or may import the same file now.
  await holdNewPatients(work);
  const rows = await withoutRegistered(
    work,
    next.map(({ line, data }) => ({ line, cells: {}, patient: data, problems: [] })),
  );
  const right = rows.flatMap(({ line, patient }) => (patient ? [{ line, patient }] : []));
  const results = await Promise.all(
    right.map(async ({ line, patient }) => {
      const { id } = await registerPatient(work, patient);
      return { line, patient_id: id };
    }),
  );
  const wrong = rows.filter(({ problems }) => problems.length > 0);
  const refused = wrong.map(({ line, problems }) => ({ line, problems }));
  await work.trx.query(SETTLE, [id, JSON.stringify([...results, ...refused])]);
  await own.update(running, { imported: running.imported + right.length, wrong: running.wrong + wrong.length });
  work.addTask(task, { importId: id });
}

/** Deletes an import with its rows. Patients who were imported stay. @throws Problem IMPORT_RUNNING. */
export async function removeImport(work: Work, id: string, version?: number): Promise<PatientImport> {
  const own = records(work, imports);
  const before = await own.lock(id, version);
  if (before.status === 'running') throw new Problem(IMPORT_RUNNING);
  await work.trx.query('DELETE FROM patient_import_rows WHERE import_id = $1', [id]);
  return own.remove(before);
}

/** What is wrong with the rows of an import, in their order. */
export async function importProblems(
  work: Work,
  id: string,
  { page, limit }: { readonly page: number; readonly limit: number },
) {
  await records(work, imports).read(id);
  const [[counted], rows] = await Promise.all([
    work.trx.query<{ total: number }>(COUNT_PROBLEMS, [id]),
    work.trx.query<ImportProblem>(PROBLEMS, [id, limit, (page - 1) * limit]),
  ]);
  return { data: rows, meta: { page, limit, total: counted?.total ?? 0 } };
}

async function* batches<T>(items: AsyncIterable<T>, size: number): AsyncIterable<readonly T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** @param seen the line of each person in the file so far. */
function checked(work: Work, { line, cells, problem }: CsvRow, seen: Map<string, number>): CheckedRow {
  if (problem !== undefined) return { line, cells, problems: [{ message: problem }] };
  const result = readRow(cells);
  if ('problems' in result) return { line, cells, problems: result.problems };
  const { patient } = result;
  const message = bornProblem(work, patient.dateOfBirth);
  if (message !== undefined) return { line, cells, problems: [{ column: 'dateOfBirth', message }] };
  const names = [patient.firstName, patient.lastName].map(foldText);
  const person = [...names, patient.dateOfBirth, patient.phone].join('\n');
  const before = seen.get(person);
  if (before !== undefined) return { line, cells, problems: [{ message: `is the same person as line ${before}` }] };
  seen.set(person, line);
  return { line, cells, patient, problems: [] };
}

/** Marks those whose name, day of birth and phone number are registered. */
async function withoutRegistered(work: Work, rows: readonly CheckedRow[]): Promise<readonly CheckedRow[]> {
  const people = rows.flatMap(({ line, patient }) => (patient ? [{ line, ...patient }] : []));
  const known = await registeredAs(work, people);
  return rows.map((row) => {
    const code = known.get(row.line);
    if (code === undefined) return row;
    return { line: row.line, cells: row.cells, problems: [{ message: `is registered already as ${code}` }] };
  });
}

/** The values of the wrong cells are kept, so that somebody can correct them. */
function stored({ line, cells, patient, problems }: CheckedRow) {
  if (patient) return { line, data: patient };
  const shown = problems.map(({ column, message }) => ({
    column,
    message,
    value: (column !== undefined && excerpt(cells[column])) || undefined,
  }));
  return { line, problems: shown };
}

const STORE = `
  INSERT INTO patient_import_rows (import_id, line, data, problems)
  SELECT $1, line, data, problems FROM jsonb_to_recordset($2::jsonb) AS row(line integer, data jsonb, problems jsonb)`;

const NEXT = `
  SELECT line, data FROM patient_import_rows
  WHERE import_id = $1 AND data IS NOT NULL ORDER BY line LIMIT $2`;

/** What is imported is in the patient's record, and no longer here. */
const SETTLE = `
  UPDATE patient_import_rows SET data = NULL, patient_id = row.patient_id, problems = row.problems
  FROM jsonb_to_recordset($2::jsonb) AS row(line integer, patient_id uuid, problems jsonb)
  WHERE import_id = $1 AND patient_import_rows.line = row.line`;

const PROBLEM_ROWS = `
  FROM patient_import_rows CROSS JOIN jsonb_array_elements(problems) WITH ORDINALITY AS problem(of, number)
  WHERE import_id = $1`;
const COUNT_PROBLEMS = `SELECT count(*) AS total ${PROBLEM_ROWS}`;
const PROBLEMS = `
  SELECT line, of ->> 'column' AS column, of ->> 'value' AS value, of ->> 'message' AS message
  ${PROBLEM_ROWS} ORDER BY line, number LIMIT $2 OFFSET $3`;
