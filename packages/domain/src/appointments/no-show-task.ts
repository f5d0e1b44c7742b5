/** An appointment to which nobody has come. */
import type { TaskName } from '@hms/service';
import { z } from 'zod';

const input = z.object({ appointmentId: z.uuid() });

/** Runs at the begin, and again as long afterwards as the hospital waits. */
export const noShow: TaskName<z.output<typeof input>> = { name: 'appointment-no-show', input, attempts: 16 };
