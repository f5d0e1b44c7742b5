import * as domain from '@hms/domain/families';
import { families, familyWithMembers } from '@hms/domain/families';
import { PATIENT_NOT_FOUND } from '@hms/domain/patients';
import { VIP_OVERLAP } from '@hms/domain/vip';
import { fields, type Route, resource, route, STALE_VERSION, single } from '@hms/service';
import { z } from 'zod';

const newFamily = families.create
  .extend({ primaryContactId: fields.id.describe('A patient, who becomes the first member and the payer') })
  .meta({ id: 'NewFamily' });
const familyChanges = families.changes
  .extend({ payerId: fields.id.optional().describe('The member who pays for the family from now on') })
  .meta({ id: 'FamilyChanges' });
const newPrimaryContact = z.object({
  patientId: fields.id,
  relations: domain.relations.default([]).describe('What each other member is to the new primary contact'),
  version: fields.version,
});
const addedMember = domain.member.extend({
  closedFamilyId: z.uuid().nullable().describe('The family in which the patient was alone, which is now closed'),
});

export const familyRoutes: readonly Route[] = [
  // Before the family of an id.
  route({
    method: 'GET',
    path: '/api/crm/families/suggestions',
    operationId: 'suggestFamilies',
    summary: 'List families that a new patient may belong to',
    description:
      'At most five, with a member who has the phone number or the last name, as searches compare names. Those with the number come first.',
    access: 'families.read',
    query: z.object({ phone: fields.phone.optional(), lastName: fields.line(100).optional() }),
    response: z.array(domain.suggestedFamily),
    handler: async (context) => ({ data: await domain.suggestFamilies(context, context.query) }),
  }),
  ...resource(families, {
    path: '/api/crm/families',
    access: { read: 'families.read', write: 'families.write', remove: 'families.write' },
    create: {
      summary: 'Create a family with its primary contact',
      description:
        'A patient who is alone in a family moves, and that family is closed. Its VIP membership becomes that of the patient.',
      body: newFamily,
      response: familyWithMembers,
      errors: [PATIENT_NOT_FOUND, domain.ALREADY_FAMILY_MEMBER, VIP_OVERLAP],
      run: domain.createFamily,
    },
    read: { summary: 'Read a family with its members', response: familyWithMembers, run: domain.readFamily },
    update: {
      body: familyChanges,
      response: familyWithMembers,
      errors: [domain.PAYER_NOT_MEMBER],
      run: (context, id, changes) => domain.changeFamily(context, id, changes, context.version),
    },
    remove: {
      summary: 'Delete a family whose only member is its primary contact',
      errors: [domain.FAMILY_HAS_MEMBERS, VIP_OVERLAP],
      run: (context, id) => domain.removeFamily(context, id, context.version),
    },
  }),
  route({
    method: 'GET',
    path: '/api/crm/families/:id/members',
    operationId: 'listFamilyMembers',
    summary: 'List the current members of a family',
    access: 'families.read',
    params: fields.idParams,
    response: z.array(domain.member),
    errors: [families.notFound],
    handler: async (context) => ({ data: [...(await domain.listMembers(context, context.params.id))] }),
  }),
  route({
    method: 'POST',
    path: '/api/crm/families/:id/members',
    operationId: 'addFamilyMember',
    summary: 'Add a patient to a family',
    description:
      'A patient who is alone in another family moves, and that family is closed. Its VIP membership becomes that of the patient. A patient who lives with others moves if `fromFamilyId` names their family. `handOver` says who becomes its primary contact and its payer, if the patient was.',
    access: 'families.write',
    params: fields.idParams,
    body: domain.newMember,
    response: addedMember,
    status: 201,
    errors: [
      families.notFound,
      PATIENT_NOT_FOUND,
      domain.ALREADY_FAMILY_MEMBER,
      domain.FAMILY_HAS_SELF,
      domain.PRIMARY_CONTACT_REQUIRED,
      domain.PRIMARY_CONTACT_NOT_MEMBER,
      domain.RELATIONS_REQUIRED,
      domain.RELATION_NOT_OF_MEMBER,
      domain.PAYER_REQUIRED,
      domain.PAYER_NOT_MEMBER,
      VIP_OVERLAP,
    ],
    handler: async (context) => ({ data: await domain.addMember(context, context.params.id, context.body) }),
  }),
  route({
    method: 'DELETE',
    path: '/api/crm/families/:id/members/:memberId',
    operationId: 'removeFamilyMember',
    summary: 'Remove a member from a family',
    access: 'families.write',
    params: fields.idParams.extend({ memberId: fields.id }),
    query: z.object({
      payerId: fields.id.optional().describe('The member who pays from now on. Required if the removed one pays'),
    }),
    response: domain.member,
    errors: [
      families.notFound,
      domain.FAMILY_MEMBER_NOT_FOUND,
      domain.PRIMARY_CONTACT_REQUIRED,
      domain.PAYER_REQUIRED,
      domain.PAYER_NOT_MEMBER,
    ],
    handler: async (context) => {
      const { id, memberId } = context.params;
      return { data: await domain.removeMember(context, id, memberId, context.query.payerId) };
    },
  }),
  route({
    method: 'PUT',
    path: '/api/crm/families/:id/primary-contact',
    operationId: 'setPrimaryContact',
    summary: 'Make another member the primary contact',
    description: 'The request says what every other member is to the new one.',
    access: 'families.write',
    params: fields.idParams,
    body: newPrimaryContact,
    response: familyWithMembers,
    errors: [
      families.notFound,
      domain.PRIMARY_CONTACT_NOT_MEMBER,
      domain.RELATIONS_REQUIRED,
      domain.RELATION_NOT_OF_MEMBER,
      STALE_VERSION,
    ],
    handler: async (context) =>
      single(await domain.setPrimaryContact(context, context.params.id, context.body, context.version)),
  }),
];
