/** Access tokens that the modules refuse before they expire: `platform.revoked_tokens`. */
import type { Knex } from 'knex';
import type { Transaction } from './tenant-pool.ts';

export interface RevokedTokens {
  readonly hospitalId: string;
  /** Claim `sub`. */
  readonly subject: string;
  /** Seconds since 1970. Tokens that were issued before are refused. Infinity: all of them. */
  readonly issuedBefore: number;
}

/** Those of all hospitals, until no such token can be valid any more. */
export async function readRevokedTokens(db: Knex): Promise<readonly RevokedTokens[]> {
  const { rows } = await db.raw<{ rows: RevokedTokens[] }>(`
    SELECT hospital_id AS "hospitalId", subject, extract(epoch FROM issued_before)::float8 AS "issuedBefore"
    FROM platform.revoked_tokens WHERE expires_at > now()`);
  return rows;
}

/**
 * Revokes the access tokens of a person, in a transaction of their hospital, in place of an earlier revocation.
 * @param issuedBefore `all` refuses tokens that are issued later, too.
 * @param until when the revocation ends. Default: never.
 */
export async function revokeTokens(
  trx: Transaction,
  subject: string,
  issuedBefore: Date | 'all',
  until?: Date,
): Promise<void> {
  await trx.query('SELECT platform.revoke_tokens($1, $2, $3)', [
    subject,
    issuedBefore === 'all' ? 'infinity' : issuedBefore,
    until ?? 'infinity',
  ]);
}
