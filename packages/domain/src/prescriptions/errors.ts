import type { ErrorKind } from '@hms/service';
import type { FindingKind } from './checks.ts';
import { dispenses, prescriptions } from './record.ts';

export const PRESCRIPTION_NOT_FOUND: ErrorKind = prescriptions.notFound;
export const DISPENSE_NOT_FOUND: ErrorKind = dispenses.notFound;

const withReasons = 'send a reason for each finding in details.findings as overrides, or prescribe something else';

/** What the checks refuse. The first kind that is found names the error, and its details have all findings. */
export const CONFLICTS: Readonly<Record<FindingKind, ErrorKind>> = {
  allergy: {
    status: 409,
    code: 'ALLERGY_CONFLICT',
    message: `The patient is allergic to a drug: ${withReasons}`,
  },
  interaction: {
    status: 409,
    code: 'INTERACTION_CONFLICT',
    message: `Two drugs should not be taken together: ${withReasons}`,
  },
  duplicate: {
    status: 409,
    code: 'DUPLICATE_MEDICATION',
    message: `The patient would get an ingredient twice: ${withReasons}`,
  },
  dose: {
    status: 409,
    code: 'DOSE_EXCEEDED',
    message: `A daily dose is too high: ${withReasons}`,
  },
  weight: {
    status: 409,
    code: 'WEIGHT_CONFLICT',
    message: `A dose depends on a weight that is missing, old, or too low for it: prescribe with the weight of today, or ${withReasons}`,
  },
};
export const checkErrors: readonly ErrorKind[] = Object.values(CONFLICTS);

export const OVERRIDE_NOT_ALLOWED: ErrorKind = {
  status: 403,
  code: 'OVERRIDE_NOT_ALLOWED',
  message: 'Your roles do not let you accept findings: ask a doctor to prescribe it',
};
export const DOCTOR_NOT_ALLOWED: ErrorKind = {
  status: 422,
  code: 'DOCTOR_NOT_ALLOWED',
  message: 'The employee in doctorId may not prescribe: name somebody who may, or leave it out',
};
export const REPEAT_OF_OTHER_PATIENT: ErrorKind = {
  status: 422,
  code: 'REPEAT_OF_OTHER_PATIENT',
  message: 'The prescription in repeatOfId is of another patient: name one of this patient, or leave it out',
};
export const PRESCRIPTION_EXPIRED: ErrorKind = {
  status: 409,
  code: 'PRESCRIPTION_EXPIRED',
  message: 'The prescription is no longer valid: a doctor has to write a new one',
};
export const PRESCRIPTION_PDF_NOT_READY: ErrorKind = {
  status: 409,
  code: 'PRESCRIPTION_PDF_NOT_READY',
  message: 'There is no PDF yet: it is issued seconds after the drugs were prescribed',
};
export const PRESCRIPTION_EXHAUSTED: ErrorKind = {
  status: 409,
  code: 'PRESCRIPTION_EXHAUSTED',
  message: 'Less is left of the prescription than that: see details.items',
};
export const PRESCRIPTION_ITEM_NOT_FOUND: ErrorKind = {
  status: 404,
  code: 'PRESCRIPTION_ITEM_NOT_FOUND',
  message: 'The prescription has no item with this id',
};
export const SUBSTITUTE_DIFFERS: ErrorKind = {
  status: 422,
  code: 'SUBSTITUTE_DIFFERS',
  message: 'A substitute must have the same ingredients, strength and form as what was prescribed',
};
export const SUBSTITUTION_NOT_ALLOWED: ErrorKind = {
  status: 409,
  code: 'SUBSTITUTION_NOT_ALLOWED',
  message: 'The doctor has excluded a substitute for this drug',
};
export const DISPENSE_LINE_NOT_FOUND: ErrorKind = {
  status: 404,
  code: 'DISPENSE_LINE_NOT_FOUND',
  message: 'Nothing with this id was dispensed',
};
export const DISPENSE_RETURNED: ErrorKind = {
  status: 409,
  code: 'DISPENSE_RETURNED',
  message: 'All of it has come back: print the labels of another dispense',
};
export const RETURN_EXCEEDS_DISPENSED: ErrorKind = {
  status: 409,
  code: 'RETURN_EXCEEDS_DISPENSED',
  message: 'Fewer units were dispensed, or some have come back already: see details.lines',
};
