import { PATIENT_NOT_FOUND, patients, survivorOf } from '@hms/domain/patients';
import { readTimeline, TIMELINE_KINDS, timelineEvent } from '@hms/domain/timeline';
import { fields, pageParameters, periodParameters, type Route, records, route } from '@hms/service';
import { z } from 'zod';

export const timelineRoute: Route = route({
  method: 'GET',
  path: '/api/hms/patients/:id/timeline',
  operationId: 'readPatientTimeline',
  summary: 'Read what happened to a patient, latest first',
  description: 'Includes what belongs to patients who were merged into the patient.',
  access: 'patients.read',
  params: fields.idParams,
  query: z.object({
    ...pageParameters(),
    ...periodParameters('Happened'),
    kind: z.enum(TIMELINE_KINDS).optional(),
  }),
  response: z.array(timelineEvent),
  paged: true,
  errors: [PATIENT_NOT_FOUND],
  handler: async (context) => {
    const { id } = await survivorOf(context, context.params.id);
    await records(context, patients).read(id);
    return readTimeline(context, id, context.query);
  },
});
