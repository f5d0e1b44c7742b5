import { DEPARTMENT_NOT_FOUND } from '@hms/domain/departments';
import * as domain from '@hms/domain/employees';
import { type Employee, employees } from '@hms/domain/employees';
import {
  type ErrorKind,
  fields,
  INVALID_STATE,
  type Route,
  resource,
  route,
  STALE_VERSION,
  single,
  type Work,
} from '@hms/service';
import { z } from 'zod';

const PATH = '/api/hms/employees';
const { EMPLOYEE_EMAIL_TAKEN, OWNER_REQUIRED, ROLE_NOT_ALLOWED, LAST_OWNER, OWN_EMPLOYMENT, EMPLOYEE_TERMINATED } =
  domain;

export const employeeRoutes: readonly Route[] = [
  ...resource(employees, {
    path: PATH,
    access: { read: 'employees.read', write: 'employees.write' },
    create: {
      summary: 'Create an employee with an account',
      description:
        'The account is set up in the background, usually within a second: `accountId` is null until then. The person gets an e-mail with which they choose a password.',
      errors: [EMPLOYEE_EMAIL_TAKEN, OWNER_REQUIRED, ROLE_NOT_ALLOWED, DEPARTMENT_NOT_FOUND],
      run: domain.hire,
    },
    update: {
      description: 'The account follows in the background, usually within a second.',
      errors: [
        ...[EMPLOYEE_EMAIL_TAKEN, OWNER_REQUIRED, LAST_OWNER, OWN_EMPLOYMENT],
        ...[EMPLOYEE_TERMINATED, DEPARTMENT_NOT_FOUND, ROLE_NOT_ALLOWED],
      ],
      run: (context, id, changes) => domain.changeEmployee(context, id, changes, context.version),
    },
  }),
  step('suspend', {
    summary: 'Suspend an employee',
    description: 'The account is closed until the employee is activated. Access tokens are refused within 2 seconds.',
    errors: [OWNER_REQUIRED, LAST_OWNER, OWN_EMPLOYMENT],
    run: domain.suspend,
  }),
  step('activate', {
    summary: 'Activate a suspended employee',
    errors: [OWNER_REQUIRED],
    run: domain.activate,
  }),
  step('terminate', {
    summary: 'End the employment',
    description: 'The account is closed for good. Access tokens are refused within 2 seconds.',
    errors: [OWNER_REQUIRED, LAST_OWNER, OWN_EMPLOYMENT],
    run: domain.terminate,
  }),
  step('resend-invite', {
    summary: 'Mail another invitation',
    errors: [OWNER_REQUIRED],
    run: domain.inviteAgain,
  }),
];

interface Step {
  readonly summary: string;
  readonly description?: string;
  readonly errors: readonly ErrorKind[];
  run(work: Work, id: string, version: number | undefined): Promise<Employee>;
}

/** A route that takes an employee one step further. */
function step(name: string, { run, errors, ...described }: Step): Route {
  return route({
    method: 'POST',
    path: `${PATH}/:id/${name}`,
    operationId: `${name.replace(/-(\w)/, (_, letter: string) => letter.toUpperCase())}Employee`,
    ...described,
    access: 'employees.write',
    params: fields.idParams,
    body: z.object({ version: fields.version }),
    response: employees.item,
    errors: [employees.notFound, INVALID_STATE, STALE_VERSION, ...errors],
    handler: async (context) => single(await run(context, context.params.id, context.version)),
  });
}
