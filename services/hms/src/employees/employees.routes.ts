import * as domain from '@hms/domain/employees';
import { type Employee, employees } from '@hms/domain/employees';
import { endSchedules } from '@hms/domain/schedules';
import { type Route, resource, stepsOf } from '@hms/service';

const PATH = '/api/hms/employees';
const { EMPLOYEE_EMAIL_TAKEN, OWNER_REQUIRED, ROLE_NOT_ALLOWED, LAST_OWNER, OWN_EMPLOYMENT, EMPLOYEE_TERMINATED } =
  domain;

const step = stepsOf(employees, {
  ...{ path: PATH, access: 'employees.write', response: employees.item },
  show: (_, employee: Employee) => employee,
});

const routes: readonly Route[] = [
  ...resource(employees, {
    path: PATH,
    access: { read: 'employees.read', write: 'employees.write' },
    create: {
      summary: 'Create an employee with an account',
      description:
        'The account is set up in the background, usually within a second: `accountId` is null until then. The person gets an e-mail with which they choose a password.',
      errors: [EMPLOYEE_EMAIL_TAKEN, OWNER_REQUIRED, ROLE_NOT_ALLOWED],
      run: domain.hire,
    },
    update: {
      description: 'The account follows in the background, usually within a second.',
      errors: [
        ...[EMPLOYEE_EMAIL_TAKEN, OWNER_REQUIRED, LAST_OWNER, OWN_EMPLOYMENT],
        ...[EMPLOYEE_TERMINATED, ROLE_NOT_ALLOWED],
      ],
      run: (context, id, changes) => domain.changeEmployee(context, id, changes, context.version),
    },
  }),
  step('suspend', {
    summary: 'Suspend an employee',
    description: 'The account is closed until the employee is activated. Access tokens are refused within 2 seconds.',
    errors: [OWNER_REQUIRED, LAST_OWNER, OWN_EMPLOYMENT],
    run: (context, id) => domain.suspend(context, id, context.version),
  }),
  step('activate', {
    summary: 'Activate a suspended employee',
    errors: [OWNER_REQUIRED],
    run: (context, id) => domain.activate(context, id, context.version),
  }),
  step('terminate', {
    summary: 'End the employment',
    description: 'The account is closed for good. Access tokens are refused within 2 seconds. Schedules end today.',
    errors: [OWNER_REQUIRED, LAST_OWNER, OWN_EMPLOYMENT],
    run: async (context, id) => {
      const employee = await domain.terminate(context, id, context.version);
      await endSchedules(context, id);
      return employee;
    },
  }),
  step('resend-invite', {
    summary: 'Mail another invitation',
    errors: [OWNER_REQUIRED],
    run: (context, id) => domain.inviteAgain(context, id),
  }),
];

/** Whoever acts as somebody else changes nobody's account or roles. */
export const employeeRoutes: readonly Route[] = routes.map((declared) =>
  declared.method === 'GET' ? declared : { ...declared, impersonation: 'never' },
);
