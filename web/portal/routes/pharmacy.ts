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

const drugPage = pageWith(portalPages.catalogue, portalPages.drugs);
const interactionPage = pageWith(portalPages.catalogue, portalPages.interactions);
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
  validateSearch: z.object({ patient: z.uuid() }),
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

const drugs = createRoute({
  getParentRoute: () => root,
  path: '/drugs',
  validateSearch: listSearch,
  component: drugPage('listDrugs', () => import('../pages/drugs/drugs.page.tsx'), 'DrugsPage'),
});

const newDrug = createRoute({
  getParentRoute: () => root,
  path: '/drugs/new',
  component: drugPage('createDrug', () => import('../pages/drugs/drugs.page.tsx'), 'NewDrugPage'),
});

const drug = createRoute({
  getParentRoute: () => root,
  path: '/drugs/$id',
  component: drugPage('readDrug', () => import('../pages/drugs/drugs.page.tsx'), 'DrugPage'),
});

const interactions = createRoute({
  getParentRoute: () => root,
  path: '/interactions',
  validateSearch: listSearch,
  component: interactionPage(
    'listDrugInteractions',
    () => import('../pages/interactions/interactions.page.tsx'),
    'InteractionsPage',
  ),
});

const newInteraction = createRoute({
  getParentRoute: () => root,
  path: '/interactions/new',
  component: interactionPage(
    'createDrugInteraction',
    () => import('../pages/interactions/interactions.page.tsx'),
    'NewInteractionPage',
  ),
});

const interaction = createRoute({
  getParentRoute: () => root,
  path: '/interactions/$id',
  component: interactionPage(
    'readDrugInteraction',
    () => import('../pages/interactions/interactions.page.tsx'),
    'InteractionPage',
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
  drugs,
  newDrug,
  drug,
  interactions,
  newInteraction,
  interaction,
] as const;
