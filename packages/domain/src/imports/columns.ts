/** The columns of a CSV file with patients. Pure. */
import { checkBody } from '@hms/service';
import { knownPatient } from '../patients/record.ts';

/** Each column with the field that it fills. Parts of an address are joined. */
const COLUMNS: Readonly<Record<string, Column>> = {
  firstName: text('firstName'),
  lastName: text('lastName'),
  phone: text('phone'),
  dateOfBirth: text('dateOfBirth'),
  email: text('email'),
  gender: { field: 'gender', read: (value) => value.toLowerCase() },
  bloodGroup: { field: 'bloodGroup', read: (value) => value.toUpperCase().replace('−', '-') },
  ...Object.fromEntries(
    ['street', 'city', 'region', 'postalCode', 'country'].map((part) => [part, { field: 'address', part, read: same }]),
  ),
  allergies: { field: 'allergies', read: (value) => listOf(value).map(allergy) },
  alerts: { field: 'alerts', read: listOf },
};

interface Column {
  readonly field: string;
  /** Part of the field. */
  readonly part?: string;
  read(value: string): unknown;
}

export const COLUMN_NAMES: readonly string[] = Object.keys(COLUMNS);
export const REQUIRED_COLUMNS = ['firstName', 'lastName', 'phone', 'dateOfBirth'] as const;

/** What is wrong with a cell, or with a whole row if it names no column. */
export interface RowProblem {
  readonly column?: string;
  readonly message: string;
}

export type NewRow = ReturnType<(typeof knownPatient)['parse']>;

/** Validates a row as the API validates a new patient. @param cells by column */
export function readRow(
  cells: Readonly<Record<string, string>>,
): { readonly patient: NewRow } | { readonly problems: readonly RowProblem[] } {
  const result = checkBody(knownPatient, bodyOf(cells));
  if ('value' in result) return { patient: result.value };
  const problems = result.problems.map(({ field: path, message }) => {
    const [field, part] = path.split('.');
    const column = COLUMN_NAMES.find(
      (name) => COLUMNS[name]?.field === field && (COLUMNS[name]?.part === undefined || COLUMNS[name]?.part === part),
    );
    return { ...(column === undefined ? {} : { column }), message };
  });
  return { problems };
}

/** An empty cell says nothing. Spreadsheets allow several lines in one. */
function bodyOf(cells: Readonly<Record<string, string>>): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [name, { field, part, read }] of Object.entries(COLUMNS)) {
    const value = cells[name]?.replaceAll(/\s+/g, ' ').trim();
    if (!value) continue;
    body[field] = part === undefined ? read(value) : { ...(body[field] as object | undefined), [part]: read(value) };
  }
  return body;
}

function text(field: string): Column {
  return { field, read: same };
}

function same(value: string): string {
  return value;
}

/** `a; b` */
function listOf(value: string): string[] {
  return value
    .split(';')
    .map((part) => part.trim())
    .filter(Boolean);
}

/** `Penicillin: severe` */
function allergy(written: string): object {
  const [substance = '', severity = ''] = written.split(':').map((part) => part.trim());
  return { substance, severity: severity.toLowerCase() };
}
