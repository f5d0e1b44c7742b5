import { PATIENT_NOT_FOUND, patients, survivorOf } from '@hms/domain/patients';
import { readTimeline, TIMELINE_KINDS, TIMELINE_SUBJECTS, timelineEvent } from '@hms/domain/timeline';
import { fields, pageParameters, periodParameters, type Route, records, route } from '@hms/service';
import { z } from 'zod';

export const timelineRoute: Route = route({
  method: 'GET',
  path: '/api/hms/patients/:id/timeline',
  operationId: 'readPatientTimeline',
  summary: 'Read what happened to a patient, latest first',
  description:
    'Includes what belongs to patients who were merged into the patient. What the caller may not see elsewhere is left out: without `invoices.read`, there are no invoices and payments.',
  access: 'patients.read',
  params: fields.idParams,
  query: z.object({
    ...pageParameters(),
    ...periodParameters('Happened'),
    kind: z.enum(TIMELINE_KINDS).optional(),
    subject: z.enum(TIMELINE_SUBJECTS).optional().describe('Only kinds that begin with it'),
  }),
  response: z.array(timelineEvent),
  paged: true,
  errors: [PATIENT_NOT_FOUND],
  handler: async (context) => {
    const { id } = await survivorOf(context, context.params.id);
    await records(context, patients).read(id);
    return readTimeline(context, id, { ...context.query, permissions: context.caller.permissions });
  },
});
