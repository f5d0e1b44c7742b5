/** Types of visits of a hospital, each with its length: the table `visit_types`. */
import { type ErrorKind, fields, Problem, record, records, ref, type Work } from '@hms/service';
import { z } from 'zod';

const VISIT_TYPE_CODE_TAKEN: ErrorKind = {
  status: 409,
  code: 'VISIT_TYPE_CODE_TAKEN',
  message: 'Another type of visit has this code: choose another one',
  field: 'code',
};

export const visitTypes = record('visit_types', {
  name: 'visit type',
  fields: {
    code: fields.line(20).describe('Short and unique, such as `FIRST`'),
    name: fields.line(100),
    minutes: z.int().min(5).max(480).describe('How long such a visit takes'),
    clinicId: ref('clinics').nullish().describe('The clinic that has such visits. Null: every clinic'),
  },
  states: { active: ['inactive'], inactive: ['active'] },
  sort: ['name'],
  defaultSort: 'name',
  filters: ['code', 'clinicId', 'status'],
  search: {},
  constraints: { visit_types_code: VISIT_TYPE_CODE_TAKEN },
  live: true,
});
export type VisitType = z.output<typeof visitTypes.item>;

export const VISIT_TYPE_NOT_FOUND: ErrorKind = visitTypes.notFound;
export const VISIT_TYPE_INACTIVE: ErrorKind = {
  status: 409,
  code: 'VISIT_TYPE_INACTIVE',
  message: 'This type of visit is not in use: activate it, or choose another one',
};

/**
 * A type that is used, and is not deleted until the transaction ends.
 * @throws Problem VISIT_TYPE_NOT_FOUND
 */
export async function keepVisitType(work: Work, id: string): Promise<VisitType> {
  await work.trx.query('SELECT FROM visit_types WHERE id = $1 FOR SHARE', [id]);
  const type = await records(work, visitTypes).find(id);
  if (!type || type.deletedAt !== undefined) throw new Problem(VISIT_TYPE_NOT_FOUND);
  return type;
}

/** As `keepVisitType`, for something new. @throws Problem VISIT_TYPE_NOT_FOUND, VISIT_TYPE_INACTIVE */
export async function useVisitType(work: Work, id: string): Promise<VisitType> {
  const type = await keepVisitType(work, id);
  if (type.status === 'inactive') throw new Problem(VISIT_TYPE_INACTIVE);
  return type;
}
