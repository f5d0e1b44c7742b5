/** Times that have become free, and offers that nobody has answered. */
import { offerExpiry, placeFreed } from '@hms/domain/appointments';
import { expireOffer, offerFreed } from '@hms/domain/waiting-list';
import { type Task, task } from '@hms/service';

export const offerTasks: readonly Task[] = [
  task({ ...placeFreed, run: offerFreed }) as Task,
  task({ ...offerExpiry, run: (work, { appointmentId }) => expireOffer(work, appointmentId) }) as Task,
];
