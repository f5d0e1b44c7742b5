/**
 * Departments of a hospital, and of which other one each is a part: the table `departments`.
 *
 * Whoever changes a parent locks all departments by id, some dozens of rows. Otherwise, two requests at a time could make
 * two departments parts of each other.
 */
import { build } from '@hms/database';
import { type Constraints, type ErrorKind, type Feed, fields, Problem, record, records, type Work } from '@hms/service';
import type { z } from 'zod';

export const departments = record('departments', {
  name: 'department',
  fields: {
    code: fields.line(20).describe('Short and unique, such as `ENT`'),
    name: fields.line(100),
    location: fields.line(200).nullish().describe('Where people find it'),
    parentId: fields.id.nullish().describe('The department of which it is a part'),
  },
  states: { active: ['inactive'], inactive: ['active'] },
  sort: ['name'],
  defaultSort: 'name',
  filters: ['code', 'parentId', 'status'],
  search: {},
  live: true,
});
export type Department = z.output<typeof departments.item>;
type Changes = Omit<z.output<typeof departments.changes>, 'version'>;

const DEPARTMENT_CODE_TAKEN: ErrorKind = {
  status: 409,
  code: 'DEPARTMENT_CODE_TAKEN',
  message: 'Another department has this code: choose another one',
};
const DEPARTMENT_INACTIVE: ErrorKind = {
  status: 409,
  code: 'DEPARTMENT_INACTIVE',
  message: 'This department is not in use: activate it, or choose another one',
};
export const DEPARTMENT_CYCLE: ErrorKind = {
  status: 422,
  code: 'DEPARTMENT_CYCLE',
  message: 'The department would be a part of itself: choose another parent',
};
export const DEPARTMENT_IN_USE: ErrorKind = {
  status: 409,
  code: 'DEPARTMENT_IN_USE',
  message: 'Others belong to this department: move them to another one first',
};

export const DEPARTMENT_NOT_FOUND: ErrorKind = departments.notFound;
export const departmentErrors: readonly ErrorKind[] = [DEPARTMENT_CODE_TAKEN];
export const departmentConstraints: Constraints = { departments_code: DEPARTMENT_CODE_TAKEN };
/** Of whoever takes a department's id. */
export const holdDepartmentErrors: readonly ErrorKind[] = [DEPARTMENT_NOT_FOUND, DEPARTMENT_INACTIVE];

export async function createDepartment(work: Work, body: z.output<typeof departments.create>): Promise<Department> {
  await holdDepartment(work, body.parentId);
  return records(work, departments).insert(body);
}

/** @throws Problem DEPARTMENT_NOT_FOUND, DEPARTMENT_CYCLE, DEPARTMENT_INACTIVE for the parent. */
export async function changeDepartment(
  work: Work,
  id: string,
  changes: Changes,
  version: number | undefined,
): Promise<Department> {
  const own = records(work, departments);
  const tree = changes.parentId ? await lockTree(work) : [];
  const before = await own.lock(id, version);
  if (changes.parentId && changes.parentId !== before.parentId) {
    await holdDepartment(work, changes.parentId);
    if (isWithin(tree, changes.parentId, id)) throw new Problem(DEPARTMENT_CYCLE);
  }
  return own.update(before, changes);
}

/**
 * Locks a department to which something will belong, until the transaction ends.
 * @throws Problem DEPARTMENT_NOT_FOUND, DEPARTMENT_INACTIVE
 */
export async function holdDepartment(work: Work, id: string | null | undefined): Promise<void> {
  if (!id) return;
  const { status } = await records(work, departments).lock(id);
  if (status === 'inactive') throw new Problem(DEPARTMENT_INACTIVE);
}

/** Whether a locked department has parts. */
export async function hasParts({ trx }: Work, id: string): Promise<boolean> {
  const rows = build.from('departments').whereNull('deleted_at').where('parent_id', id);
  return (await trx.run(rows.select('id').limit(1))).length > 0;
}

type Node = Pick<Department, 'id' | 'parentId'>;

function lockTree({ trx }: Work): Promise<Node[]> {
  const rows = build.from('departments').whereNull('deleted_at').orderBy('id').forUpdate();
  return trx.run<Node>(rows.select('id', 'parent_id as parentId'));
}

/** Whether a department is another one, or a part of it. There are no cycles yet. */
function isWithin(tree: readonly Node[], id: string, other: string): boolean {
  const parents = new Map(tree.map((node) => [node.id, node.parentId]));
  for (let at: string | null | undefined = id; at; at = parents.get(at)) if (at === other) return true;
  return false;
}

/** Departments in the order of their last change. */
export const departmentFeed: Feed<'code' | 'name'> = {
  rows: () => build.from('departments').whereNull('deleted_at'),
  id: 'id',
  changedAt: 'updated_at',
  fields: { code: 'code', name: 'name' },
};
