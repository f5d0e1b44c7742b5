/**
 * Imports of patients from CSV files: the tables `patient_imports` and `patient_import_rows`.
 *
 * An import is first checked, which registers nobody and names what is wrong with each row. When somebody starts it,
 * background tasks register the right rows in batches. A batch is one transaction with the rows that it imports, so an
 * import continues after a crash where it was, and no row is imported twice.
 */
import { fields, foldText, invalidFields, newId, record, records, type TaskName, type Work } from '@hms/service';
import { z } from 'zod';
import { registerPatient } from '../families/families.ts';
import { holdNewPatients, registeredAs } from '../patients/duplicates.ts';
import { bornProblem } from '../patients/patients.ts';
import { type CsvLine, IMPORT_FILE_INVALID } from './csv.ts';
import { cellsOf, hasRightCells, importFile, type OpenFile, openFile, previewOf, undecided } from './file.ts';
import { type FINDING_KINDS, type Finding, type ImportFinding, shownFinding } from './findings.ts';
import { type NewRow, readRow } from './rows.ts';

export { COLUMN_FIELDS, REQUIRED_COLUMNS } from './columns.ts';
export { IMPORT_FILE_INVALID } from './csv.ts';
export { type ImportPreview, importPreview, MOST_ROWS } from './file.ts';
export { FINDING_KINDS, type ImportFinding, importFinding } from './findings.ts';

const count = (what: string) => z.int().min(0).describe(what);

export const imports = record('patient_imports', {
  name: 'patient import',
  fields: { fileName: fields.line(255) },
  set: {
    sha256: fields.sha256.describe('Of the file'),
    total: count('Rows of the file'),
    wrong: count('Rows that are not imported, because something is wrong with them'),
    known: count('Rows of people who are registered already'),
    repaired: count('Rows that are imported otherwise than the file has them'),
    imported: count('Rows that have been imported'),
  },
  states: { checked: ['running'], running: ['completed'], completed: [] },
});
export type PatientImport = z.output<typeof imports.item>;

export const newImport = imports.create.extend(importFile.shape).meta({ id: 'NewPatientImport' });
type NewImport = z.output<typeof newImport>;

/** Rows that are checked at once. Others get their turn in between. */
const CHECK_BATCH = 500;
/** Rows of one transaction. Others who register a patient wait for it. */
const IMPORT_BATCH = 100;
/** How long an import is kept: its rows have data of people who may never be registered. */
const KEPT_DAYS = 30;
const DAY_MS = 86_400_000;

const input = z.object({ importId: z.uuid() });
export const importRemoval: TaskName<z.output<typeof input>> = { name: 'patient-import-removal', input, attempts: 16 };

/** A row of the file, as it is stored. */
interface CheckedRow {
  readonly line: number;
  /** None if a finding is not `repaired`. */
  readonly patient?: NewRow;
  readonly findings: readonly Finding[];
}

/** How a file would be read. @throws Problem IMPORT_FILE_INVALID if it is no CSV file, or has too many rows. */
export async function previewImport(work: Work, file: NewImport) {
  const open = await openFile(file, work.hospital.settings.country);
  const [previous] = await work.trx.query<{ id: string }>(SAME_FILE, [open.sha256]);
  return previewOf(open, file, previous?.id ?? null);
}

/**
 * Checks each row of a file, and stores it.
 * @throws Problem IMPORT_FILE_INVALID as `previewImport`, and if it is not certain how the file is to be read.
 */
export async function createImport(work: Work, file: NewImport): Promise<PatientImport> {
  const open = await openFile(file, work.hospital.settings.country);
  const questions = [...undecided(open, file)];
  if (questions.length > 0) {
    const problems = questions.map(([field, message]) => ({ field, in: 'body' as const, message }));
    throw invalidFields(problems, IMPORT_FILE_INVALID);
  }
  const id = newId();
  const counts = { total: open.lines.length, wrong: 0, known: 0, repaired: 0, imported: 0 };
  const created = await records(work, imports).insert({ fileName: file.fileName, sha256: open.sha256, ...counts }, id);
  const seen = new Map<string, number>();
  for (let at = 0; at < open.lines.length; at += CHECK_BATCH) {
    const lines = open.lines.slice(at, at + CHECK_BATCH);
    const rows = await withoutRegistered(
      work,
      lines.map((_, index) => checked(work, open, at + index, seen)),
    );
    counts.wrong += rows.filter((row) => has(row, 'wrong')).length;
    counts.known += rows.filter((row) => has(row, 'known')).length;
    counts.repaired += rows.filter(({ patient, findings }) => patient && findings.length > 0).length;
    await work.trx.query(STORE, [id, JSON.stringify(rows.map(stored))]);
  }
  work.addTask(
    importRemoval,
    { importId: id },
    { key: id, runAt: new Date(work.trx.moment.getTime() + KEPT_DAYS * DAY_MS) },
  );
  return records(work, imports).update(created, counts);
}

/**
 * Starts a checked import, or lets one go on whose tasks have failed. @param task imports one batch.
 * @throws Problem INVALID_STATE if it is completed.
 */
export async function startImport(
  work: Work,
  id: string,
  task: TaskName<{ importId: string }>,
  version?: number,
): Promise<PatientImport> {
  const own = records(work, imports);
  const before = await own.lock(id, version);
  const started = before.status === 'running' ? before : await own.moveTo(before, 'running');
  work.addTask(task, { importId: id }, { key: id });
  return started;
}

/** Imports the next rows, and adds the task for those after them. */
export async function importBatch(work: Work, id: string, task: TaskName<{ importId: string }>): Promise<void> {
  const own = records(work, imports);
  if (!(await own.find(id))) return;
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
    next.map(({ line, data }) => ({ line, patient: data, findings: [] })),
  );
  const right = rows.flatMap(({ line, patient }) => (patient ? [{ line, patient }] : []));
  const results = await Promise.all(
    right.map(async ({ line, patient }) => {
      const { id } = await registerPatient(work, patient);
      return { line, patient_id: id };
    }),
  );
  const known = rows.filter((row) => has(row, 'known')).map(({ line, findings }) => ({ line, findings }));
  await work.trx.query(SETTLE, [id, JSON.stringify([...results, ...known])]);
  await own.update(running, { imported: running.imported + right.length, known: running.known + known.length });
  work.addTask(task, { importId: id }, { key: id });
}

/** Deletes an import with its rows, and ends it if it runs. Patients who were imported stay. */
export async function removeImport(work: Work, id: string, version?: number): Promise<PatientImport> {
  const own = records(work, imports);
  const before = await own.lock(id, version);
  await work.trx.query('DELETE FROM patient_import_rows WHERE import_id = $1', [id]);
  return own.remove(before);
}

/** Deletes an import that is older than imports are kept. One that still runs ends first. */
export async function removeOldImport(work: Work, id: string): Promise<void> {
  if (await records(work, imports).find(id)) await removeImport(work, id);
}

/** What is to be said about the rows of an import, in their order. @param kind of findings. Default: all */
export async function importFindings(
  work: Work,
  id: string,
  {
    page,
    limit,
    kind = null,
  }: { page: number; limit: number; kind?: (typeof FINDING_KINDS)[number] | null | undefined },
) {
  await records(work, imports).read(id);
  const [[counted], rows] = await Promise.all([
    work.trx.query<{ total: number }>(COUNT_FINDINGS, [id, kind]),
    work.trx.query<{ line: number; of: Finding }>(FINDINGS, [id, kind, limit, (page - 1) * limit]),
  ]);
  const data: ImportFinding[] = rows.map(({ line, of }) => shownFinding(line, of));
  return { data, meta: { page, limit, total: counted?.total ?? 0 } };
}

function has({ findings }: CheckedRow, kind: Finding['kind']): boolean {
  return findings.some((finding) => finding.kind === kind);
}

/** @param at the index of the row. @param seen the line of each person in the file so far. */
function checked(work: Work, open: OpenFile, at: number, seen: Map<string, number>): CheckedRow {
  const line = open.lines[at] as CsvLine;
  const about = { line: line.line };
  const wrong = (finding: Omit<Finding, 'kind'>, findings: readonly Finding[] = []): CheckedRow => {
    return { ...about, findings: [...findings, { kind: 'wrong', ...finding }] };
  };
  const [cells, columns] = [line.cells.length, open.header.length];
  if (!hasRightCells(open, at)) {
    return wrong({ code: 'cells', details: { cells: String(cells), columns: String(columns) } });
  }
  const { patient, findings, read } = readRow(cellsOf(open, line), open.reading);
  if (!patient) return { ...about, findings };
  const reason = bornProblem(work, patient.dateOfBirth);
  if (reason !== undefined) {
    const value = read.dateOfBirth ?? '';
    return wrong({ code: 'invalid', column: 'dateOfBirth', value, details: { reason } }, findings);
  }
  const names = [patient.firstName, patient.lastName].map(foldText);
  const person = [...names, patient.dateOfBirth, patient.phone].join('\n');
  const before = seen.get(person);
  if (before !== undefined) return wrong({ code: 'sameAsLine', details: { line: String(before) } });
  seen.set(person, line.line);
  return { ...about, patient, findings };
}

/** Marks those whose name, day of birth and phone number are registered. */
async function withoutRegistered(work: Work, rows: readonly CheckedRow[]): Promise<readonly CheckedRow[]> {
  const people = rows.flatMap(({ line, patient }) => (patient ? [{ line, ...patient }] : []));
  const codes = await registeredAs(work, people);
  return rows.map((row) => {
    const patientCode = codes.get(row.line);
    if (patientCode === undefined) return row;
    return { line: row.line, findings: [{ kind: 'known', code: 'registered', details: { patientCode } }] };
  });
}

/** The values of the cells in question are kept, so that somebody can correct them. */
function stored({ line, patient, findings }: CheckedRow) {
  return { line, data: patient ?? null, findings: findings.length > 0 ? findings : null };
}

const SAME_FILE = `
  SELECT id FROM patient_imports WHERE sha256 = $1 AND deleted_at IS NULL ORDER BY created_at DESC LIMIT 1`;

const STORE = `
  INSERT INTO patient_import_rows (import_id, line, data, findings)
  SELECT $1, line, data, findings FROM jsonb_to_recordset($2::jsonb) AS row(line integer, data jsonb, findings jsonb)`;

const NEXT = `
  SELECT line, data FROM patient_import_rows
  WHERE import_id = $1 AND data IS NOT NULL ORDER BY line LIMIT $2`;

/** What is imported is in the patient's record, and no longer here. What was repaired stays to be read. */
const SETTLE = `
  UPDATE patient_import_rows AS own
  SET data = NULL, patient_id = row.patient_id, findings = coalesce(row.findings, own.findings)
  FROM jsonb_to_recordset($2::jsonb) AS row(line integer, patient_id uuid, findings jsonb)
  WHERE import_id = $1 AND own.line = row.line`;

const FINDING_ROWS = `
  FROM patient_import_rows CROSS JOIN jsonb_array_elements(findings) WITH ORDINALITY AS finding(of, number)
  WHERE import_id = $1 AND ($2::text IS NULL OR of ->> 'kind' = $2)`;
const COUNT_FINDINGS = `SELECT count(*) AS total ${FINDING_ROWS}`;
const FINDINGS = `SELECT line, of ${FINDING_ROWS} ORDER BY line, number LIMIT $3 OFFSET $4`;
