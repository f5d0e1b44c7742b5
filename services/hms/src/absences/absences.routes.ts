import {
  ABSENCE_OVERLAP,
  absenceChanges,
  absences,
  changeAbsence,
  createAbsence,
  newAbsence,
} from '@hms/domain/absences';
import { BREAKS_APPOINTMENTS, breaks, unlessBroken } from '@hms/domain/appointments';
import { employees, NOT_A_DOCTOR } from '@hms/domain/employees';
import { Problem, type Route, records, resource } from '@hms/service';

/** Why somebody is away concerns only those who plan. Others see in the week that they are away. */
export const absenceRoutes: readonly Route[] = resource(absences, {
  path: '/api/hms/absences',
  access: { read: 'schedules.write', write: 'schedules.write', remove: 'schedules.write' },
  create: {
    body: newAbsence.extend({ breaks }).meta({ id: 'NewAbsence' }),
    errors: [employees.notFound, NOT_A_DOCTOR, ABSENCE_OVERLAP, BREAKS_APPOINTMENTS],
    run: (context, { breaks: accepted, ...body }) =>
      unlessBroken(context, { doctorId: body.doctorId, accepted }, () => createAbsence(context, body)),
  },
  update: {
    body: absenceChanges.extend({ breaks }).meta({ id: 'AbsenceChanges' }),
    errors: [ABSENCE_OVERLAP, BREAKS_APPOINTMENTS],
    run: async (context, id, { breaks: accepted, ...changes }) => {
      const found = await records(context, absences).find(id);
      if (!found) throw new Problem(absences.notFound);
      return unlessBroken(context, { doctorId: found.doctorId, accepted }, () =>
        changeAbsence(context, id, changes, context.version),
      );
    },
  },
});
