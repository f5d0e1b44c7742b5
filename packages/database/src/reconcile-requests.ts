/** How a module requests the reconcile of a hospital: PostgreSQL's NOTIFY, which needs no additional privileges. */
import type { Knex } from 'knex';

/** Channel of PostgreSQL. The payload is a prefix, or the realm `console`. */
export const RECONCILE_CHANNEL = 'hms_reconcile';

/** Requests one reconcile of a hospital, or a check of the shared gateway entities for `console`. Best effort: without a listening operator, the next resync covers it. */
export async function requestReconcile(db: Knex, realm: string): Promise<void> {
  await db.raw('SELECT pg_notify(?, ?)', [RECONCILE_CHANNEL, realm]);
}
