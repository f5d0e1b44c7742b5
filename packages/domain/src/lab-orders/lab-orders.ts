/**
 * Orders of laboratory tests: the tables `lab_orders`, `lab_order_items`, `lab_specimens`, `lab_results`,
 * `lab_verifications` and `lab_acknowledgements`.
 *
 * `change.ts` says how an order changes, and `state.ts` what state it is in afterwards.
 */

export { IMPORT_FILE_INVALID } from '../imports/csv.ts';
export {
  ANALYSER_COLUMNS,
  analyserFile,
  analyserOutcome,
  importAnalyserFile,
  LONGEST_ANALYSER_FILE,
  MOST_ANALYSER_ROWS,
  REQUIRED_ANALYSER_COLUMNS,
} from './analyser.ts';
export {
  compareOrder,
  comparison,
  countOrders,
  judgement,
  judgeValues,
  orderCounts,
  typedValues,
} from './bench.ts';
export * from './errors.ts';
export { criticalResult, type Escalation, escalate } from './escalation.ts';
export { openLabOrders } from './events.ts';
export { favourite, favouritesOf } from './favourites.ts';
export { labOrderFeed, orderedTestFeed, ordersWithItem, resultFeed, specimenFeed } from './feed.ts';
export { pastResult, pastResults } from './history.ts';
export { cancellation, cancelOrder, changeOrder, isOrdered, newOrder, placeOrder } from './ordering.ts';
export { labOrders, type ShownOrder, type ShownResult, shownOrder, shownResult } from './record.ts';
export { labReport } from './report-task.ts';
export { issueReport, reportFile, reportUrl } from './reports.ts';
export { amendment, amendResult, enterResults, entry } from './results.ts';
export {
  type ItemReview,
  lastVerifiedAt,
  type OrderReview,
  type ResultReview,
  reviewOfItem,
  reviewOfOrder,
  reviewOfResult,
} from './review.ts';
export { listOrders, orderQuery, ordersById, readOrder, readVersions, reportable, showOrder } from './show.ts';
export { collect, collection, orderOfSpecimen, receipt, receive, reject, rejection } from './specimens.ts';
export { readTurnaround, turnaround, turnaroundQuery } from './turnaround.ts';
export { acknowledgeResults, signature, verifyResults } from './verification.ts';
