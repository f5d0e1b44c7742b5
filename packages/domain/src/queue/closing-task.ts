/** The end of a day of service. */
import type { TaskName } from '@hms/service';
import { z } from 'zod';

const input = z.object({ clinicId: z.uuid() });

/** Ends what is left of the days that are over. */
export const queueClosing: TaskName<z.output<typeof input>> = { name: 'queue-closing', input, attempts: 16 };
