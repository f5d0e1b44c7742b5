/** Codes and names of patients, for lists of other records. */
import type { Work } from '@hms/service';

export interface PatientName {
  readonly patientCode: string;
  readonly patientName: string;
}

/** What a patient is called: by the parts of the name that are known, or by the code as long as none is. */
export function patientNameOf({ firstName, lastName, patientCode }: Named): string {
  return [firstName, lastName].filter(Boolean).join(' ') || patientCode;
}

interface Named {
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly patientCode: string;
}

/** As `patientNameOf`, in SQL. */
export const FULL_NAME = "coalesce(nullif(concat_ws(' ', first_name, last_name), ''), patient_code)";

/** What a patient is called, in SQL. @param id such as a column */
export function patientNameIn(id: string): string {
  return `(SELECT ${FULL_NAME} FROM patients WHERE id = ${id})`;
}

/**
 * Reads what patients are called, also of deleted ones. The audit log has no event.
 * @returns code and name by id. Both are empty for an id that no patient has.
 */
export async function patientNames({ trx }: Work, ids: readonly string[]): Promise<(id: string) => PatientName> {
  const unique = [...new Set(ids)];
  const rows = unique.length === 0 ? [] : await trx.query<Row>(NAMES, [unique]);
  const names = new Map(rows.map(({ id, ...name }) => [id, name]));
  return (id) => names.get(id) ?? { patientCode: '', patientName: '' };
}

interface Row extends PatientName {
  readonly id: string;
}

const NAMES = `
  SELECT id, patient_code AS "patientCode", ${FULL_NAME} AS "patientName"
  FROM patients WHERE id = ANY ($1)`;
