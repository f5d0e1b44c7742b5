/** Who of the platform acts as whom of a hospital: `platform.impersonations`. The auth module writes it, every module reads it. */
import type { Knex } from 'knex';

/** An impersonation that has not been ended. */
export interface LiveImpersonation {
  readonly id: string;
  readonly hospitalId: string;
  /** Claim `sub` of its tokens. */
  readonly subject: string;
  /** Id of the account in the realm `console`. */
  readonly actor: string;
  readonly actorEmail: string;
  readonly mode: 'read' | 'write';
  readonly endsAt: Date;
}

/** The impersonation that an access token belongs to, unless it was ended. @param jti id of the token. */
export async function findImpersonation(db: Knex, jti: string): Promise<LiveImpersonation | undefined> {
  const { rows } = await db.raw<{ rows: LiveImpersonation[] }>(FIND, [jti]);
  return rows[0];
}

const FIND = `
  SELECT i.id, i.hospital_id AS "hospitalId", i.subject, i.actor, i.actor_email AS "actorEmail", i.mode, i.ends_at AS "endsAt"
  FROM platform.impersonation_tokens t JOIN platform.impersonations i ON i.id = t.impersonation_id
  WHERE t.jti = ? AND i.ended_at IS NULL AND i.ends_at > now()`;
