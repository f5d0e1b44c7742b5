/**
 * Departments of a hospital, and of which other one each is a part: the table `departments`.
 *
 * Whoever changes a parent locks all departments by id, some dozens of rows. Otherwise, two requests at a time could make
 * two departments parts of each other.
 */
import { build } from '@hms/database';
import { type ErrorKind, type Feed, fields, Problem, record, records, ref, type Work } from '@hms/service';
import type { z } from 'zod';

const DEPARTMENT_CODE_TAKEN: ErrorKind = {
  status: 409,
  code: 'DEPARTMENT_CODE_TAKEN',
  message: 'Another department has this code: choose another one',
  field: 'code',
};
export const DEPARTMENT_CYCLE: ErrorKind = {
  status: 422,
  code: 'DEPARTMENT_CYCLE',
  message: 'The department would be a part of itself: choose another parent',
  field: 'parentId',
};

export const departments = record('departments', {
  name: 'department',
  fields: {
    code: fields.line(20).describe('Short and unique, such as `ENT`'),
    name: fields.line(100),
    location: fields.line(200).nullish().describe('Where people find it'),
    parentId: ref('departments').nullish().describe('The department of which it is a part'),
  },
  states: { active: ['inactive'], inactive: ['active'] },
  sort: ['name'],
  defaultSort: 'name',
  filters: ['code', 'parentId', 'status'],
  search: {},
  constraints: { departments_code: DEPARTMENT_CODE_TAKEN },
  live: true,
});
export type Department = z.output<typeof departments.item>;
type Changes = Omit<z.output<typeof departments.changes>, 'version'>;

/** @throws Problem DEPARTMENT_NOT_FOUND, DEPARTMENT_CYCLE, INVALID_REFERENCE for the parent. */
export async function changeDepartment(
  work: Work,
  id: string,
  changes: Changes,
  version: number | undefined,
): Promise<Department> {
  const own = records(work, departments);
  const tree = changes.parentId ? await lockTree(work) : [];
  const before = await own.lock(id, version);
  if (changes.parentId && isWithin(tree, changes.parentId, id)) throw new Problem(DEPARTMENT_CYCLE);
  return own.update(before, changes);
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
