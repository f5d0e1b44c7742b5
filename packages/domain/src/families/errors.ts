/** Errors of families, and the constraint of PostgreSQL that each stands for. */
import { declareConstraints, type ErrorKind } from '@hms/service';

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
export const FAMILY_HAS_MEMBERS: ErrorKind = {
  status: 409,
  code: 'FAMILY_HAS_MEMBERS',
  message: 'The family has members besides its primary contact: remove them first',
};

declareConstraints({
  family_members_one_family: ALREADY_FAMILY_MEMBER,
  family_members_current: ALREADY_FAMILY_MEMBER,
  families_primary_contact_is_member: PRIMARY_CONTACT_REQUIRED,
});
