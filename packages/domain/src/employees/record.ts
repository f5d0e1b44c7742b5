/** The declaration of employees. */
import { fields, record, ref } from '@hms/service';
import { z } from 'zod';

const role = z
  .string()
  .regex(/^[A-Z][A-Z0-9_]{1,62}$/, 'must be the name of a role, such as NURSE or WARD_CLERK')
  .describe('A role of the hospital: see GET /api/hms/roles');
const roles = z
  .array(role)
  .min(1, 'must have at least one role')
  .max(20)
  .refine((given) => new Set(given).size === given.length, 'must not have a role twice')
  .describe('What the person may do');

export const employees = record('employees', {
  name: 'employee',
  code: { field: 'employeeCode', series: 'employee', letters: 'EMP' },
  fields: {
    firstName: fields.line(100),
    lastName: fields.line(100),
    email: fields.email.describe('Receives the invitation and the codes. Each employee needs their own'),
    phone: fields.phone.nullish(),
    departmentId: ref('departments').nullish(),
    title: fields.line(100).nullish().describe('Such as `Senior nurse`'),
    licenseNo: fields.line(50).nullish().describe('Number of the license to practice'),
    roles,
    employedFrom: fields.day.optional().describe('Default: today'),
    employedTo: fields.day.nullish(),
  },
  set: {
    accountId: fields.id.nullable().describe('The account with which the person logs in. Null while it is set up'),
    invitedAt: fields.instant.nullable().describe('When the latest invitation was mailed. Null before'),
  },
  states: {
    invited: ['active', 'terminated'],
    // Only an owner whose account was lost is invited again.
    active: ['invited', 'suspended', 'terminated'],
    suspended: ['active', 'terminated'],
    terminated: [],
  },
  sort: ['lastName', 'firstName', 'employeeCode'],
  filters: ['email', 'employeeCode', 'departmentId', 'status', 'accountId'],
  moreFilters: {
    role: {
      schema: role,
      where: (rows, value) => void rows.whereRaw('roles @> ?::jsonb', [JSON.stringify([value])]),
    },
  },
  search: {},
  live: true,
});
export type Employee = z.output<typeof employees.item>;
