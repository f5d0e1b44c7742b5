/** Finds all that the API server refuses in rows, with the columns. */

import type { HospitalObject } from '@hms/hospitals';
import { Refused } from '../cluster.ts';
import { unknownFields } from '../definition.ts';
import type { Hospitals } from '../hospitals.ts';
import { COLUMNS, type Column, manifestOf, type Row, type RowProblem } from './rows.ts';

/** The field manager of onboarding: a file owns the fields of its columns, and no others. */
export const ONBOARDING = 'hmsctl-onboard';

/** Dry-runs a row. @returns the hospital as it would be, or everything that is wrong. */
export async function checkRow(hospitals: Hospitals, row: Row): Promise<HospitalObject | readonly RowProblem[]> {
  const problem = (field: string | undefined, message: string) => ({
    row: row.number,
    column: columnOf(field),
    message,
  });
  try {
    const { hospital, refusals } = await hospitals.check(manifestOf(row), ONBOARDING);
    return hospital ?? refusals.map(({ field, message }) => problem(field, unknownFields(message) ?? message));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return [problem(undefined, error.message)];
  }
}

/** A missing part of an owner has the owner's field. */
function columnOf(field: string | undefined): Column | undefined {
  return (Object.keys(COLUMNS) as Column[]).find((column) => COLUMNS[column] === field);
}
