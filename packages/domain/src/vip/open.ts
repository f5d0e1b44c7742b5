/** Memberships that are neither cancelled nor over: what becomes of them when a family closes, or a patient is deleted. */
import { build } from '@hms/database';
import { records, today, type Work } from '@hms/service';
import type { Knex } from 'knex';
import { type VipMembership, vipMemberships } from './record.ts';

/**
 * The patient who was alone in a family that closes keeps its memberships, as their own ones.
 * @throws Problem VIP_OVERLAP if the patient has another one at the same time.
 */
export async function keepMemberships(work: Work, familyId: string, patientId: string): Promise<void> {
  const own = records(work, vipMemberships);
  for (const { id } of await openWhere(work, (rows) => rows.where('family_id', familyId))) {
    await own.update(await own.lock(id), { patientId, familyId: null });
  }
}

/** Of locked patients: nobody deletes those who have one. */
export async function openMemberships(
  work: Work,
  patientIds: readonly string[],
): Promise<readonly { readonly record: 'vip_memberships'; readonly id: string; readonly name: string }[]> {
  const open = await openWhere(work, (rows) => rows.whereIn('patient_id', patientIds));
  return open.map(({ id, membershipNo }) => ({ record: 'vip_memberships', id, name: membershipNo }));
}

async function openWhere(
  work: Work,
  narrow: (rows: Knex.QueryBuilder) => Knex.QueryBuilder,
): Promise<readonly VipMembership[]> {
  const rows = narrow(build.from('vip_memberships').whereNull('deleted_at').whereNot('status', 'cancelled'));
  rows.whereRaw('coalesce(valid_to >= ?, true)', [today(work)]);
  const found = await work.trx.run<{ id: string }>(rows.orderBy('membership_no').select('id'));
  return records(work, vipMemberships).byIds(found.map(({ id }) => id));
}
