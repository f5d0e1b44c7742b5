import type { ErrorKind } from '@hms/service';

/**
 * The same response for an unknown hospital, an unknown user and a wrong password, so that it does not help guessing.
 */
export const INVALID_CREDENTIALS: ErrorKind = {
  status: 401,
  code: 'INVALID_CREDENTIALS',
  message: 'The hospital, the e-mail address or the password is wrong',
};
export const TOO_MANY_LOGINS: ErrorKind = {
  status: 429,
  code: 'TOO_MANY_LOGINS',
  message:
    'Too many logins failed or came at the same time: wait for the seconds in the header Retry-After, then retry',
};
export const INVALID_CODE: ErrorKind = {
  status: 401,
  code: 'INVALID_CODE',
  message: 'The code is wrong: use the one in the latest e-mail',
};
export const CHALLENGE_ENDED: ErrorKind = {
  status: 401,
  code: 'CHALLENGE_ENDED',
  message: 'The code has expired, or was used or entered wrong too often: begin again',
};
export const CODE_SENT_RECENTLY: ErrorKind = {
  status: 429,
  code: 'CODE_SENT_RECENTLY',
  message: 'A code was sent a moment ago: wait for the seconds in the header Retry-After, then ask for another one',
};
export const TOO_MANY_CODES: ErrorKind = {
  status: 429,
  code: 'TOO_MANY_CODES',
  message:
    'Too many codes were sent or entered wrong: wait for the seconds in the header Retry-After, then begin again',
};
export const INVALID_REFRESH_TOKEN: ErrorKind = {
  status: 401,
  code: 'INVALID_REFRESH_TOKEN',
  message: 'The session has ended: log in again',
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
