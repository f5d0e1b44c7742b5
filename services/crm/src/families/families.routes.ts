import { fields, type Route, route, STALE_VERSION } from '@hms/service';
import { ADMINS, STAFF } from '@hms/tenancy';
import { z } from 'zod';
import * as errors from './families.errors.ts';
import * as schema from './families.schema.ts';
import { familyService } from './families.service.ts';

const WRITERS = ['RECEPTION', ...ADMINS] as const;

export const familyRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/crm/families',
    summary: 'List families',
    roles: STAFF,
    query: schema.familyQuery,
    response: z.array(schema.family),
    paged: true,
    handler: (context) => context.transaction((trx) => familyService(trx, context).list(context.query)),
  }),
  route({
    method: 'POST',
    path: '/api/crm/families',
    summary: 'Create a family with its primary contact',
    description: 'A patient who is alone in a family moves, and that family is closed.',
    roles: WRITERS,
    body: schema.newFamily,
    response: schema.familyWithMembers,
    status: 201,
    errors: [errors.PATIENT_NOT_FOUND, errors.ALREADY_FAMILY_MEMBER],
    handler: (context) =>
      context.transaction(async (trx) => ({ data: await familyService(trx, context).create(context.body) })),
  }),
  route({
    method: 'GET',
    path: '/api/crm/families/:id',
    summary: 'Read a family with its members',
    roles: STAFF,
    params: fields.idParams,
    response: schema.familyWithMembers,
    errors: [errors.FAMILY_NOT_FOUND],
    handler: (context) =>
      context.transaction(async (trx) => ({ data: await familyService(trx, context).read(context.params.id) })),
  }),
  route({
    method: 'PUT',
    path: '/api/crm/families/:id',
    summary: 'Change a family',
    roles: WRITERS,
    params: fields.idParams,
    body: schema.familyChanges,
    response: schema.familyWithMembers,
    errors: [errors.FAMILY_NOT_FOUND, STALE_VERSION],
    handler: (context) =>
      context.transaction(async (trx) => ({
        data: await familyService(trx, context).update(context.params.id, context.body),
      })),
  }),
  route({
    method: 'DELETE',
    path: '/api/crm/families/:id',
    summary: 'Delete a family whose only member is its primary contact',
    roles: WRITERS,
    params: fields.idParams,
    response: schema.family,
    errors: [errors.FAMILY_NOT_FOUND, errors.FAMILY_HAS_MEMBERS],
    handler: (context) =>
      context.transaction(async (trx) => ({ data: await familyService(trx, context).remove(context.params.id) })),
  }),
  route({
    method: 'GET',
    path: '/api/crm/families/:id/members',
    summary: 'List the current members of a family',
    roles: STAFF,
    params: fields.idParams,
    response: z.array(schema.member),
    errors: [errors.FAMILY_NOT_FOUND],
    handler: (context) =>
      context.transaction(async (trx) => ({ data: await familyService(trx, context).members(context.params.id) })),
  }),
  route({
    method: 'POST',
    path: '/api/crm/families/:id/members',
    summary: 'Add a patient to a family',
    description: 'A patient who is alone in another family moves, and that family is closed.',
    roles: WRITERS,
    params: fields.idParams,
    body: schema.newMember,
    response: schema.addedMember,
    status: 201,
    errors: [errors.FAMILY_NOT_FOUND, errors.PATIENT_NOT_FOUND, errors.ALREADY_FAMILY_MEMBER],
    handler: (context) =>
      context.transaction(async (trx) => ({
        data: await familyService(trx, context).addMember(context.params.id, context.body),
      })),
  }),
  route({
    method: 'DELETE',
    path: '/api/crm/families/:id/members/:memberId',
    summary: 'Remove a member from a family',
    roles: WRITERS,
    params: schema.memberParams,
    response: schema.member,
    errors: [errors.FAMILY_NOT_FOUND, errors.FAMILY_MEMBER_NOT_FOUND, errors.PRIMARY_CONTACT_REQUIRED],
    handler: (context) =>
      context.transaction(async (trx) => ({
        data: await familyService(trx, context).removeMember(context.params.id, context.params.memberId),
      })),
  }),
  route({
    method: 'PUT',
    path: '/api/crm/families/:id/primary-contact',
    summary: 'Make another member the primary contact',
    roles: WRITERS,
    params: fields.idParams,
    body: schema.newPrimaryContact,
    response: schema.familyWithMembers,
    errors: [errors.FAMILY_NOT_FOUND, errors.PRIMARY_CONTACT_NOT_MEMBER, STALE_VERSION],
    handler: (context) =>
      context.transaction(async (trx) => ({
        data: await familyService(trx, context).setPrimaryContact(context.params.id, context.body),
      })),
  }),
];
