import { hasClinics } from '@hms/domain/clinics';
import {
  changeDepartment,
  createDepartment,
  DEPARTMENT_CYCLE,
  DEPARTMENT_IN_USE,
  departmentErrors,
  departments,
  hasParts,
  holdDepartmentErrors,
} from '@hms/domain/departments';
import { isStaffed } from '@hms/domain/employees';
import { hasLabTests } from '@hms/domain/lab-tests';
import { activityRoutes, type Route, records, resource } from '@hms/service';
import { demandUnused } from '../in-use.ts';

const PATH = '/api/hms/departments';
const errors = [...departmentErrors, ...holdDepartmentErrors];

export const departmentRoutes: readonly Route[] = [
  ...resource(departments, {
    path: PATH,
    access: { read: 'departments.read', write: 'departments.write', remove: 'departments.write' },
    create: { errors, run: createDepartment },
    update: {
      errors: [...errors, DEPARTMENT_CYCLE],
      run: (context, id, changes) => changeDepartment(context, id, changes, context.version),
    },
    remove: {
      summary: 'Delete a department to which nothing belongs',
      errors: [DEPARTMENT_IN_USE],
      run: async (context, id) => {
        const own = records(context, departments);
        const department = await own.lock(id, context.version);
        await demandUnused(DEPARTMENT_IN_USE, {
          employees: isStaffed(context, id),
          clinics: hasClinics(context, id),
          departments: hasParts(context, id),
          'laboratory tests': hasLabTests(context, id),
        });
        return own.remove(department);
      },
    },
  }),
  ...activityRoutes(departments, PATH, 'departments.write'),
];
