/**
 * The chain that makes changes of the audit log visible. Each link has a hash of its event and of the link before it,
 * so a change of one row does not match any more. Sealing is separate from the requests that write events: they would
 * otherwise wait for each other.
 */
import { hospitalNames } from '@hms/tenancy';
import type { Knex } from 'knex';
import { type AuditRows, CONTENT, genesis, type Link, linkHash } from './audit-links.ts';
import {
  type AuditKeys,
  type AuditSummary,
  readAuditKeys,
  readSummary,
  type SignedSummary,
} from './audit-retention.ts';
import type { Hospital } from './hospitals.ts';
import { quote } from './sql.ts';

/** Something that should not be. */
export interface AuditFinding {
  /** Position in the chain. */
  readonly position: number;
  /** Sequence number of the event, if there is one. */
  readonly seq: number | undefined;
  readonly problem: string;
}

export interface AuditVerification {
  /** Number of links, with removed ones. */
  readonly sealed: number;
  /** Number of links that were removed because they were old, and are in signed summaries. */
  readonly removed: number;
  /** Committed events that are not sealed yet. */
  readonly waiting: number;
  readonly findings: readonly AuditFinding[];
}

/** Sealed at once. Each time, the links of the last minutes are read. */
const BATCH = 5_000;
const PAGE_SIZE = 1_000;

/**
 * Seals up to 5,000 committed events, in the order of their numbers. Events that commit later get later positions.
 * @param hospitalId the chain begins with its hash.
 * @returns the new end of the chain, and whether more events may wait. Undefined if nothing waited.
 * @throws PostgreSQL's 23505 if another process sealed at the same time: nothing was changed, and nothing is lost.
 */
export async function sealBatch(
  rows: AuditRows,
  hospitalId: string,
): Promise<{ readonly head: Link; readonly more: boolean } | undefined> {
  const [head] = await rows.query<Link & { readonly since: number }>(HEAD);
  const events = await rows.query<Event>(UNSEALED, [head?.since ?? 0, BATCH]);
  if (events.length === 0) return undefined;
  let { position, hash } = head ?? { position: 0, hash: genesis(hospitalId) };
  const links = events.map(({ seq, content }) => {
    position += 1;
    hash = linkHash(hash, content);
    return { position, seq, hash };
  });
  await rows.query(
    'INSERT INTO audit_chain (position, event_seq, hash) SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bytea[])',
    [links.map((link) => link.position), links.map((link) => link.seq), links.map((link) => link.hash)],
  );
  return { head: { position, hash }, more: events.length === BATCH };
}

/**
 * Compares the whole chain with the events.
 * @param known the end of the chain as `platform.audit_heads` has it, outside of the hospital's schema.
 */
async function verifyAudit(
  rows: AuditRows,
  hospitalId: string,
  known: Link | undefined,
  keys: AuditKeys,
): Promise<AuditVerification> {
  const findings: AuditFinding[] = [];
  let position = 0;
  // Undefined after a part that can't be trusted: the next stored hash is the new start.
  let hash: Buffer | undefined = genesis(hospitalId);
  for (const row of await rows.query<StoredSummary>(SUMMARIES)) {
    const summary = readSummary(row, keys);
    const problem = summaryProblem(summary, row, { hospitalId, position, hash });
    if (problem) findings.push({ position: row.first_position, seq: undefined, problem });
    position = row.last_position;
    hash = summary && Buffer.from(summary.lastHash, 'hex');
    if (hash && position === known?.position && !hash.equals(known.hash))
      findings.push({ position, seq: undefined, problem: 'the chain was rewritten up to here' });
  }
  const removed = position;
  for (;;) {
    const links = await rows.query<StoredLink>(PAGE, [position, PAGE_SIZE]);
    for (const link of links) {
      const isNext = link.position === position + 1;
      if (!isNext) findings.push(missing(position + 1, link.position - 1));
      // After a missing link, the next one can't be checked: its stored hash is the new start.
      const expected = isNext && hash ? linkHash(hash, link.content ?? '') : link.hash;
      const problem = problemOf(link, expected);
      if (problem) findings.push({ position: link.position, seq: link.event_seq, problem });
      ({ position, hash } = link);
      if (position === known?.position && !link.hash.equals(known.hash)) {
        findings.push({ position, seq: link.event_seq, problem: 'the chain was rewritten up to here' });
      }
    }
    if (links.length < PAGE_SIZE) break;
  }
  if (known && known.position > position) findings.push(missing(position + 1, known.position));
  const [counted] = await rows.query<{ waiting: number }>(WAITING);
  return { sealed: position, removed, waiting: counted?.waiting ?? 0, findings };
}

/** @param before the end of the part before. */
function summaryProblem(
  summary: AuditSummary | undefined,
  row: StoredSummary,
  before: { readonly hospitalId: string; readonly position: number; readonly hash: Buffer | undefined },
): string | undefined {
  const part = `the summary of the removed links ${row.first_position} to ${row.last_position}`;
  if (
    !summary ||
    summary.hospital !== before.hospitalId ||
    summary.firstPosition !== row.first_position ||
    summary.lastPosition !== row.last_position
  )
    return `${part} was changed`;
  const previous = before.hash?.toString('hex') ?? summary.previousHash;
  if (summary.firstPosition !== before.position + 1 || summary.previousHash !== previous)
    return `${part} does not continue the part before`;
  return undefined;
}

function problemOf({ content, hash }: StoredLink, expected: Buffer): string | undefined {
  if (content === null) return 'the event was deleted';
  return expected.equals(hash) ? undefined : 'the event was changed';
}

function missing(from: number, to: number): AuditFinding {
  const problem = from === to ? 'this link of the chain is missing' : `the links up to ${to} are missing`;
  return { position: from, seq: undefined, problem };
}

interface Event {
  readonly seq: number;
  readonly content: string;
}

interface StoredSummary extends SignedSummary {
  readonly first_position: number;
  readonly last_position: number;
}

interface StoredLink extends Link {
  readonly event_seq: number;
  /** Null if the event is missing. */
  readonly content: string | null;
}

/**
 * Transactions end in another order than they take numbers, so an event may appear behind sealed ones. It appears
 * within seconds. Only events from `since` on are therefore compared with the chain: the links of the last two minutes.
 */
const HEAD = `
  WITH recent AS MATERIALIZED (SELECT event_seq FROM audit_chain WHERE sealed_at > now() - interval '2 minutes')
  SELECT position, hash, coalesce((SELECT min(event_seq) FROM recent), event_seq) AS since
  FROM audit_chain ORDER BY position DESC LIMIT 1`;
/** Both tables are limited, so that the time does not grow with the log. */
const UNSEALED = `
  SELECT e.seq, ${CONTENT} AS content FROM audit_events e
  WHERE e.seq >= $1 AND NOT EXISTS (SELECT FROM audit_chain c WHERE c.event_seq = e.seq AND c.event_seq >= $1)
  ORDER BY e.seq LIMIT $2`;
const PAGE = `
  SELECT c.position, c.event_seq, c.hash, CASE WHEN e.seq IS NULL THEN NULL ELSE ${CONTENT} END AS content
  FROM (SELECT * FROM audit_chain WHERE position > $1 ORDER BY position LIMIT $2) c
  LEFT JOIN audit_events e ON e.seq = c.event_seq ORDER BY c.position`;
const SUMMARIES = `
  SELECT first_position, last_position, summary, kid, signature FROM audit_summaries ORDER BY last_position`;
const WAITING = `
  SELECT count(*) AS waiting FROM audit_events e WHERE NOT EXISTS (SELECT FROM audit_chain c WHERE c.event_seq = e.seq)`;

/** Writes the end of a chain where the hospital's role can't change it. An older end changes nothing. */
export async function writeAuditHead(db: Knex, hospitalId: string, { position, hash }: Link): Promise<void> {
  await db.raw(
    `INSERT INTO platform.audit_heads AS known (hospital_id, position, hash) VALUES (?, ?, ?)
     ON CONFLICT (hospital_id) DO UPDATE SET position = excluded.position, hash = excluded.hash, sealed_at = now()
     WHERE known.position < excluded.position`,
    [hospitalId, position, hash],
  );
}

/** @returns undefined if nothing was sealed yet. */
async function readAuditHead(db: Knex, hospitalId: string): Promise<Link | undefined> {
  const row: Link | undefined = await db
    .withSchema('platform')
    .from('audit_heads')
    .where({ hospital_id: hospitalId })
    .first('position', 'hash');
  return row;
}

/**
 * Verifies a hospital's audit log, as the owner of its schema.
 * @param db connection of the operator's role.
 */
export async function verifyHospitalAudit(
  db: Knex,
  { id, prefix }: Pick<Hospital, 'id' | 'prefix'>,
): Promise<AuditVerification> {
  const [known, keys] = await Promise.all([readAuditHead(db, id), readAuditKeys(db)]);
  return db.transaction(
    async (trx) => {
      await trx.raw(`SET LOCAL search_path TO ${quote(hospitalNames(prefix).schema)}`);
      const query = async <Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> => {
        // knex numbers its own placeholders.
        const { rows } = await trx.raw<{ rows: Row[] }>(text.replaceAll(/\$\d/g, '?'), [...values] as Knex.Value[]);
        return rows;
      };
      return verifyAudit({ query }, id, known, keys);
    },
    { readOnly: true, isolationLevel: 'repeatable read' },
  );
}
