/** Errors of displays. The first two are those of the device grant (RFC 8628). */
import type { ErrorKind } from '@hms/service';

export const AUTHORIZATION_PENDING: ErrorKind = {
  status: 400,
  code: 'AUTHORIZATION_PENDING',
  message: 'No administrator has entered the code yet: ask again after the interval',
};
export const EXPIRED_TOKEN: ErrorKind = {
  status: 400,
  code: 'EXPIRED_TOKEN',
  message: 'The code has expired, or the display was unpaired: show another code',
};
export const DISPLAY_NOT_READY: ErrorKind = {
  status: 503,
  code: 'DISPLAY_NOT_READY',
  message: 'The display is paired, and its account is being set up: retry in a moment',
};
export const TOO_MANY_DISPLAY_CODES: ErrorKind = {
  status: 429,
  code: 'TOO_MANY_DISPLAY_CODES',
  message: 'Too many codes were started or entered wrong: wait for the seconds in the header Retry-After, then retry',
};
