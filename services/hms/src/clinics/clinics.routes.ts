import { hasAppointments } from '@hms/domain/appointments';
import { CLINIC_IN_USE, clinicErrors, clinics } from '@hms/domain/clinics';
import { holdDepartment, holdDepartmentErrors } from '@hms/domain/departments';
import { isShown } from '@hms/domain/displays';
import { isWaitedIn } from '@hms/domain/queue';
import { hasRooms } from '@hms/domain/rooms';
import { isScheduled } from '@hms/domain/schedules';
import { isWaitedFor } from '@hms/domain/waiting-list';
import { activityRoutes, type Route, records, resource } from '@hms/service';
import { demandUnused } from '../in-use.ts';

const PATH = '/api/hms/clinics';
const errors = [...clinicErrors, ...holdDepartmentErrors];

export const clinicRoutes: readonly Route[] = [
  ...resource(clinics, {
    path: PATH,
    access: { read: 'clinics.read', write: 'clinics.write', remove: 'clinics.write' },
    create: {
      errors,
      run: async (context, body) => {
        await holdDepartment(context, body.departmentId);
        return records(context, clinics).insert(body);
      },
    },
    update: {
      errors,
      run: async (context, id, changes) => {
        const own = records(context, clinics);
        const clinic = await own.lock(id, context.version);
        if (changes.departmentId !== clinic.departmentId) await holdDepartment(context, changes.departmentId);
        return own.update(clinic, changes);
      },
    },
    remove: {
      summary: 'Delete a clinic that nothing uses',
      errors: [CLINIC_IN_USE],
      run: async (context, id) => {
        const own = records(context, clinics);
        const clinic = await own.lock(id, context.version);
        await demandUnused(CLINIC_IN_USE, {
          appointments: hasAppointments(context, { clinic_id: id }),
          displays: isShown(context, id),
          queue: isWaitedIn(context, id),
          rooms: hasRooms(context, id),
          schedules: isScheduled(context, { clinic_id: id }),
          'waiting list': isWaitedFor(context, id),
        });
        return own.remove(clinic);
      },
    },
  }),
  ...activityRoutes(clinics, PATH, 'clinics.write'),
];
