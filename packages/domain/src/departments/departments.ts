/** Departments of a hospital: the table `departments`. */
import { type Constraints, type ErrorKind, fields, record } from '@hms/service';
import type { z } from 'zod';

export const departments = record('departments', {
  name: 'department',
  fields: {
    code: fields.line(20).describe('Short and unique, such as `ENT`'),
    name: fields.line(100),
    location: fields.line(200).nullish().describe('Where people find it'),
  },
  sort: ['name'],
  defaultSort: 'name',
  filters: ['code'],
  search: {},
  live: true,
});
export type Department = z.output<typeof departments.item>;

const DEPARTMENT_CODE_TAKEN: ErrorKind = {
  status: 409,
  code: 'DEPARTMENT_CODE_TAKEN',
  message: 'Another department has this code: choose another one',
};

export const DEPARTMENT_NOT_FOUND: ErrorKind = departments.notFound;
export const departmentErrors: readonly ErrorKind[] = [DEPARTMENT_CODE_TAKEN];
export const departmentConstraints: Constraints = { departments_code: DEPARTMENT_CODE_TAKEN };
