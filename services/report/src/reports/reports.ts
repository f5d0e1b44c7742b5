/** All reports, in the order in which pages list them. */
import { missingPermission, type Work } from '@hms/service';
import type { Permission } from '@hms/tenancy';
import type { Report } from '../declare.ts';
import { census, doctorActivity, labResults, labTurnaround, visits } from './clinical.ts';
import { collections, outstanding, refunds, revenue, shiftVariance } from './financial.ts';
import { noShow, slotUse, stockExpiry, visitors, waitTimes } from './operational.ts';

export const REPORTS: readonly Report[] = [
  ...[revenue, collections, refunds, outstanding, shiftVariance],
  ...[census, visits, labTurnaround, labResults, doctorActivity],
  ...[waitTimes, noShow, slotUse, visitors, stockExpiry],
];

/** @throws Error if there is no report of that name. */
export function reportNamed(name: string): Report {
  const found = REPORTS.find((one) => one.name === name);
  if (!found) throw new Error(`there is no report ${name}`);
  return found;
}

/** @throws Problem FORBIDDEN if somebody may not see a report. */
export function demandPermission({ caller }: Pick<Work, 'caller'>, report: Pick<Report, 'area'>): void {
  const permission = permissionOf(report);
  if (!caller.permissions.has(permission)) throw missingPermission(permission);
}

/** What somebody needs to see a report. */
export function permissionOf({ area }: Pick<Report, 'area'>): Permission {
  return `reports.${area}`;
}
