/** How a module asks the operator to look at a hospital now: PostgreSQL's NOTIFY, which needs no rights of its own. */
import type { Knex } from 'knex';

/** Channel of PostgreSQL; the payload is a prefix. */
export const RECONCILE_CHANNEL = 'hms_reconcile';

/** Asks for one look. It is no promise: where no operator listens, the regular look comes all the same. */
export async function requestReconcile(db: Knex, prefix: string): Promise<void> {
  await db.raw('SELECT pg_notify(?, ?)', [RECONCILE_CHANNEL, prefix]);
}
