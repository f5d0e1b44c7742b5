import { fields, type ListColumns, matchTerms, newId, type PageMeta, readPage, type SearchColumns } from '@hms/service';
import type { Knex } from 'knex';
import type { NewPatient, Patient, PatientChanges, PatientQuery } from './patients.schema.ts';

export type PatientRow = {
  readonly id: string;
  readonly hospital_id: string;
  readonly patient_code: string;
  readonly family_id: string | null;
  readonly first_name: string;
  readonly last_name: string;
  readonly phone: string;
  readonly email: string | null;
  readonly date_of_birth: string;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly version: number;
  readonly deleted_at: Date | null;
};

const SEARCH: SearchColumns = { text: 'patients.search', day: 'patients.date_of_birth' };

const COLUMNS: ListColumns = {
  sort: {
    createdAt: 'patients.created_at',
    updatedAt: 'patients.updated_at',
    lastName: 'patients.last_name',
    firstName: 'patients.first_name',
    patientCode: 'patients.patient_code',
    dateOfBirth: 'patients.date_of_birth',
  },
  time: 'patients.created_at',
  id: 'patients.id',
  search: SEARCH,
};

/** @param sub the acting user. */
export function patientRepository(trx: Knex.Transaction, sub: string) {
  function rows(): Knex.QueryBuilder {
    return trx
      .from('patients')
      .select(
        'patients.*',
        trx
          .from('family_members')
          .select('family_id')
          .whereRaw('patient_id = patients.id AND left_at IS NULL')
          .as('family_id'),
      );
  }

  return {
    async list(
      query: PatientQuery,
      timezone: string,
    ): Promise<{ readonly rows: readonly PatientRow[]; readonly meta: PageMeta }> {
      const { firstName, lastName, phone, email, patientCode, dateOfBirth, familyId } = query.filters;
      const found = rows();
      if (!query.includeDeleted) found.whereNull('patients.deleted_at');
      if (firstName !== undefined) found.where('patients.first_name', firstName);
      if (lastName !== undefined) found.where('patients.last_name', lastName);
      if (phone !== undefined) found.where('patients.phone', fields.bareNumber(phone));
      if (email !== undefined) found.whereRaw('lower(patients.email) = lower(?)', [email]);
      if (patientCode !== undefined) found.where('patients.patient_code', patientCode.toUpperCase());
      if (dateOfBirth !== undefined) found.where('patients.date_of_birth', dateOfBirth);
      if (familyId !== undefined) {
        const members = trx.from('family_members').select('patient_id').where({ family_id: familyId });
        found.whereIn('patients.id', members.whereNull('left_at'));
      }
      if (query.q !== undefined) matchTerms(found, SEARCH, query.q);
      return readPage<PatientRow>(found, query, COLUMNS, timezone);
    },

    /** @returns the patient, even if deleted. */
    find(id: string): Promise<PatientRow | undefined> {
      return rows().where('patients.id', id).first();
    },

    /** Locks the patient until the transaction ends, so that changes of one patient are serialised. */
    async lock(id: string): Promise<PatientRow | undefined> {
      await trx.from('patients').select('id').where({ id }).forUpdate();
      return this.find(id);
    },

    /** Up to ten others with the same two of name, phone and day of birth. */
    lookAlikes({ firstName, lastName, phone, dateOfBirth }: NewPatient): Promise<PatientRow[]> {
      const sameName = '(lower(first_name) = lower(?) AND lower(last_name) = lower(?))';
      return (
        rows()
          .whereNull('patients.deleted_at')
          // Any two of the three include the day or the number, and both have an index.
          .whereRaw('(date_of_birth = ? OR phone = ?)', [dateOfBirth, phone])
          .whereRaw(`((date_of_birth = ? AND phone = ?) OR ${sameName})`, [dateOfBirth, phone, firstName, lastName])
          .orderBy('patients.created_at')
          .limit(10)
      );
    },

    /** @returns the new patient's id. */
    async insert(patientCode: string, { firstName, lastName, phone, email, dateOfBirth }: NewPatient): Promise<string> {
      const id = newId();
      await trx.into('patients').insert({
        id,
        patient_code: patientCode,
        first_name: firstName,
        last_name: lastName,
        phone,
        email: email ?? null,
        date_of_birth: dateOfBirth,
        created_by: sub,
        updated_by: sub,
      });
      return id;
    },

    async update(id: string, { firstName, lastName, phone, email, dateOfBirth }: PatientChanges): Promise<void> {
      await change(id, {
        ...(firstName === undefined ? {} : { first_name: firstName }),
        ...(lastName === undefined ? {} : { last_name: lastName }),
        ...(phone === undefined ? {} : { phone }),
        ...(email === undefined ? {} : { email }),
        ...(dateOfBirth === undefined ? {} : { date_of_birth: dateOfBirth }),
      });
    },

    async softDelete(id: string): Promise<void> {
      await change(id, { deleted_at: trx.fn.now() });
    },
  };

  async function change(id: string, columns: Readonly<Record<string, unknown>>): Promise<void> {
    await trx
      .from('patients')
      .where({ id })
      .update({ ...columns, updated_at: trx.fn.now(), updated_by: sub, version: trx.raw('version + 1') });
  }
}

export function toPatient(row: PatientRow): Patient {
  return {
    id: row.id,
    hospitalId: row.hospital_id,
    patientCode: row.patient_code,
    familyId: row.family_id,
    firstName: row.first_name,
    lastName: row.last_name,
    phone: row.phone,
    email: row.email,
    dateOfBirth: fields.dayAsDatetime(row.date_of_birth),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    version: row.version,
    ...(row.deleted_at ? { deletedAt: row.deleted_at.toISOString() } : {}),
  };
}
