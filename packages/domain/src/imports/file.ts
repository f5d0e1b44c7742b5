/** A file with patients: how it is read, which of that is certain, and what a person has to decide. */
import { createHash } from 'node:crypto';
import { fields } from '@hms/service';
import { z } from 'zod';
import { COLUMN_FIELDS, type ColumnField, fieldsOfColumns, REQUIRED_COLUMNS } from './columns.ts';
import { type CsvLine, csvLines, invalidFile, SEPARATORS, type Separator, separatorOf } from './csv.ts';
import { DATE_ORDERS, type OrderEvidence, orderOf } from './dates.ts';
import { genderLetters } from './genders.ts';
import { formOf } from './phones.ts';
import { type Cells, type Reading, readRow } from './rows.ts';
import { type DecodedText, decodeText, ENCODINGS, foreignWords, type NoText } from './text.ts';

/** In rows. The file of a larger hospital can be split. */
export const MOST_ROWS = 50_000;
/** In bytes. In Base64, it is below the limit of a request. */
const LONGEST_FILE = 7_000_000;

const fieldOfColumn = z.enum(COLUMN_FIELDS).nullable();

/** A file, and what a person has decided about it. */
export const importFile = z.object({
  fileName: fields.line(255),
  content: z
    .base64('must be the bytes of a file in Base64')
    .min(1, 'must not be empty')
    .max(
      Math.ceil(LONGEST_FILE / 3) * 4,
      `must have at most ${LONGEST_FILE.toLocaleString('en')} bytes: split the file`,
    )
    .describe('The bytes of a CSV file in Base64'),
  encoding: z.enum(ENCODINGS).optional().describe('Default: as it is recognised'),
  separator: z.enum(SEPARATORS).optional().describe('Default: as it is recognised'),
  columns: z
    .array(fieldOfColumn)
    .max(200)
    .optional()
    .describe(
      'The field that each column fills, or null for one that is left out. Default: by the names of the columns',
    ),
  dateOrder: z
    .enum(DATE_ORDERS)
    .optional()
    .describe('Of dates with the year last: `dmy` or `mdy`. Default: as the dates of the file say it'),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be the two capital letters of a country, like IE')
    .optional()
    .describe('Of phone numbers without the code of a country. Default: the country of the hospital'),
});
type ImportFile = z.output<typeof importFile>;

const DECISIONS = ['encoding', 'columns', 'dateOrder'] as const;

export const importPreview = z
  .object({
    encoding: z.enum(ENCODINGS),
    words: z.array(z.string()).describe('Words of the file by which a person sees whether the encoding is right'),
    separator: z.enum(SEPARATORS),
    columns: z.array(
      z.object({
        name: z.string().describe('As the file has it'),
        field: fieldOfColumn.describe('The field that it fills. Null: it is left out'),
        values: z.array(z.string()).describe('The first ones, as the file has them'),
      }),
    ),
    dateOrder: z
      .enum(DATE_ORDERS)
      .nullable()
      .describe('Null if no date of the file depends on it, or nobody can tell it'),
    contradiction: z
      .array(z.int())
      .nullable()
      .describe('The rows of a date that has the day first, and of one that has the month first'),
    country: z.string().nullable(),
    total: z.int().describe('Rows of the file'),
    rows: z
      .array(z.object({ line: z.int(), read: z.partialRecord(z.enum(COLUMN_FIELDS), z.string()) }))
      .describe('The first ones, as they are read'),
    undecided: z
      .array(z.enum(DECISIONS))
      .describe('What an import has to say, because it is not certain: `encoding`, `columns` or `dateOrder`'),
    previousImportId: z.uuid().nullable().describe('The last import of the same file'),
  })
  .meta({ id: 'PatientImportPreview' });
export type ImportPreview = z.output<typeof importPreview>;

/** A file that has been read. */
export interface OpenFile {
  readonly sha256: string;
  readonly decoded: DecodedText;
  readonly separator: Separator;
  readonly header: readonly string[];
  readonly lines: readonly CsvLine[];
  /** The field of each column. */
  readonly columns: readonly (ColumnField | null)[];
  readonly order: OrderEvidence;
  readonly reading: Reading;
}

/** @param country of the hospital. @throws Problem IMPORT_FILE_INVALID. */
export async function openFile(file: ImportFile, country: string | undefined): Promise<OpenFile> {
  const bytes = Buffer.from(file.content, 'base64');
  const decoded = decodeText(bytes, file.encoding);
  if ('problem' in decoded) throw invalidFile(NO_TEXT[decoded.problem], 'content');
  const separator = file.separator ?? separatorOf(decoded.text);
  const lines: CsvLine[] = [];
  for await (const line of csvLines(decoded.text, separator, MOST_ROWS)) lines.push(line);
  const [header, ...rows] = lines;
  if (!header || rows.length === 0) throw invalidFile('has no rows: it needs a line with names of columns, and a row');
  const columns = file.columns ?? fieldsOfColumns(header.cells);
  if (columns.length !== header.cells.length) {
    throw invalidFile(`must have an entry for each of the ${header.cells.length} columns`, 'columns');
  }
  const cellsIn = (field: ColumnField) => {
    const at = columns.indexOf(field);
    return at < 0 ? [] : rows.map(({ line, cells }) => [line, cells[at] ?? ''] as const);
  };
  const textsIn = (field: ColumnField) => cellsIn(field).map(([, cell]) => cell);
  const order = orderOf(cellsIn('dateOfBirth'));
  const phoneCountry = file.country ?? country;
  return {
    sha256: createHash('sha256').update(bytes).digest('hex'),
    ...{ decoded, separator, columns, order },
    header: header.cells,
    lines: rows,
    reading: {
      dateOrder: file.dateOrder ?? order.order,
      country: phoneCountry,
      phoneForm: await formOf(textsIn('phone'), phoneCountry),
      genderLetters: genderLetters(header.cells[columns.indexOf('gender')] ?? '', textsIn('gender')),
    },
  };
}

const NO_TEXT: Readonly<Record<NoText, string>> = {
  workbook: 'is a workbook: save it as "CSV UTF-8" in the spreadsheet',
  encoding: 'has bytes that are no text in this encoding: save it as "CSV UTF-8"',
};

/**
 * Cells may be missing or empty after the last one that a patient needs, unless the next row is too short for a patient:
 * it may be the rest of this one, after the end of a line within a cell.
 * @param at the index of the row.
 */
export function hasRightCells({ header, columns, lines }: OpenFile, at: number): boolean {
  const [cells = [], next] = [lines[at]?.cells, lines[at + 1]?.cells];
  const lacksRequired = (row: readonly string[]) =>
    REQUIRED_COLUMNS.some((field) => columns.slice(row.length).includes(field));
  const isTorn = cells.length < header.length && next !== undefined && lacksRequired(next);
  return cells.slice(header.length).every((cell) => cell.trim() === '') && !lacksRequired(cells) && !isTorn;
}

/** The cells of a line, by the fields that they fill. */
export function cellsOf({ columns }: OpenFile, { cells }: CsvLine): Cells {
  return Object.fromEntries(columns.flatMap((field, at) => (field === null ? [] : [[field, cells[at] ?? '']])));
}

/** What has to be decided before an import: each with the reason. */
export function undecided(open: OpenFile, file: ImportFile): ReadonlyMap<(typeof DECISIONS)[number], string> {
  const { decoded, columns, header, order, reading } = open;
  const found = new Map<(typeof DECISIONS)[number], string>();
  if (!decoded.isCertain) {
    const words = foreignWords(decoded.text).slice(0, FEW).join(', ');
    found.set('encoding', `is not certain: send ${decoded.encoding} if these words are right: ${words}`);
  }
  const columnProblem = problemOfColumns(columns, file.columns === undefined ? header : []);
  if (columnProblem !== undefined) found.set('columns', columnProblem);
  if (reading.dateOrder === undefined && order.contradiction) {
    const [dmy, mdy] = order.contradiction;
    found.set('dateOrder', `is not certain: row ${dmy} has the day first, and row ${mdy} has the month first`);
  } else if (reading.dateOrder === undefined && order.ambiguous !== undefined) {
    found.set('dateOrder', `is not certain: the date in row ${order.ambiguous} can be read both ways. Send dmy or mdy`);
  }
  return found;
}

/** @param header names of columns of which each must have a field. */
function problemOfColumns(columns: readonly (ColumnField | null)[], header: readonly string[]): string | undefined {
  const unknown = header.find((name, at) => columns[at] === null && name.trim() !== '');
  if (unknown !== undefined) {
    return `the file has an unknown column "${unknown.slice(0, 40)}". The columns are ${COLUMN_FIELDS.join(', ')}. Send columns to leave others out`;
  }
  const twice = columns.find((field, at) => field !== null && columns.indexOf(field) !== at);
  if (twice !== undefined) return `two columns fill ${twice}`;
  const missing = REQUIRED_COLUMNS.filter((field) => !columns.includes(field));
  return missing.length > 0 ? `no column fills ${missing.join(', ')}` : undefined;
}

/** @param previousImportId the last import of the same file. */
export function previewOf(open: OpenFile, file: ImportFile, previousImportId: string | null): ImportPreview {
  const { decoded, separator, header, lines, columns, order, reading } = open;
  return {
    encoding: decoded.encoding,
    words: foreignWords(decoded.text).slice(0, FEW),
    separator,
    columns: header.map((name, at) => ({
      name,
      field: columns[at] ?? null,
      values: lines
        .map(({ cells }) => cells[at]?.trim() ?? '')
        .filter(Boolean)
        .slice(0, 3),
    })),
    dateOrder: reading.dateOrder ?? null,
    contradiction: order.contradiction ? [...order.contradiction] : null,
    country: reading.country ?? null,
    total: lines.length,
    rows: lines.slice(0, 5).map((line) => ({ line: line.line, read: readRow(cellsOf(open, line), reading).read })),
    undecided: [...undecided(open, file).keys()],
    previousImportId,
  };
}

/** Words that a person looks at. */
const FEW = 12;
