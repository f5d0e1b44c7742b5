/** The FHIR server of this module: the types of its records. */
import { fhirRoutes } from '@hms/service/fhir';
import { diagnosticReportType, observationType, serviceRequestType, specimenType } from './laboratory.ts';
import { patientType, practitionerType } from './people.ts';
import { medicationDispenseType, medicationRequestType } from './pharmacy.ts';
import { locationType, organizationType } from './places.ts';
import { appointmentType, scheduleType } from './scheduling.ts';
import { slotType } from './slots.ts';

/** FHIR R4, to read: `/api/hms/fhir/R4`. */
export const hmsFhirRoutes = fhirRoutes({
  path: '/api/hms/fhir/R4',
  access: 'patients.read',
  types: [
    ...[patientType, practitionerType, organizationType, locationType],
    ...[serviceRequestType, specimenType, observationType, diagnosticReportType],
    ...[medicationRequestType, medicationDispenseType],
    ...[scheduleType, appointmentType],
  ],
  ownTypes: [slotType],
});
