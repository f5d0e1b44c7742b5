/** The FHIR server of this module: the types of its records. */
import { fhirRoutes, HMS_FHIR, outcomeFormat } from '@hms/service/fhir';
import { diagnosticReportType, observationType, serviceRequestType, specimenType } from './laboratory.ts';
import { patientType, practitionerType } from './people.ts';
import { medicationDispenseType, medicationRequestType } from './pharmacy.ts';
import { locationType, organizationType } from './places.ts';

/** All errors below the path of the FHIR server are in FHIR. */
export const hmsFhirErrors = { below: HMS_FHIR, errorFormat: outcomeFormat };

/** FHIR R4, to read. */
export const hmsFhirRoutes = fhirRoutes({
  path: HMS_FHIR,
  access: 'patients.read',
  types: [
    ...[patientType, practitionerType, organizationType, locationType],
    ...[serviceRequestType, specimenType, observationType, diagnosticReportType],
    ...[medicationRequestType, medicationDispenseType],
  ],
});
