import type { ErrorKind } from '@hms/service';

export const PERSON_UNKNOWN: ErrorKind = {
  status: 404,
  code: 'PERSON_UNKNOWN',
  message: 'Nobody at this hospital has an account with this address or id',
};
/** `details.reason` says why. */
export const PERSON_NOT_IMPERSONABLE: ErrorKind = {
  status: 403,
  code: 'PERSON_NOT_IMPERSONABLE',
  message: 'Nobody may act as this person',
};
export const IMPERSONATION_UNKNOWN: ErrorKind = {
  status: 404,
  code: 'IMPERSONATION_UNKNOWN',
  message: 'You have no impersonation with this id',
};
export const IMPERSONATION_ENDED: ErrorKind = {
  status: 401,
  code: 'IMPERSONATION_ENDED',
  message: 'The impersonation has ended, or its code was used or has expired: begin another one',
};
