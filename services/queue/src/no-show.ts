/** Appointments to which nobody has come in time. */
import { missIfAbsent, noShow } from '@hms/domain/appointments';
import { type Task, task } from '@hms/service';

export const absence = task({
  ...noShow,
  run: async (work, { appointmentId }) => missIfAbsent(work, appointmentId),
}) as Task;
