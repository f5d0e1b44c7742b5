/** Pages of reports. Only a page knows what filters its report has. */
import { createRoute } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { filteredSearch, listSearch, maybe } from '../../kit/lists/list-search.ts';
import { pageWith } from '../../kit/ui/page.tsx';
import { portalPages } from '../pages/words.ts';
import { root } from './root.tsx';

const reportPage = pageWith(portalPages.reports);

const reports = createRoute({
  getParentRoute: () => root,
  path: '/reports',
  validateSearch: filteredSearch,
  component: reportPage('readReports', () => import('../pages/reports/reports.page.tsx'), 'ReportsPage'),
});

const report = createRoute({
  getParentRoute: () => root,
  path: '/reports/$name',
  validateSearch: filteredSearch,
  component: reportPage('readReports', () => import('../pages/reports/report.page.tsx'), 'ReportPage'),
});

const records = createRoute({
  getParentRoute: () => root,
  path: '/reports/$name/records',
  validateSearch: filteredSearch,
  component: reportPage('readReports', () => import('../pages/reports/records.page.tsx'), 'RecordsPage'),
});

const files = createRoute({
  getParentRoute: () => root,
  path: '/reports/files',
  validateSearch: z.object({ page: listSearch.shape.page }),
  component: reportPage('listReportExports', () => import('../pages/reports/files.page.tsx'), 'FilesPage'),
});

const mails = createRoute({
  getParentRoute: () => root,
  path: '/reports/mail',
  validateSearch: listSearch,
  component: reportPage('listReportSchedules', () => import('../pages/reports/mails.page.tsx'), 'MailsPage'),
});

const newMail = createRoute({
  getParentRoute: () => root,
  path: '/reports/mail/new',
  validateSearch: z.object({ report: maybe(z.string()), groupBy: maybe(z.string()) }),
  component: reportPage('createReportSchedule', () => import('../pages/reports/new-mail.page.tsx'), 'NewMailPage'),
});

const mail = createRoute({
  getParentRoute: () => root,
  path: '/reports/mail/$id',
  component: reportPage('readReportSchedule', () => import('../pages/reports/mail.page.tsx'), 'MailPage'),
});

export const reportRoutes = [reports, report, records, files, mails, newMail, mail] as const;
