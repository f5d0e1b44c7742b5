/** How large each hospital is and how much it is used: `platform.hospital_usage` and `platform.hospital_requests`. */
import type { Knex } from 'knex';
import { TASKS_SCHEMA } from './tasks.ts';
import type { Transaction } from './tenant-pool.ts';

/** What a hospital has. */
export interface UsageFigures {
  /** Active employees. */
  readonly people: number;
  readonly patients: number;
  /** Rows of all its tables. */
  readonly rows: number;
  /** Bytes of its tables and indexes. */
  readonly recordBytes: number;
  readonly files: number;
  /** Without former versions. */
  readonly fileBytes: number;
}

/** Requests of a hospital on one day. */
export interface RequestCount {
  readonly hospitalId: string;
  /** In UTC, `YYYY-MM-DD`. */
  readonly day: string;
  readonly requests: number;
  /** Those of them that were answered with a status of 500 or more. */
  readonly failed: number;
}

/** What was counted when. */
export interface CountedFigures extends UsageFigures {
  readonly countedAt: Date;
}

/** A day of a hospital. */
export interface UsageDay extends Omit<RequestCount, 'hospitalId'> {
  /** Null if the hospital was not counted on that day. */
  readonly figures: CountedFigures | null;
}

/** Keeps the figures of today, in a transaction of the hospital. Those of an earlier count of today stay. */
export async function recordUsage(trx: Transaction, figures: UsageFigures): Promise<void> {
  const { people, patients, rows, recordBytes, files, fileBytes } = figures;
  await trx.query('SELECT platform.record_usage($1, $2, $3, $4, $5, $6)', [
    people,
    patients,
    rows,
    recordBytes,
    files,
    fileBytes,
  ]);
}

/**
 * The hospitals that should be counted: active, without figures of today, and without a task that is about to count
 * them. Those that were not counted for the longest time come first.
 * @param task name of the task that counts. @returns their prefixes, at most `limit`.
 */
export async function uncountedHospitals(db: Knex, task: string, limit: number): Promise<readonly string[]> {
  const { rows } = await db.raw<{ rows: { prefix: string }[] }>(UNCOUNTED, [task, limit]);
  return rows.map(({ prefix }) => prefix);
}

const TODAY = "(now() AT TIME ZONE 'UTC')::date";

const UNCOUNTED = `
  SELECT h.prefix FROM platform.hospitals h
  LEFT JOIN LATERAL (SELECT max(u.day) AS day FROM platform.hospital_usage u WHERE u.hospital_id = h.id) last ON true
  WHERE h.state = 'Active' AND last.day IS DISTINCT FROM ${TODAY} AND NOT EXISTS (
    SELECT FROM ${TASKS_SCHEMA}._private_jobs job JOIN ${TASKS_SCHEMA}._private_tasks task ON task.id = job.task_id
    WHERE task.identifier = ? AND job.payload->>'hospital' = h.id::text
      AND (job.attempts < job.max_attempts OR job.locked_at IS NOT NULL)
  )
  ORDER BY last.day NULLS FIRST, h.prefix LIMIT ?`;

/** Whether a hospital has figures of today. */
export async function isCounted(db: Knex, hospitalId: string): Promise<boolean> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `SELECT FROM platform.hospital_usage WHERE hospital_id = ? AND day = ${TODAY}`,
    [hospitalId],
  );
  return rows.length > 0;
}

/**
 * Adds to the counts of requests, in one statement. Hospitals that were deleted meanwhile are left out.
 * @throws PostgreSQL's 23503 if one is deleted at this moment. Nothing is added then.
 */
export async function addRequests(db: Knex, counts: readonly RequestCount[]): Promise<void> {
  await db.raw(ADD_REQUESTS, [JSON.stringify(counts)]);
}

/** In one order, so that two processes never wait for each other. */
const ADD_REQUESTS = `
  INSERT INTO platform.hospital_requests AS known (hospital_id, day, requests, failed)
  SELECT h.id, added.day, added.requests, added.failed
  FROM json_to_recordset(?) AS added ("hospitalId" uuid, day date, requests bigint, failed bigint)
  JOIN platform.hospitals h ON h.id = added."hospitalId"
  ORDER BY h.id, added.day
  ON CONFLICT (hospital_id, day) DO UPDATE
  SET requests = known.requests + excluded.requests, failed = known.failed + excluded.failed`;

/** The last days of a hospital up to today, the oldest first, also those on which nothing happened. */
export async function readUsageDays(db: Knex, hospitalId: string, days: number): Promise<readonly UsageDay[]> {
  const { rows } = await db.raw<{ rows: DayRow[] }>(DAYS, [days - 1, hospitalId, hospitalId]);
  return rows.map(({ day, requests, failed, ...row }) => ({ day, requests, failed, figures: toFigures(row) }));
}

/** The newest figures of a hospital, however old they are. */
export async function readNewestUsage(db: Knex, hospitalId: string): Promise<CountedFigures | null> {
  const { rows } = await db.raw<{ rows: FiguresRow[] }>(NEWEST, [hospitalId]);
  return rows[0] ? toFigures(rows[0]) : null;
}

const FIGURES = `
  u.counted_at AS "countedAt", u.people, u.patients, u.record_rows AS rows, u.record_bytes AS "recordBytes", u.files,
  u.file_bytes AS "fileBytes"`;

const DAYS = `
  SELECT d.day::date AS day, coalesce(r.requests, 0) AS requests, coalesce(r.failed, 0) AS failed, ${FIGURES}
  FROM generate_series(${TODAY} - ?::integer, ${TODAY}, interval '1 day') d (day)
  LEFT JOIN platform.hospital_requests r ON r.hospital_id = ? AND r.day = d.day
  LEFT JOIN platform.hospital_usage u ON u.hospital_id = ? AND u.day = d.day
  ORDER BY d.day`;

const NEWEST = `SELECT ${FIGURES} FROM platform.hospital_usage u WHERE u.hospital_id = ? ORDER BY u.day DESC LIMIT 1`;

interface FiguresRow extends UsageFigures {
  readonly countedAt: Date | null;
}

type DayRow = FiguresRow & Omit<RequestCount, 'hospitalId'>;

function toFigures({ countedAt, ...figures }: FiguresRow): CountedFigures | null {
  return countedAt && { ...figures, countedAt };
}
