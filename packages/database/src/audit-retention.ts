/**
 * Removes the events of an audit log that are older than the hospital keeps them. A signed summary of their part of the
 * chain stays, so that the rest of the chain still has a known start.
 */
import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import type { Knex } from 'knex';
import { type AuditRows, CONTENT, genesis, type Link, linkHash } from './audit-links.ts';
import type { Hospital } from './hospitals.ts';

/** What a summary says. Its text is signed. */
export interface AuditSummary {
  readonly hospital: string;
  readonly firstPosition: number;
  readonly lastPosition: number;
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly count: number;
  /** Hash of the link before the first one, and of the last one, in hexadecimal. */
  readonly previousHash: string;
  readonly lastHash: string;
  /** Everything in it happened before this time. ISO 8601. */
  readonly before: string;
}

export interface SignedSummary {
  readonly summary: string;
  readonly kid: string;
  readonly signature: string;
}

export type SignSummary = (summary: string) => Promise<Pick<SignedSummary, 'kid' | 'signature'>>;

/** Somebody changed events that were about to be removed. They stay, as evidence. */
export class AuditDamaged extends Error {
  override readonly name = 'AuditDamaged';
}

const BATCH = 1_000;

/**
 * Removes up to 1,000 events that are older than the hospital's retention, in the current transaction.
 * @returns how many. 0 if nothing is left to remove.
 * @throws AuditDamaged if they do not match the chain. PostgreSQL's 40001 if another process was faster.
 */
export async function removeOldAudit(
  rows: AuditRows,
  { id, settings }: Pick<Hospital, 'id' | 'settings'>,
  sign: SignSummary,
): Promise<number> {
  const [limit] = await rows.query<{ before: string }>(LIMIT, [settings.auditRetentionYears]);
  const before = limit?.before ?? '';
  const found = await rows.query<OldLink>(OLD, [before, BATCH]);
  const kept = found.findIndex(({ is_old }) => !is_old);
  const links = kept < 0 ? found : found.slice(0, kept);
  const [first, last] = [links[0], links.at(-1)];
  if (!first || !last) return 0;
  const previous = (await lastSummary(rows)) ?? { position: 0, hash: genesis(id) };
  let { position, hash } = previous;
  for (const link of links) {
    position += 1;
    hash = linkHash(hash, link.content ?? '');
    if (link.position !== position || !hash.equals(link.hash))
      throw new AuditDamaged(`the audit log was changed at position ${position}: its old events are not removed`);
  }
  const sequence = links.map(({ event_seq }) => event_seq);
  const content: AuditSummary = {
    hospital: id,
    firstPosition: first.position,
    lastPosition: last.position,
    firstSeq: Math.min(...sequence),
    lastSeq: Math.max(...sequence),
    count: links.length,
    previousHash: previous.hash.toString('hex'),
    lastHash: hash.toString('hex'),
    before,
  };
  const summary = JSON.stringify(content);
  const { kid, signature } = await sign(summary);
  await rows.query('SELECT platform.remove_audit($1, $2, $3, $4, $5, $6)', [
    ...[first.position, last.position, before],
    ...[summary, kid, signature],
  ]);
  return links.length;
}

async function lastSummary(rows: AuditRows): Promise<Link | undefined> {
  const [row] = await rows.query<{ summary: string }>(
    'SELECT summary FROM audit_summaries ORDER BY last_position DESC LIMIT 1',
  );
  if (!row) return undefined;
  const { lastPosition, lastHash } = JSON.parse(row.summary) as AuditSummary;
  return { position: lastPosition, hash: Buffer.from(lastHash, 'hex') };
}

/** Makes a key known to the verification of summaries. */
export async function addAuditKey(db: Knex, kid: string, jwk: object): Promise<void> {
  await db
    .withSchema('platform')
    .from('audit_keys')
    .insert({ kid, jwk: JSON.stringify(jwk) })
    .onConflict('kid')
    .ignore();
}

export type AuditKeys = ReadonlyMap<string, JsonWebKey>;

export async function readAuditKeys(db: Knex): Promise<AuditKeys> {
  const keys: { kid: string; jwk: JsonWebKey }[] = await db.withSchema('platform').from('audit_keys').select('*');
  return new Map(keys.map(({ kid, jwk }) => [kid, jwk]));
}

/** The text that is signed. Its start keeps the signature from being one of anything else. */
export function signedText(summary: string): Buffer {
  return Buffer.from(`hms audit summary\n${summary}`);
}

/** What a summary says. @returns undefined if no known key signed it. */
export function readSummary({ summary, kid, signature }: SignedSummary, keys: AuditKeys): AuditSummary | undefined {
  const jwk = keys.get(kid);
  if (!jwk) return undefined;
  try {
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    const isSigned = verify('sha256', signedText(summary), key, Buffer.from(signature, 'base64url'));
    return isSigned ? (JSON.parse(summary) as AuditSummary) : undefined;
  } catch {
    return undefined;
  }
}

interface OldLink extends Link {
  readonly event_seq: number;
  readonly content: string | null;
  readonly is_old: boolean;
}

const LIMIT = `
  SELECT to_char((now() - make_interval(years => greatest($1::integer, 1))) AT TIME ZONE 'UTC',
    'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS before`;
/** The end of the chain stays, because the next link needs it. */
const OLD = `
  SELECT c.position, c.event_seq, c.hash, coalesce(e.at < $1::timestamptz, true) AS is_old,
    CASE WHEN e.seq IS NULL THEN NULL ELSE ${CONTENT} END AS content
  FROM (SELECT * FROM audit_chain WHERE position < (SELECT max(position) FROM audit_chain) ORDER BY position LIMIT $2) c
  LEFT JOIN audit_events e ON e.seq = c.event_seq ORDER BY c.position`;
