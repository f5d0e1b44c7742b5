import {
  fields,
  HOSPITAL_NOT_READY,
  HOSPITAL_SUSPENDED,
  IDENTITY_UNAVAILABLE,
  pageParameters,
  type Route,
  route,
} from '@hms/service';
import { z } from 'zod';
import { HOSPITAL_UNKNOWN } from '../hospital.ts';
import {
  IMPERSONATION_ENDED,
  IMPERSONATION_UNKNOWN,
  PERSON_NOT_IMPERSONABLE,
  PERSON_UNKNOWN,
} from './impersonations.errors.ts';
import { candidate, granted, impersonation, peopleQuery, start, started, tokenBody } from './impersonations.schema.ts';
import { type ImpersonationService, MOST_CANDIDATES } from './impersonations.service.ts';

/** Bytes. */
const SECRET_LIMIT = 1024;

export function impersonationRoutes(impersonations: ImpersonationService): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/auth/impersonations',
      operationId: 'startImpersonation',
      summary: 'Act as somebody of a hospital, for 15 minutes at most',
      description:
        'Ends the caller’s former one. Only a PLATFORM_ADMIN may write. The owners of the hospital get an e-mail. The code gives the first token.',
      access: 'impersonations.start',
      impersonation: 'never',
      database: 'none',
      body: start,
      response: started,
      status: 201,
      errors: [
        HOSPITAL_UNKNOWN,
        PERSON_UNKNOWN,
        PERSON_NOT_IMPERSONABLE,
        HOSPITAL_SUSPENDED,
        HOSPITAL_NOT_READY,
        IDENTITY_UNAVAILABLE,
      ],
      handler: async ({ body, caller, clientAddress, requestId }) => ({
        data: await impersonations.start(body, caller, { clientAddress, requestId }),
      }),
    }),
    route({
      method: 'GET',
      path: '/api/auth/impersonations',
      operationId: 'listImpersonations',
      summary: 'Who of the platform acted as whom, and why',
      description: 'Live ones first, then the latest.',
      access: 'impersonations.read',
      database: 'none',
      query: z.object(pageParameters()),
      response: z.array(impersonation),
      paged: true,
      handler: async ({ query, hospital }) => impersonations.list({ hospitalId: hospital.id }, query),
    }),
    route({
      method: 'GET',
      path: '/api/auth/impersonations/people',
      operationId: 'findImpersonationCandidates',
      summary: 'Find active employees of a hospital, as whom the caller could act',
      description: `The ${MOST_CANDIDATES} best matches, without owners. The audit log of the hospital shows who searched for what.`,
      access: 'impersonations.start',
      impersonation: 'never',
      database: 'none',
      query: peopleQuery,
      response: z.array(candidate),
      errors: [HOSPITAL_UNKNOWN, HOSPITAL_SUSPENDED, HOSPITAL_NOT_READY],
      handler: async ({ query, caller, clientAddress, requestId }) => ({
        data: await impersonations.candidates(query, caller, { clientAddress, requestId }),
      }),
    }),
    route({
      method: 'GET',
      path: '/api/auth/impersonations/own',
      operationId: 'listOwnImpersonations',
      summary: 'As whom the caller acted, and why',
      description: 'Live ones first, then the latest.',
      access: 'impersonations.start',
      database: 'none',
      query: z.object(pageParameters()),
      response: z.array(impersonation),
      paged: true,
      handler: async ({ query, caller }) => impersonations.list({ actor: caller.sub }, query),
    }),
    route({
      method: 'POST',
      path: '/api/auth/impersonations/:id/token',
      operationId: 'renewImpersonation',
      summary: 'Get an access token of an impersonation',
      description: 'The code works once. Its answer has the key for further tokens.',
      access: 'public',
      params: fields.idParams,
      body: tokenBody,
      bodyLimit: SECRET_LIMIT,
      response: granted,
      errors: [
        IMPERSONATION_ENDED,
        PERSON_NOT_IMPERSONABLE,
        HOSPITAL_SUSPENDED,
        HOSPITAL_NOT_READY,
        IDENTITY_UNAVAILABLE,
      ],
      handler: async ({ params, body, clientAddress }) => ({
        data: await impersonations.token(params.id, body, clientAddress),
      }),
    }),
    route({
      method: 'POST',
      path: '/api/auth/impersonations/:id/end',
      operationId: 'endImpersonation',
      summary: 'End an impersonation at once',
      description: 'For whoever began it, and for the owners of the hospital. Its tokens are refused within a second.',
      access: 'authenticated',
      impersonation: 'always',
      database: 'none',
      params: fields.idParams,
      response: impersonation,
      errors: [IMPERSONATION_UNKNOWN],
      handler: async ({ params, caller }) => ({ data: await impersonations.end(params.id, caller) }),
    }),
  ];
}
