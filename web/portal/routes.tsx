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
import { Guard, NotFoundPage } from '../kit/ui/not-here.tsx';
import { Shell } from '../kit/ui/shell.tsx';
import { STATUSES } from './pages/employees/employees.queries.ts';

const AccountPage = lazyRouteComponent(() => import('../kit/account/account.page.tsx'), 'AccountPage');
const PatientsPage = lazyRouteComponent(() => import('./pages/patients/patients.page.tsx'), 'PatientsPage');
const NewPatientPage = lazyRouteComponent(() => import('./pages/patients/new-patient.page.tsx'), 'NewPatientPage');
const PatientPage = lazyRouteComponent(() => import('./pages/patients/patient.page.tsx'), 'PatientPage');
const EmployeesPage = lazyRouteComponent(() => import('./pages/employees/employees.page.tsx'), 'EmployeesPage');
const NewEmployeePage = lazyRouteComponent(() => import('./pages/employees/new-employee.page.tsx'), 'NewEmployeePage');
const EmployeePage = lazyRouteComponent(() => import('./pages/employees/employee.page.tsx'), 'EmployeePage');
const DepartmentsPage = lazyRouteComponent(() => import('./pages/departments/departments.page.tsx'), 'DepartmentsPage');
const NewDepartmentPage = lazyRouteComponent(
  () => import('./pages/departments/department.page.tsx'),
  'NewDepartmentPage',
);
const DepartmentPage = lazyRouteComponent(() => import('./pages/departments/department.page.tsx'), 'DepartmentPage');
const ClinicsPage = lazyRouteComponent(() => import('./pages/clinics/clinics.page.tsx'), 'ClinicsPage');
const NewClinicPage = lazyRouteComponent(() => import('./pages/clinics/clinic.page.tsx'), 'NewClinicPage');
const ClinicPage = lazyRouteComponent(() => import('./pages/clinics/clinic.page.tsx'), 'ClinicPage');
const DisplaysPage = lazyRouteComponent(() => import('./pages/displays/displays.page.tsx'), 'DisplaysPage');
const NewDisplayPage = lazyRouteComponent(() => import('./pages/displays/new-display.page.tsx'), 'NewDisplayPage');
const DisplayPage = lazyRouteComponent(() => import('./pages/displays/display.page.tsx'), 'DisplayPage');
const RolesPage = lazyRouteComponent(() => import('./pages/roles/roles.page.tsx'), 'RolesPage');
const RolePage = lazyRouteComponent(() => import('./pages/roles/role.page.tsx'), 'RolePage');
const SupportAccessPage = lazyRouteComponent(
  () => import('./pages/impersonations/support-access.page.tsx'),
  'SupportAccessPage',
);
const AuditPage = lazyRouteComponent(() => import('./pages/audit/audit.page.tsx'), 'AuditPage');

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

const employees = createRoute({
  getParentRoute: () => root,
  path: '/employees',
  validateSearch: z.object({
    ...listSearch.shape,
    role: maybe(z.string()),
    status: maybe(z.enum(STATUSES)),
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

const departments = createRoute({
  getParentRoute: () => root,
  path: '/departments',
  validateSearch: listSearch,
  component: () => (
    <Guard operation="listDepartments">
      <DepartmentsPage />
    </Guard>
  ),
});

const newDepartment = createRoute({
  getParentRoute: () => root,
  path: '/departments/new',
  component: () => (
    <Guard operation="createDepartment">
      <NewDepartmentPage />
    </Guard>
  ),
});

const department = createRoute({
  getParentRoute: () => root,
  path: '/departments/$id',
  component: () => (
    <Guard operation="readDepartment">
      <DepartmentPage />
    </Guard>
  ),
});

const clinics = createRoute({
  getParentRoute: () => root,
  path: '/clinics',
  validateSearch: listSearch,
  component: () => (
    <Guard operation="listClinics">
      <ClinicsPage />
    </Guard>
  ),
});

const newClinic = createRoute({
  getParentRoute: () => root,
  path: '/clinics/new',
  component: () => (
    <Guard operation="createClinic">
      <NewClinicPage />
    </Guard>
  ),
});

const clinic = createRoute({
  getParentRoute: () => root,
  path: '/clinics/$id',
  component: () => (
    <Guard operation="readClinic">
      <ClinicPage />
    </Guard>
  ),
});

const displays = createRoute({
  getParentRoute: () => root,
  path: '/displays',
  validateSearch: listSearch,
  component: () => (
    <Guard operation="listDisplays">
      <DisplaysPage />
    </Guard>
  ),
});

const newDisplay = createRoute({
  getParentRoute: () => root,
  path: '/displays/new',
  component: () => (
    <Guard operation="createDisplay">
      <NewDisplayPage />
    </Guard>
  ),
});

const display = createRoute({
  getParentRoute: () => root,
  path: '/displays/$id',
  component: () => (
    <Guard operation="readDisplay">
      <DisplayPage />
    </Guard>
  ),
});

const roles = createRoute({
  getParentRoute: () => root,
  path: '/roles',
  component: () => (
    <Guard operation="listRoles">
      <RolesPage />
    </Guard>
  ),
});

const role = createRoute({
  getParentRoute: () => root,
  path: '/roles/$name',
  component: () => (
    <Guard operation="listRoles">
      <RolePage />
    </Guard>
  ),
});

const supportAccess = createRoute({
  getParentRoute: () => root,
  path: '/support-access',
  validateSearch: z.object({ page: listSearch.shape.page }),
  component: () => (
    <Guard operation="listImpersonations">
      <SupportAccessPage />
    </Guard>
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
