/** The FHIR server of this module: appointments, and the times for them. */
import { fhirRoutes, outcomeFormat } from '@hms/service/fhir';
import { appointmentType, scheduleType } from './scheduling.ts';
import { slotType } from './slots.ts';

const PATH = '/api/queue/fhir/R4';

/** All errors below the path of the FHIR server are in FHIR. */
export const queueFhirErrors = { below: PATH, errorFormat: outcomeFormat };

/** FHIR R4, to read. */
export const queueFhirRoutes = fhirRoutes({
  path: PATH,
  access: 'appointments.read',
  types: [scheduleType, appointmentType],
  ownTypes: [slotType],
});
