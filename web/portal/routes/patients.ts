/** Pages of patients, their VIP memberships and their visitors. */
import { createRoute } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { listSearch, maybe } from '../../kit/lists/list-search.ts';
import { pageWith } from '../../kit/ui/page.tsx';
import { portalPages } from '../pages/words.ts';
import { root } from './root.tsx';

const patientPage = pageWith(portalPages.patients);
const recordPage = pageWith(
  portalPages.patients,
  portalPages.patientRecord,
  portalPages.audit,
  portalPages.invoices,
  portalPages.vip,
  portalPages.records,
  portalPages.prescriptions,
  portalPages.laboratory,
  portalPages.appointments,
);
const importPage = pageWith(portalPages.patientImports, portalPages.patients);
const familyPage = pageWith(portalPages.patients);
const vipPage = pageWith(portalPages.vip);
const visitorPage = pageWith(portalPages.visitors);

const patients = createRoute({
  getParentRoute: () => root,
  path: '/patients',
  validateSearch: z.object({
    ...listSearch.shape,
    deleted: maybe(z.literal(true)),
    incomplete: maybe(z.literal(true)),
  }),
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
  validateSearch: z.object({
    id: maybe(z.uuid()),
    page: listSearch.shape.page,
    kind: maybe(z.enum(['wrong', 'known', 'repaired'])),
  }),
  component: importPage('createPatientImport', () => import('../pages/patient-imports/import.page.tsx'), 'ImportPage'),
});

const families = createRoute({
  getParentRoute: () => root,
  path: '/families',
  validateSearch: listSearch,
  component: familyPage('listFamilies', () => import('../pages/patients/families.page.tsx'), 'FamiliesPage'),
});

const family = createRoute({
  getParentRoute: () => root,
  path: '/families/$id',
  component: familyPage('readFamily', () => import('../pages/patients/family.page.tsx'), 'FamilyPage'),
});

const patient = createRoute({
  getParentRoute: () => root,
  path: '/patients/$id',
  validateSearch: z.object({
    page: listSearch.shape.page,
    subject: maybe(z.string()),
    tab: maybe(
      z.enum([
        'warnings',
        'appointments',
        'laboratory',
        'timeline',
        'prescriptions',
        'documents',
        'family',
        'invoices',
        'vip',
        'duplicates',
        'history',
      ]),
    ),
  }),
  component: recordPage('readPatient', () => import('../pages/patients/patient.page.tsx'), 'PatientPage'),
});

const merge = createRoute({
  getParentRoute: () => root,
  path: '/patients/$id/merge',
  validateSearch: z.object({ with: maybe(z.uuid()) }),
  component: recordPage('mergePatient', () => import('../pages/patients/merge.page.tsx'), 'MergePage'),
});

const vip = createRoute({
  getParentRoute: () => root,
  path: '/vip',
  validateSearch: z.object({ ...listSearch.shape, valid: maybe(z.literal(true)) }),
  component: vipPage('listVipMemberships', () => import('../pages/vip/vip.page.tsx'), 'VipPage'),
});

const visitors = createRoute({
  getParentRoute: () => root,
  path: '/visitors',
  validateSearch: z.object({ ...listSearch.shape, tab: maybe(z.enum(['passes', 'hours'])) }),
  component: visitorPage('listVisitors', () => import('../pages/visitors/visitors.page.tsx'), 'VisitorsPage'),
});

export const patientsRoutes = [
  patients,
  newPatient,
  patientImport,
  patient,
  merge,
  families,
  family,
  vip,
  visitors,
] as const;
