/** Files that are written in the background. Each person sees the own ones only. */
import {
  type ErrorKind,
  fields,
  INVALID_STATE,
  invalidFields,
  Problem,
  RANGE_TOO_WIDE,
  type RequestContext,
  type Route,
  records,
  route,
  single,
  stepsOf,
} from '@hms/service';
import { z } from 'zod';
import { filtersOf } from '../declare.ts';
import { CSV } from '../files.ts';
import { spanOf } from '../period.ts';
import type { Reader } from '../read.ts';
import { demandPermission, reportNamed } from '../reports/reports.ts';
import { exportKey, exportRemoval, exportsRecord, exportTask, type ReportExport } from './exports.record.ts';

const PATH = '/api/report/exports';
/** Seconds in which a client must start its download. A URL works for whoever has it. */
const DOWNLOAD_SECONDS = 60;
/** How long a file that was never made is known. */
const KEPT_MS = 7 * 24 * 3_600_000;
/** Files of one person that wait or are being written. */
const MOST_OPEN = 5;

const TOO_MANY_EXPORTS: ErrorKind = {
  status: 429,
  code: 'TOO_MANY_EXPORTS',
  message: `You have ${MOST_OPEN} files that are not written yet: wait until one is, or cancel one`,
  retryAfter: 30,
};

export function exportRoutes({ platform }: Pick<Reader, 'platform'>): readonly Route[] {
  const step = stepsOf(exportsRecord, {
    ...{ path: PATH, access: 'reports.read', response: exportsRecord.item },
    show: (_, item: ReportExport) => item,
  });
  return [
    route({
      method: 'GET',
      path: PATH,
      operationId: 'listReportExports',
      summary: 'List the files that the caller has asked for',
      access: 'reports.read',
      query: exportsRecord.query,
      response: z.array(exportsRecord.item),
      paged: true,
      handler: (context) => {
        const filters = { ...context.query.filters, requestedBy: context.caller.sub };
        return records(context, exportsRecord).list({ ...context.query, filters, includeDeleted: false });
      },
    }),
    route({
      method: 'POST',
      path: PATH,
      operationId: 'createReportExport',
      summary: 'Write the list behind a figure into a CSV file, in the background',
      description: 'For lists that take long. The file is kept for a day. Read the record for the progress.',
      access: 'reports.read',
      body: exportsRecord.create,
      response: exportsRecord.item,
      status: 201,
      errors: [TOO_MANY_EXPORTS, RANGE_TOO_WIDE],
      handler: async (context) => single(await createExport(context, context.body)),
    }),
    route({
      method: 'GET',
      path: `${PATH}/:id`,
      operationId: 'readReportExport',
      summary: 'Read the progress of a file',
      access: 'reports.read',
      params: fields.idParams,
      response: exportsRecord.item,
      errors: [exportsRecord.notFound],
      handler: async (context) => single(await ownExport(context, context.params.id)),
    }),
    route({
      method: 'GET',
      path: `${PATH}/:id/url`,
      operationId: 'readReportExportUrl',
      summary: 'Allow the download of a file that is done',
      access: 'reports.read',
      params: fields.idParams,
      response: z.object({ url: z.url(), expiresAt: fields.timestamp }),
      errors: [exportsRecord.notFound, INVALID_STATE],
      handler: async (context) => {
        const { id, status, report, from, to } = await ownExport(context, context.params.id);
        demandPermission(context, reportNamed(report));
        if (status !== 'done')
          throw new Problem(INVALID_STATE, { message: 'The file is not done yet: read its progress' });
        const { url, expiresAt } = await platform.storage.downloadUrl(context.hospital, exportKey(id), {
          fileName: `${report}-${from.slice(0, 10)}-${to.slice(0, 10)}.csv`,
          ...{ contentType: CSV, expiresIn: DOWNLOAD_SECONDS },
        });
        return { data: { url, expiresAt: expiresAt.toISOString() } };
      },
    }),
    step('cancel', {
      summary: 'Cancel a file that is not done yet',
      description: 'PostgreSQL ends the statement within a second.',
      run: async (context, id) => {
        await ownExport(context, id);
        const own = records(context, exportsRecord);
        return own.moveTo(await own.lock(id, context.version), 'cancelled');
      },
    }),
  ];
}

/** @throws Problem REPORT_EXPORT_NOT_FOUND also for those of others. */
async function ownExport(context: RequestContext, id: string): Promise<ReportExport> {
  const found = await records(context, exportsRecord).read(id);
  if (found.requestedBy !== context.caller.sub) throw new Problem(exportsRecord.notFound);
  return found;
}

async function createExport(
  context: RequestContext,
  body: z.output<typeof exportsRecord.create>,
): Promise<ReportExport> {
  const { caller, trx, hospital } = context;
  const report = reportNamed(body.report);
  demandPermission(context, report);
  const wrong = (field: string, known: readonly string[]) =>
    invalidFields([{ field, in: 'body', message: `must be one of ${known.join(', ')}` }]);
  const measures = Object.keys(report.measures);
  if (body.measure && !measures.includes(body.measure)) throw wrong('measure', measures);
  const groups = filtersOf(report);
  const unknown = Object.keys(body.filters).find((name) => !groups.includes(name));
  if (unknown !== undefined) throw wrong(`filters.${unknown}`, groups);
  spanOf(body, hospital.timezone, trx.moment, 'body');
  const [open] = await trx.query<{ many: number }>(COUNT_OPEN, [caller.sub]);
  if ((open?.many ?? 0) >= MOST_OPEN) throw new Problem(TOO_MANY_EXPORTS);
  const values = { ...body, requestedBy: caller.sub, rowsDone: 0 };
  const created = await records(context, exportsRecord).insert(values);
  const { id: exportId } = created;
  context.addTask(exportTask, { exportId }, { key: exportId });
  context.addTask(exportRemoval, { exportId }, { key: exportId, runAt: new Date(trx.moment.getTime() + KEPT_MS) });
  // As when somebody opens the list.
  const { from, to, filters, measure } = body;
  context.audit({
    action: 'list',
    record: 'reports',
    details: { report: report.name, from, to, filters, measure, format: 'csv' },
  });
  return created;
}

const COUNT_OPEN = `
  SELECT count(*) AS many FROM report_exports
  WHERE requested_by = $1 AND status IN ('waiting', 'running') AND deleted_at IS NULL`;
