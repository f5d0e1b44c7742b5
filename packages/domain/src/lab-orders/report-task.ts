/** What changes of orders ask hms to render. */
import type { TaskName } from '@hms/service';
import { z } from 'zod';

const input = z.object({ orderId: z.uuid(), revision: z.int() });

/** Renders the report of a complete order. */
export const labReport: TaskName<z.output<typeof input>> = { name: 'lab-report', input, attempts: 16 };
