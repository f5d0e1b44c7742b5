/** The pages of the portal. Each names the operation that it needs: menu and guard follow it. */
import { IconHistory, IconIdBadge2, IconUsers } from '@tabler/icons-react';
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { listSearch } from '../kit/lists/list-search.ts';
import { INVITATION_PATH } from '../kit/session/gate.tsx';
import { Guard, NotFoundPage } from '../kit/ui/not-here.tsx';
import { Shell } from '../kit/ui/shell.tsx';
import { ROLES, STATUSES } from './pages/employees/employees.queries.ts';

const AccountPage = lazyRouteComponent(() => import('../kit/account/account.page.tsx'), 'AccountPage');
const PatientsPage = lazyRouteComponent(() => import('./pages/patients/patients.page.tsx'), 'PatientsPage');
const NewPatientPage = lazyRouteComponent(() => import('./pages/patients/new-patient.page.tsx'), 'NewPatientPage');
const PatientPage = lazyRouteComponent(() => import('./pages/patients/patient.page.tsx'), 'PatientPage');
const EmployeesPage = lazyRouteComponent(() => import('./pages/employees/employees.page.tsx'), 'EmployeesPage');
const NewEmployeePage = lazyRouteComponent(() => import('./pages/employees/new-employee.page.tsx'), 'NewEmployeePage');
const EmployeePage = lazyRouteComponent(() => import('./pages/employees/employee.page.tsx'), 'EmployeePage');
const AuditPage = lazyRouteComponent(() => import('./pages/audit/audit.page.tsx'), 'AuditPage');

const root = createRootRoute({ component: Portal, notFoundComponent: NotFoundPage });

function Portal() {
  const { t } = useTranslation();
  return (
    <Shell
      items={[
        { to: '/patients', label: t('patients.title'), icon: IconUsers, operation: 'listPatients' },
        { to: '/employees', label: t('employees.title'), icon: IconIdBadge2, operation: 'listEmployees' },
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

/** Somebody who has accepted an invitation is at work. */
const invitation = createRoute({
  getParentRoute: () => root,
  path: INVITATION_PATH,
  beforeLoad: () => {
    throw redirect({ to: '/', search: {} });
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
  validateSearch: listSearch.pick({ page: true }).extend({
    tab: z.enum(['documents', 'family', 'history']).optional().catch(undefined),
  }),
  component: () => (
    <Guard operation="readPatient">
      <PatientPage />
    </Guard>
  ),
});

const employees = createRoute({
  getParentRoute: () => root,
  path: '/employees',
  validateSearch: listSearch.extend({
    role: z.enum(ROLES).optional().catch(undefined),
    status: z.enum(STATUSES).optional().catch(undefined),
  }),
  component: () => (
    <Guard operation="listEmployees">
      <EmployeesPage />
    </Guard>
  ),
});

const newEmployee = createRoute({
  getParentRoute: () => root,
  path: '/employees/new',
  component: () => (
    <Guard operation="createEmployee">
      <NewEmployeePage />
    </Guard>
  ),
});

const employee = createRoute({
  getParentRoute: () => root,
  path: '/employees/$id',
  component: () => (
    <Guard operation="readEmployee">
      <EmployeePage />
    </Guard>
  ),
});

const audit = createRoute({
  getParentRoute: () => root,
  path: '/audit',
  validateSearch: listSearch.extend({
    actorEmail: z.string().trim().max(254).optional().catch(undefined),
    action: z
      .enum(['create', 'read', 'list', 'update', 'delete', 'restore', 'transition', 'invite', 'refuse'])
      .optional()
      .catch(undefined),
    from: z.iso.date().optional().catch(undefined),
    to: z.iso.date().optional().catch(undefined),
  }),
  component: () => (
    <Guard operation="listAudit">
      <AuditPage />
    </Guard>
  ),
});

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    invitation,
    account,
    patients,
    newPatient,
    patient,
    employees,
    newEmployee,
    employee,
    audit,
  ]),
  scrollRestoration: true,
  defaultPreload: 'intent',
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
