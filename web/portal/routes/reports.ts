/** Pages of reports. Only a page knows what filters its report has. */
import { createRoute } from '@tanstack/react-router';
import { filteredSearch } from '../../kit/lists/list-search.ts';
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

export const reportRoutes = [reports, report, records] as const;
