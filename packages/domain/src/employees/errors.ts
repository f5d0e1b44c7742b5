/** Errors of employees, and the constraint of PostgreSQL that each stands for. */
import { declareConstraints, type ErrorKind } from '@hms/service';

export const EMPLOYEE_EMAIL_TAKEN: ErrorKind = {
  status: 409,
  code: 'EMPLOYEE_EMAIL_TAKEN',
  message: 'Another employee has this e-mail address: each person needs their own, because it receives their codes',
  field: 'email',
};
export const LAST_OWNER: ErrorKind = {
  status: 409,
  code: 'LAST_OWNER',
  message: 'The hospital would have no active OWNER: give somebody else the role OWNER, and wait until they accept',
};
export const OWNER_REQUIRED: ErrorKind = {
  status: 403,
  code: 'OWNER_REQUIRED',
  message: 'Only an OWNER may give the role OWNER, or change somebody who has it',
};
export const ROLE_NOT_ALLOWED: ErrorKind = {
  status: 422,
  code: 'ROLE_NOT_ALLOWED',
  message: 'The hospital has no such role for people',
};
export const OWN_EMPLOYMENT: ErrorKind = {
  status: 409,
  code: 'OWN_EMPLOYMENT',
  message: 'This is your own employment: somebody else has to change your roles, suspend or terminate you',
};
export const EMPLOYEE_TERMINATED: ErrorKind = {
  status: 409,
  code: 'EMPLOYEE_TERMINATED',
  message: 'The employment has ended: create a new employee instead',
};
export const NOT_A_DOCTOR: ErrorKind = {
  status: 422,
  code: 'NOT_A_DOCTOR',
  message: 'Only an active or invited employee with the role DOCTOR can have schedules',
};
/** With the address in `details.email`, unless the link is incomplete or somebody else has made it. */
export const INVITATION_ENDED: ErrorKind = {
  status: 401,
  code: 'INVITATION_ENDED',
  message:
    'The invitation has expired, was used or was replaced by a newer one: log in, or ask for a code for a new password',
};

declareConstraints({ employees_email: EMPLOYEE_EMAIL_TAKEN });
