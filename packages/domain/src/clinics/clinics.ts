/** Clinics of a hospital, where people wait and are seen: the table `clinics`. */
import { build } from '@hms/database';
import { type Constraints, type ErrorKind, fields, record, type Work } from '@hms/service';
import type { z } from 'zod';

export const clinics = record('clinics', {
  name: 'clinic',
  fields: {
    code: fields.line(20).describe('Short and unique, such as `ENT-1`'),
    name: fields.line(100),
    departmentId: fields.id.nullish().describe('The department that runs it'),
  },
  sort: ['name'],
  defaultSort: 'name',
  filters: ['code', 'departmentId'],
  search: {},
  live: true,
});
export type Clinic = z.output<typeof clinics.item>;

const CLINIC_CODE_TAKEN: ErrorKind = {
  status: 409,
  code: 'CLINIC_CODE_TAKEN',
  message: 'Another clinic has this code: choose another one',
};

export const CLINIC_NOT_FOUND: ErrorKind = clinics.notFound;
export const clinicErrors: readonly ErrorKind[] = [CLINIC_CODE_TAKEN];
export const clinicConstraints: Constraints = { clinics_code: CLINIC_CODE_TAKEN };

/** Whether a locked department has clinics. */
export async function hasClinics({ trx }: Work, departmentId: string): Promise<boolean> {
  const rows = build.from('clinics').whereNull('deleted_at').where('department_id', departmentId);
  return (await trx.run(rows.select('id').limit(1))).length > 0;
}
