/** Pages of prescriptions, drugs and stock. */
import { createRoute } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { listSearch, maybe } from '../../kit/lists/list-search.ts';
import { pageWith } from '../../kit/ui/page.tsx';
import { kitPages } from '../../kit/words/pages.ts';
import { STATUSES as STATUSES_OF_PRESCRIPTIONS } from '../pages/prescriptions/statuses.ts';
import { BATCH_STATUSES, BATCH_TABS } from '../pages/stock/statuses.ts';
import { portalPages } from '../pages/words.ts';
import { root } from './root.tsx';

const prescriptionPage = pageWith(
  portalPages.prescriptions,
  portalPages.patients,
  portalPages.stock,
  kitPages.permissions,
);
const stockPage = pageWith(portalPages.stock);

const prescriptions = createRoute({
  getParentRoute: () => root,
  path: '/prescriptions',
  validateSearch: z.object({ ...listSearch.shape, status: maybe(z.enum([...STATUSES_OF_PRESCRIPTIONS, 'all'])) }),
  component: prescriptionPage(
    'listPrescriptions',
    () => import('../pages/prescriptions/prescriptions.page.tsx'),
    'PrescriptionsPage',
  ),
});

const newPrescription = createRoute({
  getParentRoute: () => root,
  path: '/prescriptions/new',
  validateSearch: z.object({ patient: z.uuid(), repeat: maybe(z.uuid()) }),
  component: prescriptionPage(
    'createPrescription',
    () => import('../pages/prescriptions/new-prescription.page.tsx'),
    'NewPrescriptionPage',
  ),
});

const prescription = createRoute({
  getParentRoute: () => root,
  path: '/prescriptions/$id',
  component: prescriptionPage(
    'readPrescription',
    () => import('../pages/prescriptions/prescription.page.tsx'),
    'PrescriptionPage',
  ),
});

const stock = createRoute({
  getParentRoute: () => root,
  path: '/stock',
  validateSearch: z.object({
    ...listSearch.shape,
    tab: maybe(z.enum(['batches', 'counts'])),
    below: maybe(z.literal(true)),
    soon: maybe(z.literal(true)),
    empty: maybe(z.literal(true)),
    drug: maybe(z.uuid()),
    status: maybe(z.enum(BATCH_STATUSES)),
  }),
  component: stockPage('listDrugLevels', () => import('../pages/stock/stock.page.tsx'), 'StockPage'),
});

const receive = createRoute({
  getParentRoute: () => root,
  path: '/stock/receive',
  component: stockPage('createStockBatch', () => import('../pages/stock/receive.page.tsx'), 'ReceivePage'),
});

const batch = createRoute({
  getParentRoute: () => root,
  path: '/stock/batches/$id',
  validateSearch: z.object({ tab: maybe(z.enum(BATCH_TABS)) }),
  component: stockPage('readStockBatch', () => import('../pages/stock/batch.page.tsx'), 'BatchPage'),
});

const stockCount = createRoute({
  getParentRoute: () => root,
  path: '/stock/counts/$id',
  component: stockPage('readStockCount', () => import('../pages/stock/count.page.tsx'), 'CountPage'),
});

const interactionImport = createRoute({
  getParentRoute: () => root,
  path: '/interactions/import',
  component: pageWith(portalPages.interactions, portalPages.csvFile)(
    'importDrugInteractions',
    () => import('../pages/interactions/import.page.tsx'),
    'InteractionImportPage',
  ),
});

export const pharmacyRoutes = [
  prescriptions,
  newPrescription,
  prescription,
  stock,
  receive,
  batch,
  stockCount,
  interactionImport,
] as const;
