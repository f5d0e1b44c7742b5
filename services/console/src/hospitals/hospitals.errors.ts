import type { ErrorKind } from '@hms/service';

export const DELETION_NOT_CONFIRMED: ErrorKind = {
  status: 400,
  code: 'DELETION_NOT_CONFIRMED',
  message: 'To confirm the deletion, send the prefix of the hospital as confirm',
};
export const HOSPITAL_DELETING: ErrorKind = {
  status: 409,
  code: 'HOSPITAL_DELETING',
  message: 'The hospital is being deleted, which nothing can stop',
};
export const IMAGE_TOO_LARGE: ErrorKind = {
  status: 400,
  code: 'IMAGE_TOO_LARGE',
  message: 'The image has more than 4096 pixels at a side: make it smaller',
  field: 'content',
};
export const NOT_AN_IMAGE: ErrorKind = {
  status: 400,
  code: 'NOT_AN_IMAGE',
  message: 'The file is not a PNG, JPEG or WebP image: choose another one',
  field: 'content',
};
