/** The pages of the portal. Each names the operation that it needs: menu and guard follow it. */
import { IconHistory, IconUsers } from '@tabler/icons-react';
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { listSearch, maybe } from '../kit/lists/list-search.ts';
import { Guard, NotFoundPage } from '../kit/ui/not-here.tsx';
import { Shell } from '../kit/ui/shell.tsx';

const AccountPage = lazyRouteComponent(() => import('../kit/account/account.page.tsx'), 'AccountPage');
const PatientsPage = lazyRouteComponent(() => import('./pages/patients/patients.page.tsx'), 'PatientsPage');
const NewPatientPage = lazyRouteComponent(() => import('./pages/patients/new-patient.page.tsx'), 'NewPatientPage');
const PatientPage = lazyRouteComponent(() => import('./pages/patients/patient.page.tsx'), 'PatientPage');
const AuditPage = lazyRouteComponent(() => import('./pages/audit/audit.page.tsx'), 'AuditPage');

const root = createRootRoute({ component: Portal, notFoundComponent: NotFoundPage });

function Portal() {
  const { t } = useTranslation();
  return (
    <Shell
      items={[
        { to: '/patients', label: t('patients.title'), icon: IconUsers, operation: 'listPatients' },
        { to: '/audit', label: t('audit.title'), icon: IconHistory, operation: 'listAudit' },
      ]}
    />
  );
}

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/patients', search: {} });
  },
});

const account = createRoute({ getParentRoute: () => root, path: '/account', component: AccountPage });

const patients = createRoute({
  getParentRoute: () => root,
  path: '/patients',
  validateSearch: listSearch,
  component: () => (
    <Guard operation="listPatients">
      <PatientsPage />
    </Guard>
  ),
});

const newPatient = createRoute({
  getParentRoute: () => root,
  path: '/patients/new',
  component: () => (
    <Guard operation="createPatient">
      <NewPatientPage />
    </Guard>
  ),
});

const patient = createRoute({
  getParentRoute: () => root,
  path: '/patients/$id',
  validateSearch: z.object({
    page: listSearch.shape.page,
    tab: maybe(z.enum(['documents', 'family', 'history'])),
  }),
  component: () => (
    <Guard operation="readPatient">
      <PatientPage />
    </Guard>
  ),
});

const audit = createRoute({
  getParentRoute: () => root,
  path: '/audit',
  validateSearch: z.object({
    ...listSearch.shape,
    actorEmail: maybe(z.string().check(z.trim(), z.maxLength(254))),
    action: maybe(z.enum(['create', 'read', 'list', 'update', 'delete', 'restore', 'transition', 'refuse'])),
    from: maybe(z.iso.date()),
    to: maybe(z.iso.date()),
  }),
  component: () => (
    <Guard operation="listAudit">
      <AuditPage />
    </Guard>
  ),
});

export const router = createRouter({
  routeTree: root.addChildren([home, account, patients, newPatient, patient, audit]),
  scrollRestoration: true,
  defaultPreload: 'intent',
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
