/** The FHIR server of this module: invoices, charges and payments. */
import { fhirRoutes, outcomeFormat } from '@hms/service/fhir';
import { chargeItemType, invoiceType, paymentReconciliationType } from './billing.ts';

const PATH = '/api/payment/fhir/R4';

/** All errors below the path of the FHIR server are in FHIR. */
export const paymentFhirErrors = { below: PATH, errorFormat: outcomeFormat };

/** FHIR R4, to read. */
export const paymentFhirRoutes = fhirRoutes({
  path: PATH,
  access: 'invoices.read',
  types: [invoiceType, chargeItemType, paymentReconciliationType],
});
