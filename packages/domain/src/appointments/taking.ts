/** What takes places of doctors. */
import { build } from '@hms/database';
import type { Work } from '@hms/service';
import type { Knex } from 'knex';
import type { Period } from '../schedules/times.ts';
import { TAKING } from './record.ts';

type Asking = Pick<Work, 'trx' | 'caller'>;

/** Appointments, and what others hold. */
export function takers(work: Asking): Knex.QueryBuilder {
  const rows = build.from('appointments').whereNull('deleted_at');
  return rows.where((either) => void either.whereIn('status', TAKING).orWhere((held) => void byOthers(work, held)));
}

/** Appointments alone. */
export function taken(): Knex.QueryBuilder {
  return build.from('appointments').whereNull('deleted_at').whereIn('status', TAKING);
}

/** What others hold. */
export function heldByOthers(work: Asking): Knex.QueryBuilder {
  return byOthers(work, build.from('appointments').whereNull('deleted_at'));
}

function byOthers({ trx, caller }: Asking, rows: Knex.QueryBuilder): Knex.QueryBuilder {
  return rows.where('status', 'held').where('held_until', '>', trx.moment).whereNot('created_by', caller.sub);
}

/**
 * Makes room for what is about to take a place: holds that have expired keep it no more.
 * @param which with `own`, those of the caller go too
 */
export async function clearHolds(
  { trx, caller }: Pick<Work, 'trx' | 'caller'>,
  { doctorId, from, to }: Period & { readonly doctorId: string },
  which: 'expired' | 'own',
): Promise<void> {
  const rows = build.from('appointments').where({ doctor_id: doctorId, status: 'held' });
  rows.where('starts_at', '<', new Date(to)).where('ends_at', '>', new Date(from));
  rows.where((either) => {
    either.where('held_until', '<=', trx.moment);
    if (which === 'own') either.orWhere('created_by', caller.sub);
  });
  await trx.run(rows.delete());
}
