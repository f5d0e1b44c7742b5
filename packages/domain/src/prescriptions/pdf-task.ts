/** What a new prescription asks hms to render. */
import { fields, type TaskName } from '@hms/service';
import { z } from 'zod';

const input = z.object({ prescriptionId: fields.id });

export const prescriptionPdf: TaskName<z.output<typeof input>> = { name: 'prescription-pdf', input, attempts: 16 };
