/** Events of the audit log that happened outside of the modules, such as logins in Keycloak. They are added once. */
import type { Transaction } from '@hms/database';

/** One row of the audit log, by column. `details.keycloakEvent` identifies it. */
export interface OutsideEvent {
  /** ISO 8601. */
  readonly at: string;
  readonly actor: string;
  readonly actor_email: string | undefined;
  readonly actor_roles: readonly string[];
  readonly action: string;
  readonly record: string;
  readonly record_id: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;
  readonly address: string | undefined;
}

/** Those of the ids of Keycloak's events that are not in the audit log. */
export async function unseenEvents(trx: Transaction, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await trx.query<{ id: string }>(UNSEEN, [ids]);
  return new Set(rows.map(({ id }) => id));
}

/** Adds events, except those that another process has just added. */
export async function addOutsideEvents(trx: Transaction, events: readonly OutsideEvent[]): Promise<void> {
  await trx.query(ADD, [JSON.stringify(events)]);
}

const UNSEEN = `
  SELECT id FROM unnest($1::text[]) AS id
  WHERE NOT EXISTS (SELECT FROM audit_events WHERE details ->> 'keycloakEvent' = id)`;
const COLUMNS = 'at, actor, actor_email, actor_roles, action, record, record_id, details, address';
const ADD = `
  INSERT INTO audit_events (${COLUMNS})
  SELECT ${COLUMNS} FROM jsonb_to_recordset($1::jsonb) AS event (
    at timestamptz, actor text, actor_email text, actor_roles text[], action text, record text, record_id uuid,
    details jsonb, address text)
  ON CONFLICT DO NOTHING`;
