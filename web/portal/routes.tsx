/** The pages of the portal. Each names the operation that it needs: menu and guard follow it. */
import {
  IconBuilding,
  IconDeviceTv,
  IconHistory,
  IconIdBadge2,
  IconShieldCheck,
  IconStethoscope,
  IconUserShield,
  IconUsers,
} from '@tabler/icons-react';
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { listSearch, maybe } from '../kit/lists/list-search.ts';
import { INVITATION_PATH } from '../kit/session/gate.tsx';
import { NotFoundPage, page } from '../kit/ui/page.tsx';
import { Shell } from '../kit/ui/shell.tsx';
import { STATUSES } from './pages/employees/employees.queries.ts';

const AccountPage = lazyRouteComponent(() => import('../kit/account/account.page.tsx'), 'AccountPage');

const root = createRootRoute({ component: Portal, notFoundComponent: NotFoundPage });

function Portal() {
  const { t } = useTranslation();
  return (
    <Shell
      items={[
        { to: '/patients', label: t('patients.title'), icon: IconUsers, operation: 'listPatients' },
        { to: '/employees', label: t('employees.title'), icon: IconIdBadge2, operation: 'listEmployees' },
        { to: '/departments', label: t('departments.title'), icon: IconBuilding, operation: 'listDepartments' },
        { to: '/clinics', label: t('clinics.title'), icon: IconStethoscope, operation: 'listClinics' },
        { to: '/displays', label: t('displays.title'), icon: IconDeviceTv, operation: 'listDisplays' },
        { to: '/roles', label: t('roles.title'), icon: IconShieldCheck, operation: 'listRoles' },
        {
          to: '/support-access',
          label: t('acting.support'),
          icon: IconUserShield,
          operation: 'listImpersonations',
        },
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
  component: page('listPatients', () => import('./pages/patients/patients.page.tsx'), 'PatientsPage'),
});

const newPatient = createRoute({
  getParentRoute: () => root,
  path: '/patients/new',
  component: page('createPatient', () => import('./pages/patients/new-patient.page.tsx'), 'NewPatientPage'),
});

const patient = createRoute({
  getParentRoute: () => root,
  path: '/patients/$id',
  validateSearch: z.object({
    page: listSearch.shape.page,
    tab: maybe(z.enum(['warnings', 'documents', 'family', 'history'])),
  }),
  component: page('readPatient', () => import('./pages/patients/patient.page.tsx'), 'PatientPage'),
});

const employees = createRoute({
  getParentRoute: () => root,
  path: '/employees',
  validateSearch: z.object({
    ...listSearch.shape,
    role: maybe(z.string()),
    status: maybe(z.enum(STATUSES)),
  }),
  component: page('listEmployees', () => import('./pages/employees/employees.page.tsx'), 'EmployeesPage'),
});

const newEmployee = createRoute({
  getParentRoute: () => root,
  path: '/employees/new',
  component: page('createEmployee', () => import('./pages/employees/new-employee.page.tsx'), 'NewEmployeePage'),
});

const employee = createRoute({
  getParentRoute: () => root,
  path: '/employees/$id',
  component: page('readEmployee', () => import('./pages/employees/employee.page.tsx'), 'EmployeePage'),
});

const departments = createRoute({
  getParentRoute: () => root,
  path: '/departments',
  validateSearch: listSearch,
  component: page('listDepartments', () => import('./pages/departments/departments.page.tsx'), 'DepartmentsPage'),
});

const newDepartment = createRoute({
  getParentRoute: () => root,
  path: '/departments/new',
  component: page('createDepartment', () => import('./pages/departments/department.page.tsx'), 'NewDepartmentPage'),
});

const department = createRoute({
  getParentRoute: () => root,
  path: '/departments/$id',
  component: page('readDepartment', () => import('./pages/departments/department.page.tsx'), 'DepartmentPage'),
});

const clinics = createRoute({
  getParentRoute: () => root,
  path: '/clinics',
  validateSearch: listSearch,
  component: page('listClinics', () => import('./pages/clinics/clinics.page.tsx'), 'ClinicsPage'),
});

const newClinic = createRoute({
  getParentRoute: () => root,
  path: '/clinics/new',
  component: page('createClinic', () => import('./pages/clinics/clinic.page.tsx'), 'NewClinicPage'),
});

const clinic = createRoute({
  getParentRoute: () => root,
  path: '/clinics/$id',
  component: page('readClinic', () => import('./pages/clinics/clinic.page.tsx'), 'ClinicPage'),
});

const displays = createRoute({
  getParentRoute: () => root,
  path: '/displays',
  validateSearch: listSearch,
  component: page('listDisplays', () => import('./pages/displays/displays.page.tsx'), 'DisplaysPage'),
});

const newDisplay = createRoute({
  getParentRoute: () => root,
  path: '/displays/new',
  component: page('createDisplay', () => import('./pages/displays/new-display.page.tsx'), 'NewDisplayPage'),
});

const display = createRoute({
  getParentRoute: () => root,
  path: '/displays/$id',
  component: page('readDisplay', () => import('./pages/displays/display.page.tsx'), 'DisplayPage'),
});

const roles = createRoute({
  getParentRoute: () => root,
  path: '/roles',
  component: page('listRoles', () => import('./pages/roles/roles.page.tsx'), 'RolesPage'),
});

const role = createRoute({
  getParentRoute: () => root,
  path: '/roles/$name',
  component: page('listRoles', () => import('./pages/roles/role.page.tsx'), 'RolePage'),
});

const supportAccess = createRoute({
  getParentRoute: () => root,
  path: '/support-access',
  validateSearch: z.object({ page: listSearch.shape.page }),
  component: page(
    'listImpersonations',
    () => import('./pages/impersonations/support-access.page.tsx'),
    'SupportAccessPage',
  ),
});

const audit = createRoute({
  getParentRoute: () => root,
  path: '/audit',
  validateSearch: z.object({
    ...listSearch.shape,
    actorEmail: maybe(z.string().check(z.trim(), z.maxLength(254))),
    action: maybe(z.enum(['create', 'read', 'list', 'update', 'delete', 'restore', 'transition', 'invite', 'refuse'])),
    from: maybe(z.iso.date()),
    to: maybe(z.iso.date()),
  }),
  component: page('listAudit', () => import('./pages/audit/audit.page.tsx'), 'AuditPage'),
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
    departments,
    newDepartment,
    department,
    clinics,
    newClinic,
    clinic,
    displays,
    newDisplay,
    display,
    roles,
    role,
    audit,
    supportAccess,
  ]),
  scrollRestoration: true,
  defaultPreload: 'intent',
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
