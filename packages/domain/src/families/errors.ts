/** Errors of families, and the constraint of PostgreSQL that each stands for. */
import { declareConstraints, type ErrorKind } from '@hms/service';
import { families } from './record.ts';

/** The family that a registration names. */
export const REGISTERED_FAMILY_NOT_FOUND: ErrorKind = { ...families.notFound, field: 'family.id' };

export const FAMILY_MEMBER_NOT_FOUND: ErrorKind = {
  status: 404,
  code: 'FAMILY_MEMBER_NOT_FOUND',
  message: 'No current member of this family has this id',
};
export const ALREADY_FAMILY_MEMBER: ErrorKind = {
  status: 409,
  code: 'ALREADY_FAMILY_MEMBER',
  message: 'The patient is already a member of a family: remove them from the family in details.familyId first',
};
export const PRIMARY_CONTACT_REQUIRED: ErrorKind = {
  status: 409,
  code: 'PRIMARY_CONTACT_REQUIRED',
  message: 'This member is the primary contact: make another member the primary contact first, or delete the family',
};
export const PRIMARY_CONTACT_NOT_MEMBER: ErrorKind = {
  status: 409,
  code: 'PRIMARY_CONTACT_NOT_MEMBER',
  message: 'Only a member can be the primary contact: add the patient to the family first',
};
export const FAMILY_HAS_SELF: ErrorKind = {
  status: 409,
  code: 'FAMILY_HAS_SELF',
  message: 'The primary contact is the self of the family: write spouse, child, parent or other',
  field: 'relation',
};
export const RELATIONS_REQUIRED: ErrorKind = {
  status: 422,
  code: 'RELATIONS_REQUIRED',
  message:
    'Relations are relative to the primary contact: write in relations what each member in details.members is to the new one',
  field: 'relations',
};
export const RELATION_NOT_OF_MEMBER: ErrorKind = {
  status: 422,
  code: 'RELATION_NOT_OF_MEMBER',
  message: 'Write the relation of each member once, without the new primary contact and without others',
  field: 'relations',
};
export const PAYER_REQUIRED: ErrorKind = {
  status: 409,
  code: 'PAYER_REQUIRED',
  message: 'This member pays for the family: name another member as payerId',
};
export const PAYER_NOT_MEMBER: ErrorKind = {
  status: 409,
  code: 'PAYER_NOT_MEMBER',
  message: 'Only a member can pay for the family: name a member who stays in it',
  field: 'payerId',
};
export const FAMILY_HAS_MEMBERS: ErrorKind = {
  status: 409,
  code: 'FAMILY_HAS_MEMBERS',
  message: 'The family has members besides its primary contact: remove them first',
};

declareConstraints({
  family_members_one_family: ALREADY_FAMILY_MEMBER,
  family_members_current: ALREADY_FAMILY_MEMBER,
  family_members_one_self: FAMILY_HAS_SELF,
  families_primary_contact_is_member: PRIMARY_CONTACT_REQUIRED,
  families_payer_is_member: PAYER_REQUIRED,
});
