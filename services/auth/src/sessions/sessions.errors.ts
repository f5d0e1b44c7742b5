import type { ErrorKind } from '@hms/service';

/** One answer for an unknown hospital, an unknown user and a wrong password: it helps nobody to guess. */
export const INVALID_CREDENTIALS: ErrorKind = {
  status: 401,
  code: 'INVALID_CREDENTIALS',
  message: 'The hospital, the e-mail address or the password is wrong',
};
export const TOO_MANY_LOGINS: ErrorKind = {
  status: 429,
  code: 'TOO_MANY_LOGINS',
  message: 'Too many logins failed: wait as long as the header Retry-After says, in seconds, then try again',
};
export const INVALID_REFRESH_TOKEN: ErrorKind = {
  status: 401,
  code: 'INVALID_REFRESH_TOKEN',
  message: 'The session is over: log in again',
};
export const ACCOUNT_DISABLED: ErrorKind = {
  status: 403,
  code: 'ACCOUNT_DISABLED',
  message: 'This account is disabled: ask an administrator of the hospital',
};
export const ACCOUNT_NOT_READY: ErrorKind = {
  status: 403,
  code: 'ACCOUNT_NOT_READY',
  message: 'This account is not fully set up: follow the link in the invitation e-mail, or ask an administrator',
};
