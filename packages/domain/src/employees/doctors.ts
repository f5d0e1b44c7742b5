/** The employees who can see patients: those with the role DOCTOR, active or invited. */
import { build } from '@hms/database';
import { Problem, records, type Work } from '@hms/service';
import type { Knex } from 'knex';
import { NOT_A_DOCTOR } from './errors.ts';
import { type Employee, employees } from './record.ts';

const DOCTOR = 'DOCTOR';
const WORKING: readonly Employee['status'][] = ['active', 'invited'];

/** Locks a doctor until the transaction ends. @throws Problem EMPLOYEE_NOT_FOUND, NOT_A_DOCTOR */
export async function holdDoctor(work: Work, id: string): Promise<Employee> {
  const employee = await records(work, employees).lock(id);
  const { status, roles } = employee;
  if (!isDoctor(employee)) throw new Problem(NOT_A_DOCTOR, { details: { status, roles } });
  return employee;
}

/** Whether an employee can see patients at the moment. */
export function isDoctor({ status, roles }: Pick<Employee, 'status' | 'roles'>): boolean {
  return WORKING.includes(status) && roles.includes(DOCTOR);
}

/** Addresses of the active ones, of one department or of all. */
export async function addressesOfDoctors({ trx }: Work, departmentId: string | null): Promise<readonly string[]> {
  const rows: Knex.QueryBuilder = build.from('employees').where({ status: 'active' }).whereNull('deleted_at');
  rows.whereRaw('roles @> ?::jsonb', [JSON.stringify([DOCTOR])]);
  if (departmentId !== null) rows.where({ department_id: departmentId });
  const found = await trx.run<{ email: string }>(rows.select('email').orderBy('email'));
  return found.map(({ email }) => email);
}

/** Ids of those who can, for a filter. */
export function doctorIds(): Knex.QueryBuilder {
  return build
    .from('employees')
    .whereIn('status', [...WORKING])
    .whereRaw('roles @> ?::jsonb', [JSON.stringify([DOCTOR])])
    .select('id');
}
