/** The hospital's audit log, for its administrators. */
import { namesOfAccounts } from '@hms/domain/people';
import {
  auditEvents,
  auditQuery,
  exportAudit,
  exportQuery,
  type Route,
  readAudit,
  route,
  sinceHeader,
  TOO_MANY_EXPORTS,
} from '@hms/service';
import { z } from 'zod';

export const auditRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/auth/audit',
    operationId: 'listAudit',
    summary: 'Who did what, latest first',
    description:
      'Each request is an event itself. meta.total counts up to 10,000. The header Audit-Since has the time before which events were removed, or of the first one.',
    access: 'audit.read',
    query: auditQuery,
    response: auditEvents,
    paged: true,
    handler: async (context) => readAudit(context, context.query, namesOfAccounts),
  }),
  route({
    method: 'GET',
    path: '/api/auth/audit/export',
    operationId: 'exportAudit',
    summary: 'The audit log as CSV, oldest first',
    description: 'Values that a spreadsheet would run as a formula begin with an apostrophe.',
    access: 'audit.read',
    // Each batch has a transaction of its own.
    database: 'none',
    query: exportQuery,
    response: z.string(),
    contentType: 'text/csv',
    errors: [TOO_MANY_EXPORTS],
    handler: async (context) => {
      const body = exportAudit(context, context.query);
      const since = await context.inTransaction(({ trx }) => sinceHeader(trx));
      const headers = { 'Content-Disposition': 'attachment; filename="audit.csv"', ...since };
      return { contentType: 'text/csv; charset=utf-8', headers, body };
    },
  }),
];
