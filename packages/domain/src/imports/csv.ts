/** Reads CSV files of spreadsheets and instruments: any of four separators, and any spelling of the columns. */
import { Readable } from 'node:stream';
import { type ErrorKind, invalidFields, Problem } from '@hms/service';
import { parse } from 'csv-parse';

export const IMPORT_FILE_INVALID: ErrorKind = {
  status: 422,
  code: 'IMPORT_FILE_INVALID',
  message: 'The file is no CSV file with the right columns',
};

export interface CsvFormat {
  /** Of the columns that a file may have. */
  readonly names: readonly string[];
  /** Of those that it must have. */
  readonly required: readonly string[];
  readonly mostRows: number;
}

export interface CsvRow {
  /** As a spreadsheet shows it. The row with the names of the columns is usually 1. */
  readonly line: number;
  /** As written, by column. */
  readonly cells: Readonly<Record<string, string>>;
  /** What is wrong with the row as a whole. */
  readonly problem?: string;
}

/** The rows of a file, after a check of its first line. @throws Problem IMPORT_FILE_INVALID. */
export async function* csvRows(csv: string, { names, required, mostRows }: CsvFormat): AsyncIterable<CsvRow> {
  // Characters that no text has, or half of one: PostgreSQL stores neither.
  if (/[\ufffd\0]/.test(csv) || !csv.isWellFormed()) throw invalidFile('is not in UTF-8: save it as "CSV UTF-8"');
  let columns: readonly (string | undefined)[] | undefined;
  for await (const { line, cells } of csvLines(csv, separatorOf(csv), mostRows)) {
    if (!columns) {
      const problem = headerProblem(cells, names, required);
      if (problem !== undefined) throw invalidFile(problem);
      columns = cells.map((written) => columnOf(written, names));
      continue;
    }
    const named = columns.flatMap((name, index) => (name === undefined ? [] : [[name, cells[index] ?? ''] as const]));
    const row = { line, cells: Object.fromEntries(named) };
    if (cells.length === columns.length) yield row;
    else
      yield { ...row, problem: `has ${cells.length} cells, but line 1 has ${columns.length}: quote cells with commas` };
  }
}

/**
 * The cells of a row of a file, with its number in a spreadsheet: a cell may have several lines in quotes, empty rows
 * count, and a line `sep=;` does not.
 */
export interface CsvLine {
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * The lines of a file that are not empty, that with the names of the columns included.
 * @param mostRows without that line.
 * @throws Problem IMPORT_FILE_INVALID.
 */
export async function* csvLines(csv: string, separator: string, mostRows: number): AsyncIterable<CsvLine> {
  const declared = csv.match(DECLARED)?.[0] ?? '';
  const parser = Readable.from(pieces(csv.slice(declared.length, csv.endsWith(END_OF_FILE) ? -1 : undefined))).pipe(
    parse({
      bom: true,
      delimiter: separator,
      relaxColumnCount: true,
      maxRecordSize: LONGEST_ROW,
    }),
  );
  let line = 0;
  let rows = -1;
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      line += 1;
      if (cells.every((cell) => cell.trim() === '')) continue;
      rows += 1;
      if (rows > mostRows) throw invalidFile(`has more than ${mostRows} rows: split it`);
      yield { line, cells };
    }
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw invalidFile(`is no CSV file: ${(error as Error).message}`);
  }
}

export const SEPARATORS = [',', ';', '\t', '|'] as const;
export type Separator = (typeof SEPARATORS)[number];

/** The separator that the file declares in a line `sep=;`, or that its first line has most outside of quotes. */
export function separatorOf(csv: string): Separator {
  const declared = SEPARATORS.find((one) => one === csv.match(DECLARED)?.[1]);
  if (declared !== undefined) return declared;
  const [first = ''] = csv
    .slice(0, LONGEST_ROW)
    .trimStart()
    .split(/[\r\n]/, 1);
  const often = (separator: string) => first.replaceAll(/"[^"]*"/g, '').split(separator).length;
  return SEPARATORS.reduce((best, one) => (often(one) > often(best) ? one : best));
}

/** The last character of files of DOS. */
const END_OF_FILE = '\x1a';

/** What Excel writes and reads to name the separator. */
const DECLARED = /^\ufeff?"?sep=([,;\t|])"?\r?\n/i;

/** @param field of the request's body that is wrong. */
export function invalidFile(message: string, field = 'csv'): Problem {
  return invalidFields([{ field, in: 'body', message }], IMPORT_FILE_INVALID);
}

/** The begin of a cell, to be shown beside what is wrong with it. */
export function excerpt(cell: string | undefined): string | undefined {
  return cell && [...cell.slice(0, 2 * LONGEST_EXCERPT)].slice(0, LONGEST_EXCERPT).join('').toWellFormed();
}

/** In characters, of which some have two units. */
const LONGEST_EXCERPT = 100;
const LONGEST_ROW = 20_000;
const PIECE = 65_536;

/** The parser gives others their turn between pieces. */
function* pieces(text: string): Iterable<string> {
  for (let at = 0; at < text.length; at += PIECE) yield text.slice(at, at + PIECE);
}

/** What is wrong with the first line of a file, or undefined. @param header as written. */
function headerProblem(
  header: readonly string[],
  all: readonly string[],
  required: readonly string[],
): string | undefined {
  const names = header.map((written) => columnOf(written, all));
  const unknown = header.find((_, index) => names[index] === undefined);
  const known = `The columns are ${all.join(', ')}`;
  if (unknown !== undefined) return `line 1 has an unknown column "${unknown.slice(0, 40)}". ${known}`;
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return `line 1 has the column ${twice} twice`;
  const missing = required.filter((name) => !names.includes(name));
  return missing.length > 0 ? `line 1 lacks the columns ${missing.join(', ')}. ${known}` : undefined;
}

/** `First name`, `first_name` and `FIRSTNAME` are `firstName`. */
function columnOf(written: string, all: readonly string[]): string | undefined {
  const bare = (name: string) => name.replaceAll(/[^A-Za-z]/g, '').toLowerCase();
  return all.find((name) => bare(name) === bare(written));
}
