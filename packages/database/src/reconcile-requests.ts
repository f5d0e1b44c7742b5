/** How a module requests the reconcile of a hospital: PostgreSQL's NOTIFY, which needs no additional privileges. */
import type { Knex } from 'knex';

/** Channel of PostgreSQL. The payload is a prefix, the realm `console`, or `EVERY_HOSPITAL`. */
export const RECONCILE_CHANNEL = 'hms_reconcile';

/** Sent by PostgreSQL itself when a role template is created, because its role is missing in each realm. */
export const EVERY_HOSPITAL = '*';

/** Requests one reconcile of a hospital, or a check of the shared gateway entities for `console`. Best effort: without a listening operator, the next resync covers it. */
export async function requestReconcile(db: Knex, realm: string): Promise<void> {
  await db.raw('SELECT pg_notify(?, ?)', [RECONCILE_CHANNEL, realm]);
}
