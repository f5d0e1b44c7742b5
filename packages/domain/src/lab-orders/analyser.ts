/**
 * Results that an analyser has written to a CSV file.
 *
 * A file is one transaction. Each row is imported or refused as a whole, and the answer names what is wrong with it. A
 * row that was imported before is the same specimen, test, value and time, and is left out, so a file can be sent again
 * with the same outcome: of two different rows for one test, the one that was imported stays.
 * Orders are locked in the order of their ids, so that two files can't deadlock.
 */
import { fields, type Work } from '@hms/service';
import { z } from 'zod';
import { csvRows, excerpt, invalidFile } from '../imports/csv.ts';
import { readValue } from '../lab-tests/values.ts';
import { type LockedOrder, lockOrder, settleOrder } from './change.ts';
import type { Item } from './parts.ts';
import { accessionNoIn } from './record.ts';
import { type Catalogue, catalogueOf, type Entered, entryProblem, storeResults, testOf } from './results.ts';
import { isPlausible, ordersOfSpecimens } from './specimens.ts';

export const ANALYSER_COLUMNS = ['accessionNo', 'testCode', 'value', 'unit', 'measuredAt'] as const;
export const REQUIRED_ANALYSER_COLUMNS = ['accessionNo', 'testCode', 'value'] as const;
type Column = (typeof ANALYSER_COLUMNS)[number];

/** In rows: an analyser writes a file for each rack. They are one transaction. */
export const MOST_ANALYSER_ROWS = 1_000;
/** In characters. */
export const LONGEST_ANALYSER_FILE = 500_000;

export const analyserFile = z
  .object({
    csv: z
      .string()
      .min(1)
      .max(LONGEST_ANALYSER_FILE)
      .describe(
        'The content of the file, in UTF-8. Columns are separated by commas, semicolons, tabs or vertical bars',
      ),
    dryRun: z.boolean().default(false).describe('Only says what would happen'),
  })
  .meta({ id: 'LabAnalyserFile' });

export const analyserOutcome = z
  .object({
    total: z.int().describe('Rows of the file'),
    imported: z.int().describe('Rows that became results'),
    repeated: z.int().describe('Rows that were imported before'),
    wrong: z.int().describe('Rows that were not imported, because something is wrong with them'),
    problems: z.array(
      z
        .object({
          line: z.int().describe('The row, as a spreadsheet shows it. That with the names of columns is usually 1'),
          column: z.enum(ANALYSER_COLUMNS).nullable().describe('Null for a problem of the whole row'),
          value: z.string().nullable().describe('What the file has there'),
          message: z.string(),
        })
        .meta({ id: 'LabAnalyserProblem' }),
    ),
  })
  .meta({ id: 'LabAnalyserOutcome' });
type Outcome = z.output<typeof analyserOutcome>;

interface Row {
  readonly line: number;
  readonly cells: Readonly<Partial<Record<Column, string>>>;
  readonly accessionNo: string;
}

/** What is wrong with a row. */
interface RowProblem {
  readonly column?: Column;
  readonly message: string;
}

/** @throws Problem IMPORT_FILE_INVALID if it is no CSV file with the right columns, or has too many rows. */
export async function importAnalyserFile(work: Work, { csv, dryRun }: z.output<typeof analyserFile>): Promise<Outcome> {
  const problems: Outcome['problems'] = [];
  const refuse = ({ line, cells }: Pick<Row, 'line' | 'cells'>, { column = undefined, message }: RowProblem) => {
    const value = (column && excerpt(cells[column])) || null;
    problems.push({ line, column: column ?? null, value, message });
  };
  const rows: Row[] = [];
  let total = 0;
  const format = { names: ANALYSER_COLUMNS, required: REQUIRED_ANALYSER_COLUMNS, mostRows: MOST_ANALYSER_ROWS };
  for await (const { line, cells, problem } of csvRows(csv, format)) {
    total += 1;
    if (problem === undefined) rows.push({ line, cells, accessionNo: accessionNoIn(cells.accessionNo ?? '') });
    else refuse({ line, cells }, { message: problem });
  }
  if (total === 0) throw invalidFile('has no rows');

  const orders = await ordersOfSpecimens(work, [...new Set(rows.map(({ accessionNo }) => accessionNo))]);
  const byOrder = Map.groupBy(rows, ({ accessionNo }) => orders.get(accessionNo) ?? '');
  for (const row of byOrder.get('') ?? [])
    refuse(row, { column: 'accessionNo', message: 'is no specimen of this hospital' });
  byOrder.delete('');

  // All at once: each first statement is the lock, and statements are sent in this order.
  const counts = await Promise.all(
    [...byOrder]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([orderId, some]) => importRows(work, orderId, some, dryRun, refuse)),
  );
  const sum = (of: keyof Counts) => counts.reduce((all, one) => all + one[of], 0);
  problems.sort((one, other) => one.line - other.line);
  return { total, imported: sum('imported'), repeated: sum('repeated'), wrong: problems.length, problems };
}

interface Counts {
  readonly imported: number;
  readonly repeated: number;
}

/** Imports the rows of one order. */
async function importRows(
  work: Work,
  orderId: string,
  rows: readonly Row[],
  dryRun: boolean,
  refuse: (row: Row, problem: RowProblem) => void,
): Promise<Counts> {
  const locked = await lockOrder(work, orderId, undefined);
  const [catalogue, known] = await Promise.all([catalogueOf(work, locked), knownOf(work, orderId)]);
  const readable = rows.flatMap((row) => {
    const read = readRow(work, locked, catalogue, row);
    if (!('problem' in read)) return { row, read };
    refuse(row, read.problem);
    return [];
  });
  // The row that counts, of each test: a file that comes again has the same one.
  const chosen = new Map<string, Row>();
  for (const { row, read } of readable.toReversed()) if (known.has(keyOf(read))) chosen.set(read.item.id, row);
  const entered: Entered[] = [];
  let repeated = 0;
  for (const { row, read } of readable) {
    const problem = known.has(keyOf(read)) ? undefined : problemBeside(read, chosen.get(read.item.id));
    if (problem) refuse(row, problem);
    else if (known.has(keyOf(read))) repeated += 1;
    else {
      known.add(keyOf(read));
      chosen.set(read.item.id, row);
      entered.push(read);
    }
  }
  if (!dryRun && entered.length > 0) {
    await storeResults(work, locked, catalogue, entered);
    await settleOrder(work, locked.order);
  }
  return { imported: entered.length, repeated };
}

/** Why a row does not replace what its test has, or undefined. @param other row of the same file for the same test. */
function problemBeside({ item, measuredAt = null }: Entered, other: Row | undefined): RowProblem | undefined {
  if (item.verifiedAt !== null) {
    return { column: 'testCode', message: 'has another value, which is verified: amend it' };
  }
  if (other) {
    const message = `is also in line ${other.line}, with another value or time: leave one of the two lines in the file`;
    return { column: 'testCode', message };
  }
  const current = item.result && (item.result.measuredAt ?? item.result.enteredAt);
  if (measuredAt === null || current === null || Date.parse(measuredAt) >= Date.parse(current)) return undefined;
  const message = `is before the current result, which is of ${current}: enter the value by hand if it is right`;
  return { column: 'measuredAt', message };
}

/** A row as a result, or the first thing that is wrong with it. */
function readRow(
  { trx }: Work,
  locked: LockedOrder,
  catalogue: Catalogue,
  { cells, accessionNo }: Row,
): Entered | { readonly problem: RowProblem } {
  const specimen = locked.specimens.find((one) => one.accessionNo === accessionNo);
  if (specimen?.status === 'rejected') return { problem: { column: 'accessionNo', message: 'is a rejected specimen' } };
  const code = cells.testCode?.trim().toLowerCase() ?? '';
  const item = locked.items.find(
    (one) => one.specimenId === specimen?.id && testOf(catalogue, one).code.toLowerCase() === code,
  );
  if (!item) return { problem: { column: 'testCode', message: 'is not ordered for this specimen' } };
  const test = testOf(catalogue, item);
  const unit = cells.unit?.trim() ?? '';
  if (unit !== '' && unit !== (test.unit ?? '')) {
    const expected = test.unit === null ? 'must be empty' : `must be ${test.unit}`;
    return { problem: { column: 'unit', message: `${expected}: values are not converted` } };
  }
  const written = fields.line(500).safeParse(cells.value ?? '');
  const read = written.success ? readValue(test, written.data) : { problem: written.error.issues[0]?.message ?? '' };
  if ('problem' in read) return { problem: { column: 'value', message: read.problem } };
  const time = cells.measuredAt?.trim() ?? '';
  const measured = time === '' ? undefined : fields.instant.safeParse(time);
  if (measured && !measured.success) {
    const message = 'must be a date and time with its offset, like 2026-01-31T08:00:00Z';
    return { problem: { column: 'measuredAt', message } };
  }
  if (measured && !isPlausible(locked.order, measured.data, trx.moment)) {
    const message = 'must not be in the future, nor more than 7 days before the order: set the clock of the analyser';
    return { problem: { column: 'measuredAt', message } };
  }
  const refusal = item.verifiedAt === null ? entryProblem(locked, item) : undefined;
  if (refusal !== undefined) return { problem: { message: refusal } };
  return { item, value: read.value, source: 'analyser', measuredAt: measured?.data ?? null };
}

function keyOf({ item, value, measuredAt = null }: Pick<Entered, 'value' | 'measuredAt'> & { item: Known }): string {
  return [item.id, item.specimenId, value, measuredAt].join('\n');
}

type Known = Pick<Item, 'id' | 'specimenId'>;

/** What analysers have sent for an order. */
async function knownOf({ trx }: Work, orderId: string): Promise<Set<string>> {
  const rows = await trx.query<KnownRow>(KNOWN, [orderId]);
  return new Set(
    rows.map(({ item_id, specimen_id, value, measured_at }) =>
      keyOf({ item: { id: item_id, specimenId: specimen_id }, value, measuredAt: measured_at?.toISOString() ?? null }),
    ),
  );
}

interface KnownRow {
  readonly item_id: string;
  readonly specimen_id: string;
  readonly value: string;
  readonly measured_at: Date | null;
}

const KNOWN = `
  SELECT item_id, specimen_id, value, measured_at FROM lab_results WHERE order_id = $1 AND source = 'analyser'`;
