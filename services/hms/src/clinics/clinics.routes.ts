import { hasAppointments } from '@hms/domain/appointments';
import { type Clinic, clinics } from '@hms/domain/clinics';
import { isShown } from '@hms/domain/displays';
import { isWaitedIn } from '@hms/domain/queue';
import { isScheduled } from '@hms/domain/schedules';
import { isWaitedFor } from '@hms/domain/waiting-list';
import { Problem, type Route, records, resource, stepsOf } from '@hms/service';

const path = '/api/hms/clinics';
const step = stepsOf(clinics, {
  ...{ path, access: 'clinics.write', response: clinics.item },
  show: (_, clinic: Clinic) => clinic,
});

const resources = resource(clinics, {
  path,
  access: { read: 'clinics.read', write: 'clinics.write', remove: 'clinics.write' },
  remove: {
    summary: 'Delete a clinic that nothing uses',
    users: {
      appointments: (work, id) => hasAppointments(work, { clinic_id: id }),
      displays: isShown,
      queue_entries: isWaitedIn,
      schedules: (work, id) => isScheduled(work, { clinic_id: id }),
      waiting_list: isWaitedFor,
    },
  },
  steps: {
    activate: { to: 'active', summary: 'Use a clinic again' },
  },
});

export const clinicRoutes: readonly Route[] = [
  ...resources,
  step('deactivate', {
    summary: 'Put a clinic out of use in which nobody waits',
    errors: [clinics.inUse],
    run: async (context, id) => {
      const own = records(context, clinics);
      const clinic = await own.lock(id, context.version);
      if (await isWaitedIn(context, id)) throw new Problem(clinics.inUse, IN_USE);
      return own.moveTo(clinic, 'inactive');
    },
  }),
];

const IN_USE = {
  message: 'People wait in this clinic, or are in its rooms: complete, transfer or cancel them first',
  details: { usedBy: ['queue_entries'] },
};
