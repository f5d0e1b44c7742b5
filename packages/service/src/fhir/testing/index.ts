export { type FhirAnswer, readFhir } from './client.ts';
export { fhirProblems } from './validator.ts';
