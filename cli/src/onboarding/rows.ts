/** Hospitals in a CSV file: one row is one hospital. */
import type { Manifest } from '@hms/local';
import { prefixProblem } from '@hms/tenancy';
import { CsvError, parse } from 'csv-parse/sync';
import { nearest } from '../definition.ts';
import { EXIT, Exit } from '../exit.ts';

/** Columns with the fields that they set. A field of the type `list` has its values separated by blanks. */
export const COLUMNS = {
  prefix: 'metadata.name',
  displayName: 'spec.displayName',
  timezone: 'spec.timezone',
  currency: 'spec.currency',
  country: 'spec.settings.country',
  language: 'spec.settings.language',
  address: 'spec.settings.address',
  phone: 'spec.settings.phone',
  registrationNumber: 'spec.settings.registrationNumber',
  taxNumber: 'spec.settings.taxNumber',
  patientCodeLetters: 'spec.settings.patientCodeLetters',
  ownerEmail: 'spec.owner.email',
  ownerFirstName: 'spec.owner.firstName',
  ownerLastName: 'spec.owner.lastName',
  primaryColor: 'spec.theme.primaryColor',
  secondFactor: 'spec.identity.secondFactor',
  hosts: 'spec.gateway.hosts',
  deletionPolicy: 'spec.deletionPolicy',
  state: 'spec.state',
} as const;
export type Column = keyof typeof COLUMNS;

const REQUIRED: readonly Column[] = ['prefix', 'displayName'];
const LISTS: readonly Column[] = ['hosts'];

/** A hospital of the file. */
export interface Row {
  /** As a spreadsheet counts, where the heading is in row 1. */
  readonly number: number;
  readonly values: Readonly<Partial<Record<Column, string>>>;
}

export interface RowProblem {
  /** Row of the file. */
  readonly row: number;
  /** Undefined if the whole row is wrong. */
  readonly column: Column | undefined;
  readonly message: string;
}

/**
 * Reads comma-, semicolon- or tab-separated values, with or without a byte order mark.
 * @param source for messages.
 * @throws Exit that names what is wrong with the columns or the quotes.
 */
export function readRows(text: string, source: string): Row[] {
  const records = recordsIn(text, source);
  const [heading, ...others] = records;
  if (!heading) throw new Exit(EXIT.usage, `${source} is empty: write a heading like ${REQUIRED.join(',')},timezone.`);
  const columns = heading.cells.map((cell) => cell.trim());
  const problem = columnProblem(columns, source);
  if (problem) throw new Exit(EXIT.usage, problem);
  const wide = others.find(({ cells }) => cells.length !== columns.length);
  if (wide)
    throw new Exit(
      EXIT.usage,
      `${source} row ${wide.number} has ${wide.cells.length} cells, and the heading has ${columns.length}: quote a cell that contains a separator.`,
    );
  if (others.length === 0) throw new Exit(EXIT.usage, `${source} has a heading and no hospitals: write one per row.`);
  return others.map(({ number, cells }) => ({
    number,
    values: Object.fromEntries(
      columns.flatMap((column, index) => {
        const value = cells[index]?.trim() ?? '';
        return value === '' ? [] : [[column, value]];
      }),
    ),
  }));
}

/** Rows with their numbers. Empty rows count, and are left out. */
function recordsIn(text: string, source: string): { number: number; cells: string[] }[] {
  const first = text.replace(/^\uFEFF/, '').split(/\r?\n/, 1)[0] ?? '';
  const delimiter = [',', ';', '\t'].sort((a, b) => first.split(b).length - first.split(a).length)[0] ?? ',';
  try {
    const records = parse(text, { bom: true, delimiter, relax_column_count: true, skip_empty_lines: false });
    return (records as string[][]).flatMap((cells, index) =>
      cells.every((cell) => cell.trim() === '') ? [] : [{ number: index + 1, cells }],
    );
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const row = Number(error.records ?? error.lines);
    throw new Exit(
      EXIT.usage,
      `${source} can't be read as CSV${row ? ` near row ${row + 1}` : ''}: ${error.message}. Double quotation marks inside a quoted cell.`,
    );
  }
}

function columnProblem(columns: readonly string[], source: string): string | undefined {
  const known = Object.keys(COLUMNS);
  const unknown = columns.filter((column) => !known.includes(column));
  if (unknown.length > 0)
    return unknown
      .map((column) => {
        const near = nearest(column, known);
        return `${source} has an unknown column "${column}"${near ? `: did you mean ${near}?` : `: the columns are ${known.join(', ')}.`}`;
      })
      .join('\n');
  const twice = columns.find((column, index) => columns.indexOf(column) !== index);
  if (twice !== undefined) return `${source} has the column ${twice} twice: keep one of them.`;
  const missing = REQUIRED.filter((column) => !columns.includes(column));
  return missing.length > 0 ? `${source} has no column ${missing.join(', ')}: add it to the heading.` : undefined;
}

/** What is wrong with the rows before the API server sees them: names, and those that are there twice. */
export function problemsIn(rows: readonly Row[]): RowProblem[] {
  const first = new Map<string, number>();
  return rows.flatMap(({ number, values }) => {
    const problems: RowProblem[] = REQUIRED.filter((column) => values[column] === undefined).map((column) => ({
      ...{ row: number, column },
      message: 'is empty: every hospital needs one.',
    }));
    const { prefix } = values;
    if (prefix === undefined) return problems;
    const wrong = prefixProblem(prefix);
    if (wrong) problems.push({ row: number, column: 'prefix', message: `${wrong}.` });
    const earlier = first.get(prefix);
    if (earlier === undefined) first.set(prefix, number);
    else problems.push({ row: number, column: 'prefix', message: `"${prefix}" is also in row ${earlier}: keep one.` });
    return problems;
  });
}

/** Owners of several hospitals, who get an invitation from each. */
export function sharedOwners(rows: readonly Row[]): string[] {
  const byOwner = Map.groupBy(
    rows.filter(({ values }) => values.ownerEmail !== undefined),
    ({ values }) => values.ownerEmail?.toLowerCase() ?? '',
  );
  return [...byOwner]
    .filter(([, same]) => same.length > 1)
    .map(
      ([email, same]) => `${email} owns ${same.length} hospitals: rows ${same.map((row) => row.number).join(', ')}.`,
    );
}

/** The manifest of a row. An empty cell sets nothing. */
export function manifestOf({ values }: Row): Manifest {
  const manifest: Record<string, unknown> = { apiVersion: 'hms.dev/v1', kind: 'Hospital' };
  for (const [column, value] of Object.entries(values) as [Column, string][]) {
    const path = COLUMNS[column].split('.');
    const last = path.pop() ?? '';
    let place = manifest;
    for (const name of path) {
      place[name] ??= {};
      place = place[name] as Record<string, unknown>;
    }
    place[last] = LISTS.includes(column) ? value.split(/\s+/) : value;
  }
  return manifest as unknown as Manifest;
}
