/** Reports: a PDF for each revision of an order, in the folder `lab-reports` of the hospital. */
import { Problem, records, type Work } from '@hms/service';
import type { FileStorage, SignedUrl } from '@hms/storage';
import {
  type FilePlace,
  type IssuedFile,
  issuedFilesOf,
  issuedUrl,
  issueFile,
  type Stored,
} from '../issued-files/issued-files.ts';
import { isComplete } from './change.ts';
import { REPORT_NOT_READY } from './errors.ts';
import { type LabOrder, labOrders } from './record.ts';

/** The issued reports of each order, the oldest first. */
export function reportsOf(work: Work, ids: readonly string[]): Promise<ReadonlyMap<string, readonly IssuedFile[]>> {
  return issuedFilesOf(work, 'lab_orders', ids);
}

/**
 * Allows the download of a report.
 * @param revision default: the current one.
 * @throws Problem LAB_ORDER_NOT_FOUND, REPORT_NOT_READY.
 */
export async function reportUrl(
  work: Work,
  storage: FileStorage,
  orderId: string,
  revision?: number,
): Promise<IssuedFile & SignedUrl & { readonly isSuperseded: boolean }> {
  const order = await records(work, labOrders).read(orderId);
  const reports = (await reportsOf(work, [orderId])).get(orderId) ?? [];
  const report = reports.find((one) => one.revision === (revision ?? order.revision));
  if (!report) {
    const details = { status: order.status, revision: order.revision, issued: reports.map((one) => one.revision) };
    throw new Problem(REPORT_NOT_READY, { details });
  }
  const { place } = reportFile({ ...order, revision: report.revision });
  const signed = await issuedUrl(work, storage, place, report);
  return { ...signed, isSuperseded: report.revision < order.revision };
}

/** Issues a stored report, unless another attempt did, or a result was amended meanwhile. */
export async function issueReport(
  work: Work,
  { orderId, revision }: { readonly orderId: string; readonly revision: number },
  stored: Stored,
): Promise<void> {
  const own = records(work, labOrders);
  const order = await own.lock(orderId);
  if (order.revision !== revision || !isComplete(order)) return;
  const issuedAt = await issueFile(work, reportFile(order), stored, order.patientId);
  if (issuedAt !== undefined) await own.update(order, { reportedAt: order.reportedAt ?? issuedAt });
}

/** The file with the report of an order in its current revision. */
export function reportFile({ id, orderNo, revision }: Pick<LabOrder, 'id' | 'orderNo' | 'revision'>): FilePlace {
  return { record: 'lab_orders', recordId: id, revision, place: `lab-reports/${orderNo}-${revision}` };
}
