/**
 * The chain that makes changes of the audit log visible. Each link has a hash of its event and of the link before it,
 * so a change of one row does not match any more. Sealing is separate from the requests that write events: they would
 * otherwise wait for each other.
 */
import { createHash } from 'node:crypto';
import { hospitalNames } from '@hms/tenancy';
import type { Knex } from 'knex';
import type { Hospital } from './hospitals.ts';
import { quote } from './sql.ts';

/** Runs statements in a transaction whose search path is the hospital's schema. */
interface AuditRows {
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** A link of the chain. Positions count from 1 without gaps. */
export interface Link {
  readonly position: number;
  readonly hash: Buffer;
}

/** Something that should not be. */
export interface AuditFinding {
  /** Position in the chain. */
  readonly position: number;
  /** Sequence number of the event, if there is one. */
  readonly seq: number | undefined;
  readonly problem: string;
}

export interface AuditVerification {
  /** Number of links. */
  readonly sealed: number;
  /** Committed events that are not sealed yet. */
  readonly waiting: number;
  readonly findings: readonly AuditFinding[];
}

const BATCH = 1_000;

/** Everything that an event says, in a form that depends on no setting of the session. */
const CONTENT = `jsonb_build_array(
  e.seq, to_char(e.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), e.actor, e.actor_email, e.actor_roles, e.impersonator,
  e.action, e.record, e.record_id, e.patient_id, e.before, e.after, e.details, e.address, e.request_id)::text`;

/**
 * Seals up to 1,000 committed events, in the order of their numbers. Events that commit later get later positions.
 * @param hospitalId the chain begins with its hash.
 * @returns the new end of the chain, and whether more events may wait. Undefined if nothing waited.
 * @throws PostgreSQL's 23505 if another process sealed at the same time: nothing was changed, and nothing is lost.
 */
export async function sealBatch(
  rows: AuditRows,
  hospitalId: string,
): Promise<{ readonly head: Link; readonly more: boolean } | undefined> {
  const [head, events] = await Promise.all([readHead(rows), rows.query<Event>(UNSEALED, [BATCH])]);
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

async function readHead(rows: AuditRows): Promise<Link | undefined> {
  const [head] = await rows.query<Link>('SELECT position, hash FROM audit_chain ORDER BY position DESC LIMIT 1');
  return head;
}

/**
 * Compares the whole chain with the events.
 * @param known the end of the chain as `platform.audit_heads` has it, outside of the hospital's schema.
 */
async function verifyAudit(rows: AuditRows, hospitalId: string, known: Link | undefined): Promise<AuditVerification> {
  const findings: AuditFinding[] = [];
  let position = 0;
  let hash = genesis(hospitalId);
  for (;;) {
    const links = await rows.query<StoredLink>(PAGE, [position, BATCH]);
    for (const link of links) {
      if (link.position !== position + 1) findings.push(missing(position + 1, link.position - 1));
      // After a missing link, the next one can't be checked: its stored hash is the new start.
      const expected = link.position === position + 1 ? linkHash(hash, link.content ?? '') : link.hash;
      const problem = problemOf(link, expected);
      if (problem) findings.push({ position: link.position, seq: link.event_seq, problem });
      ({ position, hash } = link);
      if (position === known?.position && !hash.equals(known.hash)) {
        findings.push({ position, seq: link.event_seq, problem: 'the chain was rewritten up to here' });
      }
    }
    if (links.length < BATCH) break;
  }
  if (known && known.position > position) findings.push(missing(position + 1, known.position));
  const [counted] = await rows.query<{ waiting: number }>(WAITING);
  return { sealed: position, waiting: counted?.waiting ?? 0, findings };
}

function problemOf({ content, hash }: StoredLink, expected: Buffer): string | undefined {
  if (content === null) return 'the event was deleted';
  return expected.equals(hash) ? undefined : 'the event was changed';
}

function missing(from: number, to: number): AuditFinding {
  const problem = from === to ? 'this link of the chain is missing' : `the links up to ${to} are missing`;
  return { position: from, seq: undefined, problem };
}

function genesis(hospitalId: string): Buffer {
  return createHash('sha256').update(`hms audit ${hospitalId}`).digest();
}

function linkHash(before: Buffer, content: string): Buffer {
  return createHash('sha256').update(before).update(content).digest();
}

interface Event {
  readonly seq: number;
  readonly content: string;
}

interface StoredLink extends Link {
  readonly event_seq: number;
  /** Null if the event is missing. */
  readonly content: string | null;
}

/**
 * Transactions end in another order than they take numbers, so an event may appear behind sealed ones. It appears
 * within seconds. Only events behind the links of the last two minutes are therefore compared with the chain.
 */
const UNSEALED = `
  SELECT e.seq, ${CONTENT} AS content FROM audit_events e
  WHERE e.seq >= coalesce(
      (SELECT min(event_seq) FROM audit_chain WHERE sealed_at > now() - interval '2 minutes'),
      (SELECT event_seq FROM audit_chain ORDER BY position DESC LIMIT 1),
      0)
    AND NOT EXISTS (SELECT FROM audit_chain c WHERE c.event_seq = e.seq)
  ORDER BY e.seq LIMIT $1`;
const PAGE = `
  SELECT c.position, c.event_seq, c.hash, CASE WHEN e.seq IS NULL THEN NULL ELSE ${CONTENT} END AS content
  FROM (SELECT * FROM audit_chain WHERE position > $1 ORDER BY position LIMIT $2) c
  LEFT JOIN audit_events e ON e.seq = c.event_seq ORDER BY c.position`;
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
  const known = await readAuditHead(db, id);
  return db.transaction(
    async (trx) => {
      await trx.raw(`SET LOCAL search_path TO ${quote(hospitalNames(prefix).schema)}`);
      const query = async <Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> => {
        // knex numbers its own placeholders.
        const { rows } = await trx.raw<{ rows: Row[] }>(text.replaceAll(/\$\d/g, '?'), [...values] as Knex.Value[]);
        return rows;
      };
      return verifyAudit({ query }, id, known);
    },
    { readOnly: true, isolationLevel: 'repeatable read' },
  );
}
