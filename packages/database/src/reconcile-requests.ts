/** How a module requests the reconcile of a hospital: PostgreSQL's NOTIFY, which needs no additional privileges. */
import type { Knex } from 'knex';

/** Channel of PostgreSQL. The payload is a prefix. */
export const RECONCILE_CHANNEL = 'hms_reconcile';

/** Requests one reconcile. Best effort: without a listening operator, the next resync covers it. */
export async function requestReconcile(db: Knex, prefix: string): Promise<void> {
  await db.raw('SELECT pg_notify(?, ?)', [RECONCILE_CHANNEL, prefix]);
}
