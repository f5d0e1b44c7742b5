import { declareConstraints, type ErrorKind } from '@hms/service';
import { labOrders, labSpecimens } from './record.ts';

export const LAB_ORDER_NOT_FOUND: ErrorKind = labOrders.notFound;
export const LAB_SPECIMEN_NOT_FOUND: ErrorKind = labSpecimens.notFound;
export const LAB_ITEM_NOT_FOUND: ErrorKind = {
  status: 404,
  code: 'LAB_ITEM_NOT_FOUND',
  message: 'The order has no such test: use the ids in items of the order',
};
export const LAB_RESULT_NOT_FOUND: ErrorKind = {
  status: 404,
  code: 'LAB_RESULT_NOT_FOUND',
  message: 'The order has no such result: use the ids of the results in items of the order',
};
export const LAB_ORDER_EMPTY: ErrorKind = {
  status: 422,
  code: 'LAB_ORDER_EMPTY',
  message: 'An order needs at least one test: send testIds or panelIds',
};
export const LAB_ORDER_TOO_LARGE: ErrorKind = {
  status: 422,
  code: 'LAB_ORDER_TOO_LARGE',
  message: 'An order has at most 100 tests: send several orders',
};
export const DOCTOR_NOT_ALLOWED: ErrorKind = {
  status: 422,
  code: 'DOCTOR_NOT_ALLOWED',
  message: 'This employee may not order tests: choose an active one who may',
};
export const COLLECTION_TIME_INVALID: ErrorKind = {
  status: 422,
  code: 'COLLECTION_TIME_INVALID',
  message: 'A specimen is collected neither in the future nor more than 7 days before its order: correct collectedAt',
};
export const RESULT_TYPE_MISMATCH: ErrorKind = {
  status: 422,
  code: 'RESULT_TYPE_MISMATCH',
  message: 'A value is not of the type of its test: details.fields says which, and what it must be',
};
export const LAB_RESULT_UNCHANGED: ErrorKind = {
  status: 422,
  code: 'LAB_RESULT_UNCHANGED',
  message: 'An amendment changes the value or the note of a result: send another value or note',
};
export const LAB_RESULT_CHANGED: ErrorKind = {
  status: 409,
  code: 'LAB_RESULT_CHANGED',
  message: 'Somebody else entered, verified or amended a result meanwhile: read the order again and repeat your change',
};
export const LAB_RESULT_NOT_CRITICAL: ErrorKind = {
  status: 409,
  code: 'LAB_RESULT_NOT_CRITICAL',
  message: 'Only critical results are acknowledged',
};
export const SAME_PERSON_VERIFY: ErrorKind = {
  status: 403,
  code: 'SAME_PERSON_VERIFY',
  message: 'Another person than the one who entered a result must verify it: ask a colleague',
};
export const REPORT_NOT_READY: ErrorKind = {
  status: 409,
  code: 'REPORT_NOT_READY',
  message: 'There is no report yet: it is issued seconds after the last result was verified',
};

declareConstraints({
  lab_results_replaced_once: LAB_RESULT_CHANGED,
  lab_results_number: LAB_RESULT_CHANGED,
  lab_verifications_pkey: LAB_RESULT_CHANGED,
  lab_verifications_by_another: SAME_PERSON_VERIFY,
});
