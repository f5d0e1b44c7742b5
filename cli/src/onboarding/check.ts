/** Finds all that the API server refuses in rows, with the columns. */
import { Refused } from '../cluster.ts';
import type { Hospital, Hospitals } from '../hospitals.ts';
import { COLUMNS, type Column, manifestOf, type Row, type RowProblem } from './rows.ts';

/** The field manager of onboarding: a file owns the fields of its columns, and no others. */
export const ONBOARDING = 'hmsctl-onboard';

/**
 * Dry-runs a row. The API server checks rules only in an object without wrong types, and requires all parts of an owner, so
 * what it refuses is replaced, and the rest is tried again.
 * @returns the hospital as it would be, or everything that is wrong.
 */
export async function checkRow(hospitals: Hospitals, row: Row): Promise<Hospital | readonly RowProblem[]> {
  const problems: RowProblem[] = [];
  let values = row.values;
  for (;;) {
    try {
      const hospital = await hospitals.apply(manifestOf({ ...row, values }), { dryRun: true, manager: ONBOARDING });
      return problems.length > 0 ? problems : hospital;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const found = refusals(error.message).filter(
        ({ column, message }) =>
          column !== undefined || problems.length === 0 || !/^some validation rules were not checked/.test(message),
      );
      const fresh = found.filter(
        ({ column }) => !problems.some((known) => known.column === column && column !== undefined),
      );
      const named = fresh.filter(({ column }) => column !== undefined);
      // The summary that rules were not checked is worth a line only if nothing else is known.
      const worth = named.length > 0 ? named : fresh;
      problems.push(...worth.map((problem) => ({ row: row.number, ...problem })));
      if (named.length === 0) return problems;
      values = { ...values };
      for (const { column } of named) replace(values, column as Column, row);
    }
  }
}

/** Placeholders that pass, for what every hospital needs. They are only for dry runs. */
function replace(values: Partial<Record<Column, string>>, column: Column, row: Row): void {
  if (column === 'prefix') values[column] = placeholder(row);
  else if (column === 'displayName') values[column] = 'Hospital';
  else if (column.startsWith('owner')) values[column] = column === 'ownerEmail' ? 'owner@hospital.example' : 'Ann';
  else delete values[column];
}

/** A name for dry runs of a row without a valid one. */
export function placeholder({ number }: Row): string {
  return `onboarding-row-${number}`;
}

/** Exported for tests. @param message of the API server. @returns its parts, with the columns of their fields. */
export function refusals(message: string): Omit<RowProblem, 'row'>[] {
  const [, list] = /^Hospital\.hms\.dev "[^"]*" is invalid: (.*)$/s.exec(message) ?? [];
  if (list === undefined) return [{ column: undefined, message }];
  const parts = list
    .replace(/^\[(.*)\]$/s, '$1')
    .split(/, (?=(?:spec|metadata|<nil>)[^\s:]*: (?:Invalid|Required|Unsupported|Too|Forbidden|Duplicate|Not))/);
  return parts.map((part) => {
    const [, field = '', text = part] = /^(\S+?): (.*)$/s.exec(part) ?? [];
    const message = sentenceOf(text);
    return { column: message.startsWith('metadata.name ') ? 'prefix' : columnOf(field), message };
  });
}

/** A list's field has an index, as in `spec.gateway.hosts[0]`. A missing part of an owner has the owner's field. */
function columnOf(field: string): Column | undefined {
  const name = field.replace(/\[.*$/, '');
  return (Object.keys(COLUMNS) as Column[]).find((column) => COLUMNS[column] === name);
}

/** The sentence of a rule, without what the API server writes before it. */
function sentenceOf(text: string): string {
  return text
    .replace(/^Invalid value: (?:"(?:\\.|[^"\\])*"|\S+?): /s, '')
    .replace(/^Unsupported value: ("(?:\\.|[^"\\])*"): supported values: (.*)$/s, '$1 is not allowed: write $2.')
    .replace(/^Too long: may not be more than (\d+) (?:bytes|characters)$/, 'is too long: write at most $1 characters.')
    .replace(/^Required value$/, 'is missing.');
}
