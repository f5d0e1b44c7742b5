/** The declaration of families, and how one is shown. */
import { build } from '@hms/database';
import { fields, itemWith, matchTerms, type Precision, record, type Work } from '@hms/service';
import type { Knex } from 'knex';
import { z } from 'zod';
import { patientsMatching } from '../patients/record.ts';
import { currentMembers, member, showMembers } from './members.ts';

export const families = record('families', {
  name: 'family',
  code: { field: 'familyCode', series: 'family', letters: 'FAM' },
  fields: { name: fields.line(100) },
  set: {
    primaryContactId: fields.id.nullable().describe('Null only for a deleted family'),
    payerId: fields.id.nullable().describe('The member who pays for the family. Null only for a deleted family'),
  },
  sort: ['name', 'familyCode'],
  filters: ['name', 'familyCode', 'primaryContactId'],
  moreFilters: {
    patientId: {
      schema: fields.id.describe('The family of this patient'),
      where: (rows, value) => void rows.whereIn('id', currentFamilies().where('patient_id', String(value))),
    },
  },
  search: { also: withMember },
  auditReads: true,
});
export type Family = z.output<typeof families.item>;

export const familyWithMembers = itemWith(families, { members: z.array(member) }).meta({ id: 'FamilyWithMembers' });
export type FamilyWithMembers = z.output<typeof familyWithMembers>;

export async function withMembers(work: Work, family: Family): Promise<FamilyWithMembers> {
  return { ...family, members: await showMembers(work, family.payerId, await currentMembers(work, family.id)) };
}

/** Ids of the families that a search finds: by their name, by their code, or by a member. */
export function familiesMatching(text: string, precision: Precision): Knex.QueryBuilder {
  const found: Knex.QueryBuilder = build.from('families').select('id');
  matchTerms(found, { text: 'families.search' }, text, precision);
  return found.union([withMember(text, precision)]);
}

function withMember(text: string, precision: Precision): Knex.QueryBuilder {
  return currentFamilies().whereIn('patient_id', patientsMatching(text, precision));
}

function currentFamilies(): Knex.QueryBuilder {
  return build.from('family_members').select('family_id').whereNull('left_at');
}
