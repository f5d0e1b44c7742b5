/** Passes of visitors that are over. */
import { expirePass, passExpiry } from '@hms/domain/visitors';
import { type Task, task } from '@hms/service';

export const expiry = task({ ...passExpiry, run: (work, { visitorId }) => expirePass(work, visitorId) }) as Task;
