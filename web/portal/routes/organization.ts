/** Pages of the people, the places and the rules of the hospital. */
import { createRoute } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { listSearch, maybe } from '../../kit/lists/list-search.ts';
import { pageWith } from '../../kit/ui/page.tsx';
import { kitPages } from '../../kit/words/pages.ts';
import { ACTIONS } from '../pages/audit/actions.ts';
import { STATUSES } from '../pages/employees/statuses.ts';
import { portalPages } from '../pages/words.ts';
import { root } from './root.tsx';

const employeePage = pageWith(portalPages.employees, kitPages.permissions);
const schedulePage = pageWith(portalPages.schedules, portalPages.records, portalPages.clinics);
const rolePage = pageWith(portalPages.roles, kitPages.permissions);
const supportPage = pageWith(portalPages.supportAccess, kitPages.impersonations);
const auditPage = pageWith(portalPages.audit, portalPages.auditEvents, kitPages.permissions, kitPages.errors);

const employees = createRoute({
  getParentRoute: () => root,
  path: '/employees',
  validateSearch: z.object({
    ...listSearch.shape,
    role: maybe(z.string()),
    status: maybe(z.enum(STATUSES)),
  }),
  component: employeePage('listEmployees', () => import('../pages/employees/employees.page.tsx'), 'EmployeesPage'),
});

const newEmployee = createRoute({
  getParentRoute: () => root,
  path: '/employees/new',
  component: employeePage(
    'createEmployee',
    () => import('../pages/employees/new-employee.page.tsx'),
    'NewEmployeePage',
  ),
});

const employee = createRoute({
  getParentRoute: () => root,
  path: '/employees/$id',
  component: employeePage('readEmployee', () => import('../pages/employees/employee.page.tsx'), 'EmployeePage'),
});

const schedules = createRoute({
  getParentRoute: () => root,
  path: '/schedules',
  validateSearch: z.object({
    doctor: maybe(z.uuid()),
    clinic: maybe(z.uuid()),
    from: maybe(z.iso.date()),
  }),
  component: schedulePage('readWeek', () => import('../pages/schedules/schedules.page.tsx'), 'SchedulesPage'),
});

const roles = createRoute({
  getParentRoute: () => root,
  path: '/roles',
  component: rolePage('listRoles', () => import('../pages/roles/roles.page.tsx'), 'RolesPage'),
});

const role = createRoute({
  getParentRoute: () => root,
  path: '/roles/$name',
  component: rolePage('listRoles', () => import('../pages/roles/role.page.tsx'), 'RolePage'),
});

const supportAccess = createRoute({
  getParentRoute: () => root,
  path: '/support-access',
  validateSearch: z.object({ page: listSearch.shape.page }),
  component: supportPage(
    'listImpersonations',
    () => import('../pages/impersonations/support-access.page.tsx'),
    'SupportAccessPage',
  ),
});

const audit = createRoute({
  getParentRoute: () => root,
  path: '/audit',
  validateSearch: z.object({
    ...listSearch.shape,
    actor: maybe(z.uuid()),
    actorEmail: maybe(z.string().check(z.trim(), z.maxLength(254))),
    action: maybe(z.enum(ACTIONS)),
    record: maybe(z.string().check(z.regex(/^[a-z_]{1,40}$/))),
    patientId: maybe(z.uuid()),
    from: maybe(z.iso.date()),
    to: maybe(z.iso.date()),
  }),
  component: auditPage('listAudit', () => import('../pages/audit/audit.page.tsx'), 'AuditPage'),
});

export const organizationRoutes = [
  employees,
  newEmployee,
  employee,
  schedules,
  roles,
  role,
  supportAccess,
  audit,
] as const;
