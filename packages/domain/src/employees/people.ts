/** Employees as other records refer to them: by their account, or as somebody who is responsible. */
import { build, type HospitalRoleRow, readHospitalRoles } from '@hms/database';
import { records, type Work } from '@hms/service';
import { type Employee, employees } from './employees.ts';

/** Names by the id of the account, also of those who have left. An account without an employee has none. */
export async function namesOfAccounts(
  { trx }: Work,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(accountIds)].filter((id) => UUID.test(id));
  if (ids.length === 0) return new Map();
  const rows = build.from('employees').whereIn('account_id', ids).orderBy('created_at');
  const found = await trx.run<Row>(rows.select('account_id', 'first_name', 'last_name'));
  return new Map(found.map((row) => [row.account_id, nameOf({ firstName: row.first_name, lastName: row.last_name })]));
}

/** What to call whoever acts, where it is kept: as an employee, or else as the account says. */
export async function nameOfCaller(work: Work): Promise<string | null> {
  const { sub, name, email } = work.caller;
  return (await namesOfAccounts(work, [sub])).get(sub) ?? name ?? email ?? null;
}

/** An employee who may do something now, or undefined. */
export async function employeeWith(work: Work, id: string, permission: string): Promise<Employee | undefined> {
  const [employee, roles] = await Promise.all([records(work, employees).find(id), readHospitalRoles(work.trx)]);
  if (!employee || employee.deletedAt !== undefined || employee.status === 'terminated') return undefined;
  const may = roles.some((role) => employee.roles.includes(role.name) && gives(role, permission));
  return may ? employee : undefined;
}

/** Addresses of the active employees who may do something now. */
export async function addressesWith({ trx }: Work, permission: string): Promise<readonly string[]> {
  const roles = (await readHospitalRoles(trx)).filter((role) => gives(role, permission));
  const found = await trx.query<{ email: string }>(WITH_ROLES, [roles.map(({ name }) => name)]);
  return found.map(({ email }) => email);
}

/** How many employees have an open account that they have used. */
export async function countActiveEmployees({ trx }: Pick<Work, 'trx'>): Promise<number> {
  const [row] = await trx.query<{ count: number }>(
    "SELECT count(*) FROM employees WHERE status = 'active' AND deleted_at IS NULL",
  );
  return row?.count ?? 0;
}

export function nameOf({ firstName, lastName }: Pick<Employee, 'firstName' | 'lastName'>): string {
  return `${firstName} ${lastName}`;
}

function gives({ permissions, withheld }: HospitalRoleRow, permission: string): boolean {
  return permissions.includes(permission) && !withheld.includes(permission);
}

const WITH_ROLES = `
  SELECT email FROM employees
  WHERE status = 'active' AND deleted_at IS NULL AND roles ?| $1 ORDER BY email`;

interface Row {
  readonly account_id: string;
  readonly first_name: string;
  readonly last_name: string;
}

/** Background tasks are no accounts. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
