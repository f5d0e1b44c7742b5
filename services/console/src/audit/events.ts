/** What users of the platform do, in `platform.console_events`, beside their logins, which Keycloak reports. */
import { newId, type RequestContext } from '@hms/service';
import type { Knex } from 'knex';

interface ConsoleEvent {
  readonly action: 'create' | 'update' | 'transition' | 'delete';
  /** Table of the record. */
  readonly record: string;
  /** Null while it is not known. */
  readonly recordId: string | null;
  /** What changed, with the old and the new values. */
  readonly details: object;
}

/** Records an event in the transaction that does what it says. */
export async function recordEvent(
  trx: Knex.Transaction,
  { caller, clientAddress }: Pick<RequestContext, 'caller' | 'clientAddress'>,
  { action, record, recordId, details }: ConsoleEvent,
): Promise<void> {
  await trx.withSchema('platform').into('console_events').insert({
    id: newId(),
    at: new Date(),
    actor: caller.sub,
    actor_email: caller.email,
    actor_name: caller.name,
    action,
    record,
    record_id: recordId,
    details,
    address: clientAddress,
  });
}
