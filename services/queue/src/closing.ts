/** The end of a day of service, for a clinic that nobody uses afterwards. */
import { closeDays, queueClosing } from '@hms/domain/queue';
import { type Task, task } from '@hms/service';

export const closing = task({ ...queueClosing, run: (work, { clinicId }) => closeDays(work, clinicId) }) as Task;
