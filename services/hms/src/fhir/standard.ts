/** What all routes of FHIR share. */
import type { ErrorKind } from '@hms/service';
import { z } from 'zod';
import { FHIR_JSON, outcomeFormat } from './outcome.ts';

export const FHIR_PATH = '/api/hms/fhir/R4';

export const RESOURCE_NOT_FOUND: ErrorKind = {
  status: 404,
  code: 'RESOURCE_NOT_FOUND',
  message: 'The hospital has no such resource, or it was deleted',
};

export const resource = z.looseObject({ resourceType: z.string(), id: z.string() }).meta({ id: 'FhirResource' });
export const bundle = z.looseObject({ resourceType: z.literal('Bundle') }).meta({ id: 'FhirBundle' });
export const standard = { bare: true, contentType: FHIR_JSON, errorFormat: outcomeFormat } as const;
