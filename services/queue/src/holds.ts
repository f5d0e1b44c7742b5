/** Holds of places that nobody has booked in time. */
import { expireHold, holdExpiry } from '@hms/domain/appointments';
import { type Task, task } from '@hms/service';

export const holdEnd = task({ ...holdExpiry, run: (work, { holdId }) => expireHold(work, holdId) }) as Task;
