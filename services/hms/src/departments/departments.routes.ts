import { changeDepartment, DEPARTMENT_CYCLE, departments } from '@hms/domain/departments';
import { isStaffed } from '@hms/domain/employees';
import { type Route, resource } from '@hms/service';

export const departmentRoutes: readonly Route[] = resource(departments, {
  path: '/api/hms/departments',
  access: { read: 'departments.read', write: 'departments.write', remove: 'departments.write' },
  update: {
    errors: [DEPARTMENT_CYCLE],
    run: (context, id, changes) => changeDepartment(context, id, changes, context.version),
  },
  remove: { summary: 'Delete a department to which nothing belongs', users: { employees: isStaffed } },
  steps: {
    deactivate: { to: 'inactive', summary: 'Put a department out of use' },
    activate: { to: 'active', summary: 'Use a department again' },
  },
});
