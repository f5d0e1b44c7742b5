/**
 * The initial family of a patient. Families belong to the module crm, but a patient and their family are created
 * and deleted in one transaction, so these few statements are here.
 */
import { newId } from '@hms/service';
import type { Knex } from 'knex';

/** @param sub the acting user. */
export function ownFamilyRepository(trx: Knex.Transaction, sub: string) {
  const by = { created_by: sub, updated_by: sub };
  const touched = { updated_at: trx.fn.now(), updated_by: sub, version: trx.raw('version + 1') };

  return {
    /** Creates a family whose only member and primary contact is the patient. */
    async create(familyCode: string, name: string, patientId: string): Promise<void> {
      const id = newId();
      await trx.into('families').insert({ id, family_code: familyCode, name, primary_contact_id: patientId, ...by });
      await trx
        .into('family_members')
        .insert({ id: newId(), family_id: id, patient_id: patientId, relation: 'self', is_payer: true, ...by });
    },

    /**
     * Removes the patient from the family, and closes an empty family.
     * The constraint `families_primary_contact_is_member` refuses to remove the primary contact of others.
     */
    async leave(familyId: string, patientId: string): Promise<void> {
      await trx.from('families').select('id').where({ id: familyId }).forUpdate();
      const members = trx.from('family_members').where({ family_id: familyId }).whereNull('left_at');
      await members
        .clone()
        .where({ patient_id: patientId })
        .update({ left_at: trx.fn.now(), ...touched });
      const remaining: unknown = await members.clone().first('id');
      if (remaining) return;
      await trx
        .from('families')
        .where({ id: familyId })
        .update({ primary_contact_id: null, deleted_at: trx.fn.now(), ...touched });
    },
  };
}
