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

/** Ids of those who can, for a filter. */
export function doctorIds(): Knex.QueryBuilder {
  return build
    .from('employees')
    .whereIn('status', [...WORKING])
    .whereRaw('roles @> ?::jsonb', [JSON.stringify([DOCTOR])])
    .select('id');
}
