/** Pages of patients, their VIP memberships and their visitors. */
import { createRoute } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { listSearch, maybe } from '../../kit/lists/list-search.ts';
import { pageWith } from '../../kit/ui/page.tsx';
import { portalPages } from '../pages/words.ts';
import { root } from './root.tsx';

const patientPage = pageWith(
  portalPages.patients,
  portalPages.audit,
  portalPages.vip,
  portalPages.catalogue,
  portalPages.prescriptions,
  portalPages.laboratory,
);
const importPage = pageWith(portalPages.patientImports, portalPages.patients);
const vipPage = pageWith(portalPages.vip);
const tierPage = pageWith(portalPages.catalogue, portalPages.vip);
const visitorPage = pageWith(portalPages.visitors);
const banPage = pageWith(portalPages.catalogue, portalPages.visitors);

const patients = createRoute({
  getParentRoute: () => root,
  path: '/patients',
  validateSearch: z.object({ ...listSearch.shape, deleted: maybe(z.literal(true)) }),
  component: patientPage('listPatients', () => import('../pages/patients/patients.page.tsx'), 'PatientsPage'),
});

const newPatient = createRoute({
  getParentRoute: () => root,
  path: '/patients/new',
  component: patientPage('createPatient', () => import('../pages/patients/new-patient.page.tsx'), 'NewPatientPage'),
});

const patientImport = createRoute({
  getParentRoute: () => root,
  path: '/patients/import',
  validateSearch: z.object({ id: maybe(z.uuid()), page: listSearch.shape.page }),
  component: importPage('createPatientImport', () => import('../pages/patient-imports/import.page.tsx'), 'ImportPage'),
});

const patient = createRoute({
  getParentRoute: () => root,
  path: '/patients/$id',
  validateSearch: z.object({
    page: listSearch.shape.page,
    tab: maybe(
      z.enum([
        'warnings',
        'laboratory',
        'timeline',
        'prescriptions',
        'documents',
        'family',
        'vip',
        'duplicates',
        'history',
      ]),
    ),
  }),
  component: patientPage('readPatient', () => import('../pages/patients/patient.page.tsx'), 'PatientPage'),
});

const vip = createRoute({
  getParentRoute: () => root,
  path: '/vip',
  validateSearch: z.object({ ...listSearch.shape, valid: maybe(z.literal(true)) }),
  component: vipPage('listVipMemberships', () => import('../pages/vip/vip.page.tsx'), 'VipPage'),
});

const vipTiers = createRoute({
  getParentRoute: () => root,
  path: '/vip-tiers',
  validateSearch: listSearch,
  component: tierPage('listVipTiers', () => import('../pages/vip/tiers.page.tsx'), 'TiersPage'),
});

const newVipTier = createRoute({
  getParentRoute: () => root,
  path: '/vip-tiers/new',
  component: tierPage('createVipTier', () => import('../pages/vip/tiers.page.tsx'), 'NewTierPage'),
});

const vipTier = createRoute({
  getParentRoute: () => root,
  path: '/vip-tiers/$id',
  component: tierPage('readVipTier', () => import('../pages/vip/tiers.page.tsx'), 'TierPage'),
});

const visitors = createRoute({
  getParentRoute: () => root,
  path: '/visitors',
  validateSearch: z.object({ ...listSearch.shape, tab: maybe(z.enum(['passes', 'hours'])) }),
  component: visitorPage('listVisitors', () => import('../pages/visitors/visitors.page.tsx'), 'VisitorsPage'),
});

const visitorBans = createRoute({
  getParentRoute: () => root,
  path: '/visitor-bans',
  validateSearch: listSearch,
  component: banPage('listVisitorBans', () => import('../pages/visitors/bans.page.tsx'), 'BansPage'),
});

const newVisitorBan = createRoute({
  getParentRoute: () => root,
  path: '/visitor-bans/new',
  component: banPage('createVisitorBan', () => import('../pages/visitors/bans.page.tsx'), 'NewBanPage'),
});

const visitorBan = createRoute({
  getParentRoute: () => root,
  path: '/visitor-bans/$id',
  component: banPage('readVisitorBan', () => import('../pages/visitors/bans.page.tsx'), 'BanPage'),
});

export const patientsRoutes = [
  patients,
  newPatient,
  patientImport,
  patient,
  vip,
  vipTiers,
  newVipTier,
  vipTier,
  visitors,
  visitorBans,
  newVisitorBan,
  visitorBan,
] as const;
