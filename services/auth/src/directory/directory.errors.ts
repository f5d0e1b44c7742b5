import type { ErrorKind } from '@hms/service';

export const HOSPITALS_NOT_LISTED: ErrorKind = {
  status: 403,
  code: 'HOSPITALS_NOT_LISTED',
  message: 'This platform does not list its hospitals: write a part of the name in q',
};
export const TOO_MANY_SEARCHES: ErrorKind = {
  status: 429,
  code: 'TOO_MANY_SEARCHES',
  message:
    'Too many searches came from this address: wait for the seconds in the header Retry-After, then search again',
};
