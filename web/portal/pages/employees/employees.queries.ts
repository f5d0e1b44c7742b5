/** What the pages of employees read. */
import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, envelopeOf, type Schemas } from '../../../kit/api/api.ts';
import { type ListSearch, listQuery } from '../../../kit/lists/list-search.ts';

export type Employee = Schemas['Employee'];
export type EmployeeStatus = Employee['status'];

/** The roles of people in every hospital, as administrators think of them. */
export const ROLES: readonly string[] = [
  ...['OWNER', 'ADMIN', 'DOCTOR', 'NURSE', 'RECEPTION'],
  ...['LAB_TECH', 'PHARMACIST', 'CASHIER', 'ACCOUNTANT'],
];

export interface EmployeeSearch extends ListSearch {
  readonly role?: string | undefined;
  readonly status?: EmployeeStatus | undefined;
}

export const employeeKeys = {
  all: 'employees',
  list: (search: EmployeeSearch) => ['employees', 'list', search] as const,
  one: (id: string) => ['employees', id] as const,
};

export function readEmployees({ role, status, ...search }: EmployeeSearch, signal: AbortSignal) {
  const query = { ...listQuery(search), ...(role ? { role } : {}), ...(status ? { status } : {}) };
  return envelopeOf(api.GET('/api/hms/employees', { params: { query }, signal }));
}

export function employeeQuery(id: string) {
  return queryOptions({
    queryKey: employeeKeys.one(id),
    queryFn: ({ signal }) => dataOf(api.GET('/api/hms/employees/{id}', { params: { path: { id } }, signal })),
  });
}
