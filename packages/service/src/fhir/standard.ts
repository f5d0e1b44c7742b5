/** What all routes of FHIR share. */
import { z } from 'zod';
import type { ErrorKind } from '../errors.ts';
import { FHIR_JSON, outcomeFormat } from './outcome.ts';

/** Of a read. */
export const RESOURCE_NOT_FOUND: ErrorKind = {
  status: 404,
  code: 'RESOURCE_NOT_FOUND',
  message: 'The hospital has no such resource, or it was deleted',
};

/** Schema of the answer to a read. */
export const resource = z.looseObject({ resourceType: z.string(), id: z.string() }).meta({ id: 'FhirResource' });
/** Schema of the answer to a search. */
export const bundle = z.looseObject({ resourceType: z.literal('Bundle') }).meta({ id: 'FhirBundle' });
/** What the declaration of a route contains: the content type, and the form of errors. */
export const standard = { bare: true, contentType: FHIR_JSON, errorFormat: outcomeFormat } as const;
