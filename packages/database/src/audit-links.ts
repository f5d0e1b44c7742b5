/** The links of the audit chain: what their hashes are of. */
import { createHash } from 'node:crypto';

/** Runs statements in a transaction whose search path is the hospital's schema. */
export interface AuditRows {
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** A link of the chain. Positions count from 1 without gaps. */
export interface Link {
  readonly position: number;
  readonly hash: Buffer;
}

/** Everything that an event says, in a form that depends on no setting of the session. */
export const CONTENT = `jsonb_build_array(
  e.seq, to_char(e.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), e.actor, e.actor_email, e.actor_roles, e.impersonator,
  e.impersonator_email, e.impersonation_id,
  e.action, e.record, e.record_id, e.patient_id, e.before, e.after, e.details, e.address, e.request_id)::text`;

/** The hash before the first link. */
export function genesis(hospitalId: string): Buffer {
  return createHash('sha256').update(`hms audit ${hospitalId}`).digest();
}

/** @param content of the event. */
export function linkHash(before: Buffer, content: string): Buffer {
  return createHash('sha256').update(before).update(content).digest();
}
