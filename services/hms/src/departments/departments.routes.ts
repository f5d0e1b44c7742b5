import { departmentErrors, departments } from '@hms/domain/departments';
import { DEPARTMENT_IN_USE, requireUnused } from '@hms/domain/employees';
import { type Route, records, resource } from '@hms/service';

export const departmentRoutes: readonly Route[] = resource(departments, {
  path: '/api/hms/departments',
  access: { read: 'departments.read', write: 'departments.write', remove: 'departments.write' },
  create: {
    errors: departmentErrors,
    run: (context, body) => records(context, departments).insert(body),
  },
  update: {
    errors: departmentErrors,
    run: async (context, id, changes) => {
      const own = records(context, departments);
      return own.update(await own.lock(id, context.version), changes);
    },
  },
  remove: {
    summary: 'Delete a department in which nobody works',
    errors: [DEPARTMENT_IN_USE],
    run: async (context, id) => {
      const own = records(context, departments);
      const department = await own.lock(id, context.version);
      await requireUnused(context, id);
      return own.remove(department);
    },
  },
});
