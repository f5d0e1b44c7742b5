import type { Constraints, ErrorKind } from '@hms/service';

export const PATIENT_NOT_FOUND: ErrorKind = {
  status: 404,
  code: 'PATIENT_NOT_FOUND',
  message: 'No patient of this hospital has this id',
};
export const PATIENT_DUPLICATE: ErrorKind = {
  status: 409,
  code: 'PATIENT_DUPLICATE',
  message: 'Other patients may be the same person: check details.candidates, or send without rejectDuplicates',
};
export const PRIMARY_CONTACT_REQUIRED: ErrorKind = {
  status: 409,
  code: 'PRIMARY_CONTACT_REQUIRED',
  message: 'The patient is the primary contact of a family with other members: choose another primary contact first',
};

export const patientConstraints: Constraints = {
  families_primary_contact_is_member: PRIMARY_CONTACT_REQUIRED,
};
