/** The states of employees, apart from the page: the route needs them before it loads. */
import type { EmployeeStatus } from './employees.queries.ts';

export const STATUSES = ['invited', 'active', 'suspended', 'terminated'] as const satisfies readonly EmployeeStatus[];
