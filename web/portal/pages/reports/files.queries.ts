/** What the pages of files that are written in the background read and send. */
import { api, dataOf, envelopeOf, type Schemas } from '../../../kit/api/api.ts';
import { listQuery } from '../../../kit/lists/list-search.ts';

export type ReportFile = Schemas['ReportExport'];
/** What a file is asked for with. */
export type WantedFile = Schemas['NewReportExport'];

export const fileKeys = {
  all: 'report-files',
  list: (page: number | undefined) => ['report-files', page] as const,
};

/** The person's own ones, the newest first. */
export function readFiles(page: number | undefined, signal: AbortSignal) {
  return envelopeOf(api.GET('/api/report/exports', { params: { query: listQuery({ page }) }, signal }));
}

/** Whether something about it changes by itself soon. */
export function isOpen({ status }: ReportFile): boolean {
  return status === 'waiting' || status === 'running';
}

export function startFile(body: WantedFile): Promise<ReportFile> {
  const header = { 'Idempotency-Key': crypto.randomUUID() };
  return dataOf(api.POST('/api/report/exports', { params: { header }, body }));
}

/** The same file once more. */
export function startAgain({ report, from, to, measure, filters, filterNames, hasBom }: ReportFile) {
  return startFile({ report, from: from.slice(0, 10), to: to.slice(0, 10), measure, filters, filterNames, hasBom });
}

export function cancelFile({ id }: ReportFile): Promise<ReportFile> {
  return dataOf(api.POST('/api/report/exports/{id}/cancel', { params: { path: { id } } }));
}

/** Begins the download of a file that is done. The storage sends it under its name, and the page stays. */
export async function downloadFile({ id }: ReportFile): Promise<void> {
  const { url } = await dataOf(api.GET('/api/report/exports/{id}/url', { params: { path: { id } } }));
  location.assign(url);
}
