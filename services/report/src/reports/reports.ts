/** All reports, in the order in which pages list them. */
import type { Report } from '../declare.ts';
import { census, doctorActivity, labResults, labTurnaround, visits } from './clinical.ts';
import { collections, outstanding, revenue } from './financial.ts';
import { noShow, slotUse, stockExpiry, visitors, waitTimes } from './operational.ts';

export const REPORTS: readonly Report[] = [
  ...[revenue, collections, outstanding],
  ...[census, visits, labTurnaround, labResults, doctorActivity],
  ...[waitTimes, noShow, slotUse, visitors, stockExpiry],
];
