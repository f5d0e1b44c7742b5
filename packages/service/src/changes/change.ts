/** Notices of changed records, which PostgreSQL delivers to every listening process after the commit. */
import type { Transaction } from '@hms/database';

/** The channel of PostgreSQL. @see `notify_change` in migration 006 of the platform's schema */
export const CHANGES_CHANNEL = 'hms_changes';

/** A record of a hospital that was created, changed or deleted. */
export interface ChangedRecord {
  /** Its table. */
  readonly record: string;
  readonly id: string;
}

/** Sends the notices when the transaction commits. The hospital is that of the transaction. */
export async function sendChanges(trx: Transaction, changes: readonly ChangedRecord[]): Promise<void> {
  await Promise.all(changes.map(({ record, id }) => trx.query('SELECT platform.notify_change($1, $2)', [record, id])));
}
