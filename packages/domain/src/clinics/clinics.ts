/** Clinics of a hospital, where people wait and are seen: the table `clinics`. */
import { build } from '@hms/database';
import { type ErrorKind, type Feed, fields, Problem, record, records, ref, type Work } from '@hms/service';
import type { Knex } from 'knex';
import { z } from 'zod';

const CLINIC_CODE_TAKEN: ErrorKind = {
  status: 409,
  code: 'CLINIC_CODE_TAKEN',
  message: 'Another clinic has this code: choose another one',
  field: 'code',
};

export const clinics = record('clinics', {
  name: 'clinic',
  fields: {
    code: fields.line(20).describe('Short and unique, such as `ENT-1`'),
    name: fields.line(100),
    departmentId: ref('departments').nullish().describe('The department that runs it'),
    location: fields.line(200).nullish().describe('Where people find it'),
    tokenPrefix: z
      .string()
      .regex(/^[A-Z0-9]{1,4}$/, 'must be up to four capitals or digits, like A')
      .nullish()
      .describe('Before the number of a token, as in `A-012`'),
    slotMinutes: z
      .int()
      .min(5)
      .max(480)
      .nullish()
      .describe('Minutes of an appointment in new schedules. Default: what the hospital has chosen'),
    isQueueEnabled: z.boolean().default(true).describe('Whether people without an appointment can wait here'),
  },
  states: { active: ['inactive'], inactive: ['active'] },
  sort: ['name'],
  defaultSort: 'name',
  filters: ['code', 'departmentId', 'status'],
  search: {},
  constraints: { clinics_code: CLINIC_CODE_TAKEN },
  live: true,
});
export type Clinic = z.output<typeof clinics.item>;

export const CLINIC_INACTIVE: ErrorKind = {
  status: 409,
  code: 'CLINIC_INACTIVE',
  message: 'This clinic is not in use: activate it, or choose another one',
};
export const CLINIC_NOT_FOUND: ErrorKind = clinics.notFound;

/** Locks a clinic that will be used, until the transaction ends. @throws Problem CLINIC_NOT_FOUND, CLINIC_INACTIVE */
export async function holdClinic(work: Work, id: string): Promise<Clinic> {
  const clinic = await records(work, clinics).lock(id);
  if (clinic.status === 'inactive') throw new Problem(CLINIC_INACTIVE);
  return clinic;
}

/**
 * A clinic that is used, and is neither deleted nor put out of use until the transaction ends. Unlike with `holdClinic`,
 * others may use it at the same time.
 * @throws Problem CLINIC_NOT_FOUND, CLINIC_INACTIVE
 */
export async function useClinic(work: Work, id: string): Promise<Clinic> {
  await work.trx.query('SELECT FROM clinics WHERE id = $1 FOR SHARE', [id]);
  const clinic = await records(work, clinics).find(id);
  if (!clinic || clinic.deletedAt !== undefined) throw new Problem(CLINIC_NOT_FOUND);
  if (clinic.status === 'inactive') throw new Problem(CLINIC_INACTIVE);
  return clinic;
}

/** Ids of those in use, for a filter. */
export function activeClinicIds(): Knex.QueryBuilder {
  return build.from('clinics').whereNull('deleted_at').where('status', 'active').select('id');
}

/** Clinics in the order of their last change. */
export const clinicFeed: Feed<'code' | 'name'> = {
  rows: () => build.from('clinics').whereNull('deleted_at'),
  id: 'id',
  changedAt: 'updated_at',
  fields: { code: 'code', name: 'name' },
};
