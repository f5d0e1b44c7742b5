/** Errors of displays. */
import type { ErrorKind } from '@hms/service';

export const DISPLAY_CODE_UNKNOWN: ErrorKind = {
  status: 404,
  code: 'DISPLAY_CODE_UNKNOWN',
  message: 'No display shows this code now: compare it with the code on the screen, which changes after ten minutes',
};
export const CLINIC_IN_USE: ErrorKind = {
  status: 409,
  code: 'CLINIC_IN_USE',
  message: 'Displays show this clinic: choose other clinics for them first, or unpair them',
};
