import { fields, listQuery } from '@hms/service';
import { z } from 'zod';

const name = fields.line(100);
const relation = z.enum(['self', 'spouse', 'child', 'parent', 'other']);

export const newFamily = z.object({
  name,
  primaryContactId: fields.id.describe('A patient, who becomes the first member and the payer'),
});
export type NewFamily = z.output<typeof newFamily>;

export const familyChanges = z.object({ name: name.optional(), version: fields.version });
export type FamilyChanges = z.output<typeof familyChanges>;

export const newMember = z.object({
  patientId: fields.id,
  relation: relation.default('other').describe('Relation of the patient to the primary contact'),
  isPayer: z.boolean().default(false),
});
export type NewMember = z.output<typeof newMember>;

export const newPrimaryContact = z.object({ patientId: fields.id, version: fields.version });
export type NewPrimaryContact = z.output<typeof newPrimaryContact>;

export const memberParams = fields.idParams.extend({ memberId: fields.id });

export const familyQuery = listQuery({
  sort: ['createdAt', 'updatedAt', 'name', 'familyCode'],
  defaultSort: '-createdAt',
  filters: {
    name,
    familyCode: fields.line(40),
    primaryContactId: fields.id,
    patientId: fields.id.describe('The family of this patient'),
  },
});
export type FamilyQuery = z.output<typeof familyQuery>;

export const family = z.object({
  id: z.uuid(),
  hospitalId: z.uuid(),
  familyCode: z.string(),
  name: z.string(),
  primaryContactId: z.uuid().nullable().describe('Null only for a deleted family'),
  createdAt: fields.timestamp,
  updatedAt: fields.timestamp,
  version: z.int(),
  deletedAt: fields.timestamp.optional().describe('Only on a deleted family'),
});
export type Family = z.output<typeof family>;

export const member = z.object({
  id: z.uuid().describe('Id of the membership'),
  familyId: z.uuid(),
  patientId: z.uuid(),
  patientCode: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  relation,
  isPayer: z.boolean(),
  joinedAt: fields.timestamp,
  leftAt: fields.timestamp.nullable(),
});
export type Member = z.output<typeof member>;

export const familyWithMembers = family.extend({ members: z.array(member) });
export type FamilyWithMembers = z.output<typeof familyWithMembers>;

export const addedMember = member.extend({
  closedFamilyId: z.uuid().nullable().describe('The family in which the patient was alone, which is now closed'),
});
export type AddedMember = z.output<typeof addedMember>;
