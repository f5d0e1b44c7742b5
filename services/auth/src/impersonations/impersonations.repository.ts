/** The table `platform.impersonations`. Several processes agree by it, and a restart loses nothing. */
import { newId } from '@hms/service';
import type { Knex } from 'knex';
import type { Mode } from './impersonations.schema.ts';

export interface ImpersonationRow {
  readonly id: string;
  readonly hospital_id: string;
  readonly prefix: string;
  readonly hospital_name: string;
  readonly subject: string;
  readonly subject_email: string;
  readonly subject_name: string | null;
  readonly actor: string;
  readonly actor_email: string;
  readonly actor_name: string | null;
  readonly mode: Mode;
  readonly reason: string;
  readonly started_at: Date;
  readonly ends_at: Date;
  readonly recorded_at: Date | null;
  readonly ended_at: Date | null;
  readonly ended_by: string | null;
  readonly ended_by_name: string | null;
  readonly code_hash: Buffer | null;
  readonly key_hash: Buffer | null;
  /** By the clock of PostgreSQL. */
  readonly is_live: boolean;
  readonly is_code_valid: boolean;
}

type NewRow = Pick<
  ImpersonationRow,
  | 'hospital_id'
  | 'subject'
  | 'subject_email'
  | 'subject_name'
  | 'actor'
  | 'actor_email'
  | 'actor_name'
  | 'mode'
  | 'reason'
> & { readonly code_hash: Buffer; readonly seconds: number };

/** Who ends it. */
export interface EndedBy {
  readonly email: string;
  readonly name: string | null;
}

export type ImpersonationStore = ReturnType<typeof impersonationStore>;

/** Seconds for which a browser can take an impersonation over. */
const CODE_SECONDS = 60;

export function impersonationStore(db: Knex) {
  async function query<Row>(text: string, values: Knex.ValueDict, on: Knex = db): Promise<readonly Row[]> {
    const { rows } = await on.raw<{ rows: Row[] }>(text, values);
    return rows;
  }

  async function find(id: string): Promise<ImpersonationRow | undefined> {
    const [row] = await query<ImpersonationRow>(`${SELECT} WHERE i.id = :id`, { id });
    return row;
  }

  return {
    find,

    /**
     * Adds one, which gives no tokens yet. Whoever begins another one ends the one before.
     * @returns its id, and the ids of those that ended.
     */
    async add({ seconds, ...row }: NewRow): Promise<{ readonly id: string; readonly ended: readonly string[] }> {
      const id = newId();
      return db.transaction(async (trx) => {
        // Somebody may begin several at once.
        await query(ONE_BY_ONE, {}, trx);
        const ended = await query<{ id: string }>(END_OTHERS, { actor: row.actor }, trx);
        await query(ADD, { ...row, id, seconds, codeSeconds: CODE_SECONDS }, trx);
        return { id, ended: ended.map((one) => one.id) };
      });
    },

    /** Notes that the hospital's audit log has the start, so that there may be tokens. */
    async recorded(id: string): Promise<void> {
      await query(RECORDED, { id });
    },

    /**
     * Keeps a token of a browser that has the code or the key, which makes it valid.
     * @param secret replaces the code by the key, or is the key.
     * @returns false if the code was used or the impersonation ended meanwhile.
     */
    async addToken(
      id: string,
      token: { readonly jti: string; readonly seconds: number },
      secret: { readonly code?: Buffer | undefined; readonly key: Buffer },
    ): Promise<boolean> {
      const { code = null, key } = secret;
      return (await query(ADD_TOKEN, { id, ...token, code, key })).length > 0;
    },

    /** Ends it, unless it has ended. @param by the person. Undefined: it is refused. */
    async end(id: string, by: EndedBy | undefined): Promise<boolean> {
      return (await query(END, { id, by: by?.email ?? null, name: by?.name ?? null })).length > 0;
    },

    /** Notes that its time is over. */
    async expire(id: string): Promise<void> {
      await query(EXPIRE, { id });
    },

    /** Whether somebody acts as this person now. */
    async isActedAs(hospitalId: string, subject: string): Promise<boolean> {
      const live = `${SELECT} WHERE i.hospital_id = :hospitalId AND i.subject = :subject AND ${IS_LIVE} LIMIT 1`;
      return (await query(live, { hospitalId, subject })).length > 0;
    },

    /** Live ones first, then the latest. */
    async list(
      of: { readonly hospitalId?: string | undefined; readonly actor?: string | undefined },
      { page, limit }: { readonly page: number; readonly limit: number },
    ): Promise<{ readonly rows: readonly ImpersonationRow[]; readonly total: number }> {
      const values = { hospitalId: of.hospitalId ?? null, actor: of.actor ?? null, limit, offset: (page - 1) * limit };
      const [rows, [count]] = await Promise.all([
        query<ImpersonationRow>(
          `${SELECT} ${OF} ORDER BY ${IS_LIVE} DESC, i.started_at DESC, i.id LIMIT :limit OFFSET :offset`,
          values,
        ),
        query<{ total: number }>(`SELECT count(*)::integer AS total FROM platform.impersonations i ${OF}`, values),
      ]);
      return { rows, total: count?.total ?? 0 };
    },

    /** The latest names of people of the platform. @param actors ids of their accounts. */
    async namesOf(actors: readonly string[]): Promise<ReadonlyMap<string, string>> {
      if (actors.length === 0) return new Map();
      const rows = await query<Pick<ImpersonationRow, 'actor' | 'actor_name'>>(NAMES, { actors: [...actors] });
      return new Map(rows.flatMap(({ actor, actor_name }) => (actor_name === null ? [] : [[actor, actor_name]])));
    },
  };
}

const NAMES = `
  SELECT DISTINCT ON (actor) actor, actor_name FROM platform.impersonations
  WHERE actor = ANY (:actors) ORDER BY actor, started_at DESC`;

const IS_LIVE = '(i.recorded_at IS NOT NULL AND i.ended_at IS NULL AND i.ends_at > now())';
const SELECT = `
  SELECT i.*, h.prefix, h.display_name AS hospital_name, ${IS_LIVE} AS is_live, i.code_expires_at > now() AS is_code_valid
  FROM platform.impersonations i JOIN platform.hospitals h ON h.id = i.hospital_id`;
const OF = `
  WHERE i.recorded_at IS NOT NULL AND (i.hospital_id = CAST(:hospitalId AS uuid) OR CAST(:hospitalId AS uuid) IS NULL)
    AND (i.actor = CAST(:actor AS text) OR CAST(:actor AS text) IS NULL)`;
/** Starts are rare and short. Nobody who reads has to wait. */
const ONE_BY_ONE = 'LOCK TABLE platform.impersonations IN SHARE ROW EXCLUSIVE MODE';
const ADD = `
  INSERT INTO platform.impersonations
    (id, hospital_id, subject, subject_email, subject_name, actor, actor_email, actor_name, mode, reason, code_hash, ends_at,
      code_expires_at)
  VALUES (:id, :hospital_id, :subject, :subject_email, :subject_name, :actor, :actor_email, :actor_name, :mode, :reason,
    :code_hash,
    now() + make_interval(secs => :seconds), now() + make_interval(secs => :codeSeconds))`;
/** An event of the platform's own log, in the statement that changes the row. */
const event = (rows: string, id: string, at: string, action: string, details: string) => `
  INSERT INTO platform.console_events (id, at, actor, actor_email, actor_name, action, record, record_id, details)
  SELECT ${id}, ${at}, actor, actor_email, actor_name, '${action}', 'impersonations', id, ${details} FROM ${rows}
  ON CONFLICT (id) DO NOTHING RETURNING record_id AS id`;
const RECORDED = `
  WITH started AS (UPDATE platform.impersonations SET recorded_at = now() WHERE id = :id RETURNING *)
  ${event(
    'started',
    'id',
    'started_at',
    'impersonate.start',
    `jsonb_build_object('hospitalId', hospital_id, 'subject', subject, 'subjectEmail', subject_email, 'mode', mode, 'reason', reason)`,
  )}`;
const ENDED = event(
  'ended',
  `md5('end ' || id)::uuid`,
  'ended_at',
  'impersonate.end',
  `jsonb_build_object('hospitalId', hospital_id, 'subject', subject, 'endedBy', ended_by)`,
);
const END = `
  WITH ended AS (
    UPDATE platform.impersonations SET ended_at = now(), ended_by = :by, ended_by_name = :name
    WHERE id = :id AND ended_at IS NULL AND ends_at > now() RETURNING *)
  ${ENDED}`;
const EXPIRE = `
  WITH ended AS (
    UPDATE platform.impersonations SET ended_at = ends_at
    WHERE id = :id AND ended_at IS NULL AND ends_at <= now() RETURNING *)
  ${ENDED}`;
const END_OTHERS = `
  WITH ended AS (
    UPDATE platform.impersonations SET ended_at = least(now(), ends_at),
      ended_by = CASE WHEN ends_at > now() THEN actor_email END,
      ended_by_name = CASE WHEN ends_at > now() THEN actor_name END
    WHERE actor = :actor AND ended_at IS NULL RETURNING *)
  ${ENDED}`;
const ADD_TOKEN = `
  WITH own AS (
    UPDATE platform.impersonations SET code_hash = NULL, key_hash = :key
    WHERE id = :id AND recorded_at IS NOT NULL AND ended_at IS NULL AND ends_at > now()
      AND (CASE WHEN CAST(:code AS bytea) IS NULL THEN key_hash = :key ELSE code_hash = :code AND code_expires_at > now() END)
    RETURNING id
  ), old AS (
    DELETE FROM platform.impersonation_tokens WHERE impersonation_id IN (SELECT id FROM own) AND expires_at < now()
  )
  INSERT INTO platform.impersonation_tokens (jti, impersonation_id, expires_at)
  SELECT :jti, id, now() + make_interval(secs => :seconds) FROM own RETURNING jti AS id`;
