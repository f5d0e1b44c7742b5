/** Errors of displays. */
import type { ErrorKind } from '@hms/service';

export const DISPLAY_CODE_UNKNOWN: ErrorKind = {
  status: 404,
  code: 'DISPLAY_CODE_UNKNOWN',
  message: 'No display shows this code now: compare it with the code on the screen, which changes after ten minutes',
};
