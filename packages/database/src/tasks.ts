/**
 * The background tasks of all hospitals, in the schema of graphile-worker. Hospitals' transactions add tasks by
 * `platform.add_task`, modules run them, and administrators look at those that fail.
 */
import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { prefixOfRole, TENANT_ROLES } from '@hms/tenancy';
import { runMigrations } from 'graphile-worker';
import type { Knex } from 'knex';
import { openPoolLike } from './connect.ts';
import { literal, quote } from './sql.ts';

export const TASKS_SCHEMA = 'graphile_worker';
/** Number of the library's last migration. A test compares it with the library. */
export const TASKS_VERSION = 20;
const POLICY = 'modules';

/** The task that the operator adds when it has invited an owner. */
export const OWNER_APPOINTED = 'owner-appointed';
/** The task that the operator adds when it creates a role again that a hospital's accounts have lost. */
export const ROLES_LOST = 'roles-lost';

export interface MigratedTasks {
  /** Whether something was missing. */
  readonly tasksChanged: boolean;
  /** A migration of a later library with which the modules of this release run no tasks. */
  readonly tasksBlockedBy: number | undefined;
}

/**
 * Creates or updates the schema of the tasks, and gives the modules' roles their privileges in it. Only reads if nothing
 * is missing. Safe for parallel processes.
 * @param db as the role that owns the platform's schemas.
 */
export async function migrateTasks(db: Knex): Promise<MigratedTasks> {
  const state = await readState(db);
  const tasksBlockedBy = state.breaking > TASKS_VERSION ? state.breaking : undefined;
  if (isComplete(state)) return { tasksChanged: false, tasksBlockedBy };
  await db.transaction(async (trx) => {
    await trx.raw('SELECT pg_advisory_xact_lock(hashtextextended(?, 0))', ['hms/tasks']);
    if ((await readState(trx)).version < TASKS_VERSION) await migrateLibrary(db);
    for (const statement of (await readState(trx)).missing) await trx.raw(statement);
  });
  return { tasksChanged: true, tasksBlockedBy };
}

/** On connections of its own: each of the library's migrations is a transaction. */
async function migrateLibrary(db: Knex): Promise<void> {
  const pgPool = openPoolLike(db, { poolSize: 2 });
  try {
    await runMigrations({ pgPool, schema: TASKS_SCHEMA });
  } finally {
    await pgPool.end();
  }
}

/** The library's migrations, which it does not export. */
const LIBRARY_SQL = new URL('../sql/', import.meta.resolve('graphile-worker'));
/** The table that the library creates before its first migration. */
const MIGRATIONS_COLUMNS =
  '(id integer PRIMARY KEY, ts timestamptz NOT NULL DEFAULT now(), breaking boolean NOT NULL DEFAULT false)';

/** A script that creates what `migrateTasks` creates in another schema, for a transaction that is rolled back. */
export async function tasksReferenceScript(schema: string): Promise<string> {
  const files = (await readdir(LIBRARY_SQL)).filter((file) => file.endsWith('.sql')).sort();
  const migrations = await Promise.all(files.map((file) => readFile(new URL(file, LIBRARY_SQL), 'utf8')));
  return [
    `CREATE SCHEMA ${quote(schema)}`,
    `CREATE TABLE ${quote(schema)}.migrations ${MIGRATIONS_COLUMNS}`,
    ...migrations.map((text) => text.replaceAll(':GRAPHILE_WORKER_SCHEMA', quote(schema))),
    `DO $missing$ DECLARE missing text; BEGIN FOR missing IN ${missingQuery(schema)} LOOP EXECUTE missing; END LOOP; END $missing$`,
  ].join(';\n');
}

const isComplete = ({ version, missing }: State): boolean => version >= TASKS_VERSION && missing.length === 0;

interface State {
  readonly version: number;
  /** The last migration that older versions of the library do not work with. */
  readonly breaking: number;
  /** The statements that restore what is missing. */
  readonly missing: readonly string[];
}

async function readState(db: Knex): Promise<State> {
  // Unlike to_regclass, a query of the catalog sees in a transaction what other connections have created since its start.
  const { rows: found } = await db.raw<{ rows: object[] }>(
    `SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = '${TASKS_SCHEMA}' AND c.relname = 'migrations'`,
  );
  if (found.length === 0) return { version: 0, breaking: 0, missing: [] };
  const { rows: versions } = await db.raw<{ rows: Pick<State, 'version' | 'breaking'>[] }>(
    `SELECT coalesce(max(id), 0)::integer AS version, coalesce(max(id) FILTER (WHERE breaking), 0)::integer AS breaking
     FROM ${TASKS_SCHEMA}.migrations`,
  );
  const { rows } = await db.raw<{ rows: { statement: string }[] }>(missingQuery(TASKS_SCHEMA));
  return { version: 0, breaking: 0, ...versions[0], missing: rows.map(({ statement }) => statement) };
}

/**
 * Reads the statements that give the modules' roles what they lack. The library enables row-level security on its
 * tables, so that only their owner sees rows. A policy shows all rows to the modules' roles.
 */
const missingQuery = (schema: string): string => `
  WITH runner AS (SELECT oid, rolname FROM pg_roles WHERE rolname IN (${TENANT_ROLES.map(literal).join(', ')})),
  one AS (
    SELECT c.oid, format('%I.%I', n.nspname, c.relname) AS name, c.relrowsecurity FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ${literal(schema)} AND c.relkind IN ('r', 'v')
      AND pg_has_role(c.relowner, 'USAGE')
  )
  SELECT format('GRANT USAGE ON SCHEMA %I TO %I', ${literal(schema)}, rolname) AS statement FROM runner
  WHERE NOT has_schema_privilege(oid, ${literal(schema)}, 'USAGE')
  UNION ALL
  SELECT format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO %I', one.name, rolname) FROM runner, one
  WHERE NOT (has_table_privilege(runner.oid, one.oid, 'SELECT') AND has_table_privilege(runner.oid, one.oid, 'INSERT')
    AND has_table_privilege(runner.oid, one.oid, 'UPDATE') AND has_table_privilege(runner.oid, one.oid, 'DELETE'))
  UNION ALL
  SELECT format('CREATE POLICY %I ON %s TO %I USING (true) WITH CHECK (true)', '${POLICY} ' || rolname, one.name, rolname)
  FROM runner, one WHERE relrowsecurity AND NOT EXISTS (
    SELECT FROM pg_policy p WHERE p.polrelid = one.oid AND p.polcmd = '*' AND p.polpermissive AND runner.oid = ANY (p.polroles)
      AND pg_get_expr(p.polqual, p.polrelid) = 'true' AND pg_get_expr(p.polwithcheck, p.polrelid) = 'true')`;

/** `planned` is not due yet, and `waiting` is due or is tried again. */
export const TASK_STATES = ['planned', 'waiting', 'running', 'failed'] as const;
export type TaskState = (typeof TASK_STATES)[number];

/** A background task that is not finished. */
export interface TaskInfo {
  readonly id: number;
  /** Prefix of its hospital. */
  readonly hospital: string;
  /** `<module>:<name>` */
  readonly task: string;
  /** `failed` means that it is not tried again by itself. */
  readonly state: TaskState;
  readonly attempts: number;
  readonly maxAttempts: number;
  /** When it is due, was due, or is tried again. */
  readonly runAt: Date;
  readonly createdAt: Date;
  /** Message of the last attempt that failed. */
  readonly lastError: string | null;
}

export interface TaskFilter {
  readonly hospital?: string | undefined;
  readonly state?: TaskState | undefined;
  readonly ids?: readonly number[] | undefined;
}

/** Of a job that is not running. One with an error is tried again. */
export const IS_PLANNED = 'job.run_at > now() AND job.last_error IS NULL';

const COLUMNS = `
  job.id, job.payload->>'role' AS role, task.identifier AS task, job.attempts, job.max_attempts AS "maxAttempts",
  job.run_at AS "runAt", job.created_at AS "createdAt", job.last_error AS "lastError", job.locked_at IS NOT NULL AS running,
  ${IS_PLANNED} AS planned`;

/** The tasks that are not finished, oldest first. @param db as the role that owns the platform's schemas. */
export async function listTasks(db: Knex, { hospital, state, ids }: TaskFilter = {}): Promise<readonly TaskInfo[]> {
  const { rows } = await db.raw<{ rows: TaskRow[] }>(
    `SELECT ${COLUMNS} FROM ${TASKS_SCHEMA}._private_jobs job JOIN ${TASKS_SCHEMA}._private_tasks task ON task.id = job.task_id
     ${ids ? 'WHERE job.id = ANY (?)' : ''} ORDER BY job.id`,
    ids ? [[...ids]] : [],
  );
  return rows
    .map(({ role, running, planned, ...row }): TaskInfo => {
      const failed = row.attempts >= row.maxAttempts;
      return {
        ...row,
        hospital: prefixOfRole(role),
        state: running ? 'running' : failed ? 'failed' : planned ? 'planned' : 'waiting',
      };
    })
    .filter((task) => (hospital ?? task.hospital) === task.hospital && (state ?? task.state) === task.state);
}

interface TaskRow extends Omit<TaskInfo, 'hospital' | 'state'> {
  readonly role: string;
  readonly running: boolean;
  readonly planned: boolean;
}

/** Lets tasks run again at once, with all their attempts. @returns the ids of those that exist and are not running. */
export function retryTasks(db: Knex, ids: readonly number[]): Promise<readonly number[]> {
  return change(db, 'reschedule_jobs(?, run_at => now(), attempts => 0)', ids);
}

/** Deletes tasks. @returns the ids of those that existed and are not running. */
export function dropTasks(db: Knex, ids: readonly number[]): Promise<readonly number[]> {
  return change(db, 'complete_jobs(?)', ids);
}

async function change(db: Knex, call: string, ids: readonly number[]): Promise<readonly number[]> {
  const { rows } = await db.raw<{ rows: { id: number }[] }>(`SELECT id FROM ${TASKS_SCHEMA}.${call}`, [[...ids]]);
  return rows.map(({ id }) => id);
}

/**
 * Adds a background task of a hospital from outside of its transactions. @see `addTask` of a hospital's own transaction
 * @param db as the role that owns the platform's schemas.
 * @param key replaces a waiting task with the same key.
 */
export async function addTaskOf(
  db: Knex,
  { role, hospitalId }: { readonly role: string; readonly hospitalId: string },
  task: string,
  input: object,
  key: string | null = null,
): Promise<void> {
  const payload = { task, role, hospital: hospitalId, id: randomUUID(), input, requestId: null };
  await db.raw(`SELECT ${TASKS_SCHEMA}.add_job(?, ?::json, job_key => ?)`, [task, JSON.stringify(payload), key]);
}

/** Deletes the tasks of a hospital that is removed. @param db as the role that owns the platform's schemas. */
export async function dropTasksOf(db: Knex, role: string): Promise<void> {
  await db.raw(`DELETE FROM ${TASKS_SCHEMA}._private_jobs WHERE payload->>'role' = ?`, [role]);
}
