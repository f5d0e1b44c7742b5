import { hasAppointments } from '@hms/domain/appointments';
import { clinics } from '@hms/domain/clinics';
import { isShown } from '@hms/domain/displays';
import { isWaitedIn } from '@hms/domain/queue';
import { isScheduled } from '@hms/domain/schedules';
import { isWaitedFor } from '@hms/domain/waiting-list';
import { type Route, resource } from '@hms/service';

export const clinicRoutes: readonly Route[] = resource(clinics, {
  path: '/api/hms/clinics',
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
    deactivate: { to: 'inactive', summary: 'Put a clinic out of use' },
    activate: { to: 'active', summary: 'Use a clinic again' },
  },
});
