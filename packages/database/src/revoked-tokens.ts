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
 * Revokes all access tokens of a person, also those that are issued later, in a transaction of their hospital.
 * @param until from when on no token is issued or valid any more. Default: unknown.
 */
export async function revokeTokens(trx: Transaction, subject: string, until?: Date): Promise<void> {
  await trx.query('SELECT platform.revoke_tokens($1, $2, $3)', [subject, 'infinity', until ?? 'infinity']);
}

/**
 * Accepts tokens again that are issued from now on, of a person all of whose tokens were revoked.
 * @param until from when on no token is valid any more that was issued before.
 */
export async function acceptTokens(trx: Transaction, subject: string, since: Date, until: Date): Promise<void> {
  await trx.query('SELECT platform.accept_tokens($1, $2, $3)', [subject, since, until]);
}
