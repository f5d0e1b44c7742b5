/** The FHIR server of this module: the types of its records. */
import { fhirRoutes, outcomeFormat } from '@hms/service/fhir';
import { diagnosticReportType, observationType, serviceRequestType, specimenType } from './laboratory.ts';
import { patientType, practitionerType } from './people.ts';
import { medicationDispenseType, medicationRequestType } from './pharmacy.ts';
import { locationType, organizationType } from './places.ts';
import { appointmentType, scheduleType } from './scheduling.ts';
import { slotType } from './slots.ts';

const PATH = '/api/hms/fhir/R4';

/** All errors below the path of the FHIR server are in FHIR. */
export const hmsFhirErrors = { below: PATH, errorFormat: outcomeFormat };

/** FHIR R4, to read. */
export const hmsFhirRoutes = fhirRoutes({
  path: PATH,
  access: 'patients.read',
  types: [
    ...[patientType, practitionerType, organizationType, locationType],
    ...[serviceRequestType, specimenType, observationType, diagnosticReportType],
    ...[medicationRequestType, medicationDispenseType],
    ...[scheduleType, appointmentType],
  ],
  ownTypes: [slotType],
});
