/**
 * Prescriptions and what was dispensed: the tables `prescriptions`, `prescription_items`, `prescription_overrides`,
 * `dispenses` and `dispense_lines`.
 *
 * `checks.ts` says what speaks against a drug, and `dispensing.ts` how it leaves the stock.
 */
export { dispense, dispensing, proposeDispense } from './dispensing.ts';
export * from './errors.ts';
export { openPrescriptions } from './events.ts';
export { prescriptionExpiry } from './expiry.ts';
export { dispensedFeed, type PrescribedState, prescribedFeed, prescribedState } from './feed.ts';
export { issuePdf, pdfFile, pdfUrl, printable } from './pdf.ts';
export { prescriptionPdf } from './pdf-task.ts';
export {
  cancellation,
  cancelPrescription,
  checkPrescription,
  checkRequest,
  isPrescribed,
  newPrescription,
  prescribe,
} from './prescribing.ts';
export { recipient, recipientsOf } from './recipients.ts';
export {
  checked,
  completedDispense,
  dispenses,
  prescriptions,
  proposal,
  type ShownDispense,
  type ShownPrescription,
  shownDispense,
  shownPrescription,
} from './record.ts';
export { returnDispensed, returning } from './returns.ts';
export {
  dispensesById,
  listDispenses,
  listPrescriptions,
  prescriptionsById,
  readDispense,
  readPrescription,
  showPrescription,
} from './show.ts';
