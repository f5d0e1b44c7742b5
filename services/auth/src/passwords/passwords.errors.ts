import type { ErrorKind } from '@hms/service';

export const WRONG_PASSWORD: ErrorKind = {
  status: 400,
  code: 'WRONG_PASSWORD',
  message: 'currentPassword is wrong: nothing was changed',
};
/** Its message is Keycloak's sentence. */
export const WEAK_PASSWORD: ErrorKind = {
  status: 400,
  code: 'WEAK_PASSWORD',
  message: 'The new password does not meet the rules of the hospital',
};
