/** Employees in the order of their last change. */
import { build } from '@hms/database';
import type { Feed } from '@hms/service';

export const employeeFeed: Feed<'code' | 'name' | 'searched' | 'phone'> = {
  rows: () => build.from('employees').whereNull('deleted_at'),
  id: 'id',
  changedAt: 'updated_at',
  fields: { code: 'employee_code', name: "first_name || ' ' || last_name", searched: 'search', phone: 'phone' },
};
