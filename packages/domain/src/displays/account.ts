/** What the displays ask the auth module to do with their accounts. */
import type { TaskName } from '@hms/service';
import { z } from 'zod';

const input = z.object({ displayId: z.uuid() });

/** Makes the account match the row: there is one while the display is paired, and none after that. */
export const displayAccount: TaskName<z.output<typeof input>> = { name: 'display-account', input, attempts: 25 };
