import {
  ABSENCE_OVERLAP,
  absenceChanges,
  absences,
  changeAbsence,
  createAbsence,
  newAbsence,
} from '@hms/domain/absences';
import { employees, NOT_A_DOCTOR } from '@hms/domain/employees';
import { type Route, resource } from '@hms/service';

/** Why somebody is away concerns only those who plan. Others see in the week that they are away. */
export const absenceRoutes: readonly Route[] = resource(absences, {
  path: '/api/hms/absences',
  access: { read: 'schedules.write', write: 'schedules.write', remove: 'schedules.write' },
  create: {
    body: newAbsence,
    errors: [employees.notFound, NOT_A_DOCTOR, ABSENCE_OVERLAP],
    run: createAbsence,
  },
  update: {
    body: absenceChanges,
    errors: [ABSENCE_OVERLAP],
    run: (context, id, changes) => changeAbsence(context, id, changes, context.version),
  },
});
