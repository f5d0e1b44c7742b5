/** The base of every FHIR server: a module adds its types of resources, and how it shows its records. */
export { baseUrl, bundleOf, HMS_FHIR } from './bundle.ts';
export { concept, dayOf, decimal, hl7, hospitalSystem, identifier, present, reference } from './codes.ts';
export { type FhirDate, parseDate } from './dates.ts';
export { outcomeFormat } from './outcome.ts';
export {
  codeIn,
  constantIn,
  dateIn,
  identifierIn,
  nameIn,
  phoneIn,
  referenceIn,
  type StatusCodes,
  statusIn,
  type Token,
  tokenIn,
} from './parameters.ts';
export { type OwnType, parentsOf, plainSource, type ResourceType, type Source } from './resource-type.ts';
export { fhirRoutes } from './routes.ts';
export { bundle, RESOURCE_NOT_FOUND, resource, standard } from './standard.ts';
export { systems } from './systems.ts';
