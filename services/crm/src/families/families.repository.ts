import { type ListColumns, matchTerms, newId, type PageMeta, readPage } from '@hms/service';
import type { Knex } from 'knex';
import type { Family, FamilyQuery, Member, NewMember } from './families.schema.ts';

export type FamilyRow = {
  readonly id: string;
  readonly hospital_id: string;
  readonly family_code: string;
  readonly name: string;
  readonly primary_contact_id: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly version: number;
  readonly deleted_at: Date | null;
};

export type MemberRow = {
  readonly id: string;
  readonly family_id: string;
  readonly patient_id: string;
  readonly patient_code: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly relation: Member['relation'];
  readonly is_payer: boolean;
  readonly joined_at: Date;
  readonly left_at: Date | null;
};

const COLUMNS = {
  sort: { createdAt: 'created_at', updatedAt: 'updated_at', name: 'name', familyCode: 'family_code' },
  time: 'created_at',
  id: 'id',
  search: { text: 'families.search' },
} satisfies ListColumns;

/** @param sub the acting user. */
export function familyRepository(trx: Knex.Transaction, sub: string) {
  const by = { created_by: sub, updated_by: sub };
  const touched = { updated_at: trx.fn.now(), updated_by: sub, version: trx.raw('version + 1') };

  function members(): Knex.QueryBuilder {
    return trx
      .from('family_members as m')
      .join('patients as p', 'p.id', 'm.patient_id')
      .select('m.*', 'p.patient_code', 'p.first_name', 'p.last_name');
  }

  return {
    async list(
      query: FamilyQuery,
      timezone: string,
    ): Promise<{ readonly rows: readonly FamilyRow[]; readonly meta: PageMeta }> {
      const { name, familyCode, primaryContactId, patientId } = query.filters;
      const found: Knex.QueryBuilder = trx.from('families').select('*');
      if (!query.includeDeleted) found.whereNull('deleted_at');
      if (name !== undefined) found.where({ name });
      if (familyCode !== undefined) found.where('family_code', familyCode.toUpperCase());
      if (primaryContactId !== undefined) found.where('primary_contact_id', primaryContactId);
      if (patientId !== undefined) found.whereIn('id', familiesOf(trx).where('m.patient_id', patientId));
      if (query.q !== undefined) matchFamilyOrMember(trx, found, query.q);
      return readPage<FamilyRow>(found, query, COLUMNS, timezone);
    },

    find(id: string): Promise<FamilyRow | undefined> {
      return trx.from('families').where({ id }).first('*');
    },

    /** Locks families until the transaction ends, ordered by id, so that two requests can't deadlock. */
    async lock(ids: readonly string[]): Promise<void> {
      await trx.from('families').select('id').whereIn('id', ids).orderBy('id').forUpdate();
    },

    /** Locks a patient until the transaction ends, always before any family. @returns whether the patient exists. */
    async lockPatient(id: string): Promise<boolean> {
      const found: unknown = await trx.from('patients').where({ id }).whereNull('deleted_at').forUpdate().first('id');
      return found !== undefined;
    },

    /** @returns the new family's id. */
    async insert(familyCode: string, name: string, primaryContactId: string): Promise<string> {
      const id = newId();
      await trx
        .into('families')
        .insert({ id, family_code: familyCode, name, primary_contact_id: primaryContactId, ...by });
      return id;
    },

    async update(id: string, columns: { readonly name?: string; readonly primary_contact_id?: string }): Promise<void> {
      await trx
        .from('families')
        .where({ id })
        .update({ ...columns, ...touched });
    },

    /** Closes the family and ends its memberships. */
    async close(id: string): Promise<void> {
      await trx
        .from('family_members')
        .where({ family_id: id })
        .whereNull('left_at')
        .update({ left_at: trx.fn.now(), ...touched });
      await trx
        .from('families')
        .where({ id })
        .update({ primary_contact_id: null, deleted_at: trx.fn.now(), ...touched });
    },

    /** Current members, in the order in which they joined. */
    members(familyId: string): Promise<MemberRow[]> {
      return members().where('m.family_id', familyId).whereNull('m.left_at').orderBy(['m.joined_at', 'm.id']);
    },

    findMember(id: string): Promise<MemberRow | undefined> {
      return members().where('m.id', id).first();
    },

    /** The patient's current membership. */
    membershipOf(patientId: string): Promise<MemberRow | undefined> {
      return members().where('m.patient_id', patientId).whereNull('m.left_at').first();
    },

    /** @returns the id of the membership. */
    async insertMember(familyId: string, { patientId, relation, isPayer }: NewMember): Promise<string> {
      const id = newId();
      await trx
        .into('family_members')
        .insert({ id, family_id: familyId, patient_id: patientId, relation, is_payer: isPayer, ...by });
      return id;
    },

    async endMembership(id: string): Promise<void> {
      await trx
        .from('family_members')
        .where({ id })
        .update({ left_at: trx.fn.now(), ...touched });
    },
  };
}

function familiesOf(trx: Knex.Transaction): Knex.QueryBuilder {
  return trx.from('family_members as m').select('m.family_id').whereNull('m.left_at');
}

/** Each part of the union uses its own index. An OR over both tables could use none. */
function matchFamilyOrMember(trx: Knex.Transaction, families: Knex.QueryBuilder, text: string): void {
  const byFamily: Knex.QueryBuilder = trx.from('families').select('id');
  const byMember = familiesOf(trx).join('patients as p', 'p.id', 'm.patient_id');
  matchTerms(byFamily, COLUMNS.search, text);
  matchTerms(byMember, { text: 'p.search', day: 'p.date_of_birth' }, text);
  families.whereIn('id', byFamily.union(byMember));
}

export function toFamily(row: FamilyRow): Family {
  return {
    id: row.id,
    hospitalId: row.hospital_id,
    familyCode: row.family_code,
    name: row.name,
    primaryContactId: row.primary_contact_id,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    version: row.version,
    ...(row.deleted_at ? { deletedAt: row.deleted_at.toISOString() } : {}),
  };
}

export function toMember(row: MemberRow): Member {
  return {
    id: row.id,
    familyId: row.family_id,
    patientId: row.patient_id,
    patientCode: row.patient_code,
    firstName: row.first_name,
    lastName: row.last_name,
    relation: row.relation,
    isPayer: row.is_payer,
    joinedAt: row.joined_at.toISOString(),
    leftAt: row.left_at?.toISOString() ?? null,
  };
}
