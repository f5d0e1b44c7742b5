/** Codes and names of patients, for lists of other records. */
import type { Work } from '@hms/service';

export interface PatientName {
  readonly patientCode: string;
  readonly patientName: string;
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
  SELECT id, patient_code AS "patientCode", first_name || ' ' || last_name AS "patientName"
  FROM patients WHERE id = ANY ($1)`;
