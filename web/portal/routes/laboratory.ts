/** Pages of the laboratory and its catalogue. */
import { createRoute } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { listSearch, maybe } from '../../kit/lists/list-search.ts';
import { pageWith } from '../../kit/ui/page.tsx';
import { WORK } from '../pages/laboratory/work.ts';
import { portalPages } from '../pages/words.ts';
import { root } from './root.tsx';

const laboratoryPage = pageWith(portalPages.laboratory, portalPages.patients);
const labCataloguePage = pageWith(portalPages.records, portalPages.labCatalogue, portalPages.laboratory);

const laboratory = createRoute({
  getParentRoute: () => root,
  path: '/laboratory',
  validateSearch: z.object({ ...listSearch.shape, work: maybe(z.enum(WORK)), testId: maybe(z.uuid()) }),
  component: laboratoryPage('listLabOrders', () => import('../pages/laboratory/laboratory.page.tsx'), 'LaboratoryPage'),
});

const newLabOrder = createRoute({
  getParentRoute: () => root,
  path: '/laboratory/new',
  validateSearch: z.object({ patient: maybe(z.uuid()) }),
  component: laboratoryPage(
    'createLabOrder',
    () => import('../pages/laboratory/new-order.page.tsx'),
    'NewLabOrderPage',
  ),
});

const analyserImport = createRoute({
  getParentRoute: () => root,
  path: '/laboratory/import',
  component: pageWith(portalPages.laboratory, portalPages.csvFile)(
    'importLabResults',
    () => import('../pages/laboratory/analyser-import.page.tsx'),
    'AnalyserImportPage',
  ),
});

const pastResults = createRoute({
  getParentRoute: () => root,
  path: '/laboratory/results',
  validateSearch: z.object({ patient: z.uuid(), test: z.uuid(), page: listSearch.shape.page }),
  component: laboratoryPage(
    'listPatientLabResults',
    () => import('../pages/laboratory/past-results.page.tsx'),
    'PastResultsPage',
  ),
});

const labOrder = createRoute({
  getParentRoute: () => root,
  path: '/laboratory/$id',
  validateSearch: z.object({ specimen: maybe(z.string()), at: maybe(z.number()) }),
  component: laboratoryPage('readLabOrder', () => import('../pages/laboratory/order.page.tsx'), 'LabOrderPage'),
});

const labTests = createRoute({
  getParentRoute: () => root,
  path: '/lab-tests',
  validateSearch: z.object({ ...listSearch.shape, status: maybe(z.enum(['draft', 'active', 'retired'])) }),
  component: labCataloguePage(
    'listLabTests',
    () => import('../pages/lab-catalogue/lab-tests.page.tsx'),
    'LabTestsPage',
  ),
});

const newLabTest = createRoute({
  getParentRoute: () => root,
  path: '/lab-tests/new',
  component: labCataloguePage(
    'createLabTest',
    () => import('../pages/lab-catalogue/lab-test.page.tsx'),
    'NewLabTestPage',
  ),
});

const labTest = createRoute({
  getParentRoute: () => root,
  path: '/lab-tests/$id',
  component: labCataloguePage('readLabTest', () => import('../pages/lab-catalogue/lab-test.page.tsx'), 'LabTestPage'),
});

export const laboratoryRoutes = [
  laboratory,
  newLabOrder,
  analyserImport,
  pastResults,
  labOrder,
  labTests,
  newLabTest,
  labTest,
] as const;
