/**
 * Runs the background tasks of a module. graphile-worker takes them from PostgreSQL, retries them and waits in between.
 * Tasks of a process that was killed are taken back after a few seconds.
 */
import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { type Hospital, IS_PLANNED, openPool, TASKS_SCHEMA } from '@hms/database';
import { StorageUnavailable } from '@hms/storage';
import { prefixOfRole } from '@hms/tenancy';
import { type JobHelpers, Logger as LibraryLogger, type Runner, run, type WorkerEvents } from 'graphile-worker';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { isRoleRefused } from '../database-errors.ts';
import { Problem } from '../errors.ts';
import type { Registry } from '../registry.ts';
import { type TransactionEnvironment, workFor } from '../transaction.ts';
import { completeTask, NotYet, type Task, type TaskContext, type TaskPayload } from './task.ts';
import type { TaskCount, TaskMetrics } from './task-metrics.ts';

export interface TaskWorkerOptions {
  readonly databaseUrl: string;
  readonly environment: TransactionEnvironment;
  readonly registry: Registry;
  readonly tasks: readonly Task[];
  readonly log: Logger;
  readonly metrics: TaskMetrics;
  /** Tasks at the same time. */
  readonly concurrency: number;
  /** Milliseconds between looks for tasks of processes that were killed, and for what the metrics count. */
  readonly sweepInterval?: number;
}

const SWEEP_INTERVAL = 5_000;
/** A process that has just taken a task may not have named its connection yet. */
const NEW_LOCK = '5 seconds';
/** Before the next start of a worker that ended, as when PostgreSQL restarts or the schema of the tasks is missing. */
const RESTART_PAUSE = 3_000;
/** Failures in a row of each worker, before the library is started again. */
const FAILURES = 3;
/** A task of a hospital that is not open is looked at again after this time. */
const POSTPONED = '5 minutes';
/** How many attempts an outage counts as, so that a task runs soon after it: the pause is e^5 s, or 2.5 minutes. */
const OUTAGE_ATTEMPTS = 5;
/** A task that meets an outage for longer counts its attempts again, and fails in the end. */
const LONGEST_OUTAGE = '2 days';
/** How many attempts something that is not there yet counts as: the pause is e^2 s, or 7 s. */
const EARLY_ATTEMPTS = 2;
/** What is still not there after this time is more than late. */
const LATE = '10 minutes';
/** Running tasks may take this long when the process stops. */
const STOP_MS = 10_000;
/** Prefix of the name of the connection that shows that a worker is alive. */
const ALIVE = 'hms-tasks ';

export class TaskWorker {
  readonly #options: TaskWorkerOptions;
  readonly #pool: Pool;
  readonly #ending = new AbortController();
  /** The names of this process's workers. */
  readonly #workers = new Set<string>();
  #runner: Runner | undefined;
  /** The table whose ids of tasks the runner has read. It reads them once. */
  #tasksTable: string | undefined;
  #supervisor: Promise<void> | undefined;
  #sweeper: Promise<void> | undefined;

  constructor(options: TaskWorkerOptions) {
    this.#options = options;
    this.#pool = openPool(options.databaseUrl, { poolSize: options.concurrency + 2, applicationName: 'hms-tasks' });
  }

  /** Starts to run tasks. Does nothing in a module without tasks. */
  start(): void {
    if (this.#options.tasks.length === 0) return;
    this.#supervisor = this.#supervise();
    this.#sweeper = this.#sweep();
  }

  /** Lets running tasks finish for a few seconds. Those that don't run again later. */
  async end(): Promise<void> {
    this.#ending.abort();
    const stopped = async () => {
      await this.#runner?.stop().catch(() => undefined);
      await Promise.all([this.#supervisor, this.#sweeper]);
      await this.#pool.end();
    };
    // A server that does not answer must not hold the process.
    await Promise.race([stopped(), delay(STOP_MS, undefined, { ref: false })]);
  }

  async #supervise(): Promise<void> {
    const { log } = this.#options;
    while (!this.#ending.signal.aborted) {
      try {
        this.#tasksTable = await this.#findTasksTable();
        const runner = await this.#startRunner();
        this.#runner = runner;
        if (this.#ending.signal.aborted) await runner.stop();
        await runner.promise;
        if (!this.#ending.signal.aborted) log.warn('background tasks stopped');
      } catch (error) {
        if (!this.#ending.signal.aborted) log.warn({ error }, 'background tasks do not run: trying again shortly');
      }
      this.#runner = undefined;
      // What they left locked is freed.
      this.#workers.clear();
      await pause(RESTART_PAUSE, this.#ending.signal);
    }
  }

  #startRunner(): Promise<Runner> {
    const { tasks, concurrency, log } = this.#options;
    const events = new EventEmitter() as WorkerEvents;
    nameConnections(events, this.#workers);
    onRepeatedFailure(events, FAILURES * concurrency, (error) => this.#restart('tasks could not be taken', error));
    return run({
      pgPool: this.#pool,
      schema: TASKS_SCHEMA,
      concurrency,
      noHandleSignals: true,
      events,
      logger: libraryLog(log),
      // Without a batch, a failure to record the end of a task would be an unhandled rejection.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      taskList: Object.fromEntries(
        tasks.map((one) => [one.name, (payload, helpers) => this.#run(one, payload as TaskPayload, helpers)]),
      ),
    });
  }

  /** Ends the runner, which the supervisor then replaces. Waits for running tasks. */
  async #restart(reason: string, error?: unknown): Promise<void> {
    const runner = this.#runner;
    this.#runner = undefined;
    if (!runner) return;
    this.#options.log.warn({ reason, error }, 'background tasks are started again');
    await runner.stop().catch(() => undefined);
  }

  async #findTasksTable(): Promise<string | undefined> {
    const { rows } = await this.#pool.query<{ id: string | null }>(TASKS_TABLE);
    return rows[0]?.id ?? undefined;
  }

  async #run(task: Task, payload: TaskPayload, { job }: JobHelpers): Promise<void> {
    const { metrics, registry } = this.#options;
    // The library knows tasks by ids, which may be others since it read them.
    if (payload.task !== task.name) throw new Error(`this is the task ${payload.task}, not ${task.name}`);
    const log = this.#options.log.child({ task: task.name, taskId: job.id, requestId: payload.requestId });
    const finished = metrics.start(task.name);
    let hospital: Hospital | undefined;
    try {
      hospital = await registry.byPrefix(prefixOfRole(payload.role));
      if (hospital?.id !== payload.hospital) {
        log.info({ role: payload.role }, 'task dropped: its hospital is gone');
        return;
      }
      if (hospital.state !== 'Active') return await this.#postpone(job.id, hospital.state, log);
      await this.#attempt(task, payload, hospital, log);
      finished('ok');
    } catch (error) {
      if (error instanceof Postponed) throw error;
      if (hospital && isRoleRefused(error)) {
        // Suspended or removed a moment ago.
        registry.forget(hospital);
        await this.#postpone(job.id, 'Suspended', log);
      }
      if (isOutage(error)) await this.#pool.query(OUTAGE, [job.id]);
      if (error instanceof NotYet) await this.#pool.query(SOON, [job.id]);
      const last = job.attempts >= job.max_attempts;
      finished(last ? 'failed' : 'retried');
      log[last ? 'error' : 'warn']({ error, attempt: job.attempts }, last ? 'task failed' : 'task is retried later');
      throw error;
    }
  }

  async #attempt(task: Task, payload: TaskPayload, hospital: Hospital, log: Logger): Promise<void> {
    const { environment } = this.#options;
    const input = task.input.parse(payload.input);
    const context: TaskContext = {
      hospital,
      log,
      signal: this.#ending.signal,
      inTransaction: (work) => workFor(environment, hospital, task.name, work),
    };
    const prepared = await task.prepare(context, input);
    await workFor(environment, hospital, task.name, async (work) => {
      if (await completeTask(work.trx, payload.id)) await task.run(work, input, prepared);
    });
  }

  /** Lets the task run later, with all its attempts. @throws Postponed, which tells the library to keep the task. */
  async #postpone(id: string, state: Hospital['state'], log: Logger): Promise<never> {
    log.info({ state }, 'task postponed: its hospital is not open');
    await this.#pool.query(POSTPONE, [id]);
    throw new Postponed(`the hospital is ${state}`);
  }

  async #sweep(): Promise<void> {
    const { log, metrics, sweepInterval = SWEEP_INTERVAL } = this.#options;
    const names = this.#options.tasks.map(({ name }) => name);
    while (!this.#ending.signal.aborted) {
      await pause(sweepInterval, this.#ending.signal);
      if (this.#ending.signal.aborted) return;
      try {
        const { rowCount: freed } = await this.#pool.query(FREE, [names, [...this.#workers]]);
        if (freed) log.warn({ tasks: freed }, 'tasks of processes that ended are retried');
        // Somebody may have dropped the schema, and the operator or a backup restored it with other ids.
        if (this.#tasksTable !== (await this.#findTasksTable())) await this.#restart('the schema of the tasks is new');
        const { rows } = await this.#pool.query<TaskCount>(COUNTS, [names]);
        metrics.count(rows);
      } catch (error) {
        log.warn({ error }, 'could not look for tasks of processes that ended');
      }
    }
  }
}

/**
 * Frees the tasks of workers without a connection, except for this process's own. Each waits as after a failed attempt,
 * because it may be what ended its process. Roles see the names of their own connections only.
 */
const FREE = `
  UPDATE ${TASKS_SCHEMA}._private_jobs job
  SET locked_at = NULL, locked_by = NULL, run_at = now() + exp(least(attempts, 10)) * interval '1 second'
  FROM ${TASKS_SCHEMA}._private_tasks task
  WHERE task.id = job.task_id AND task.identifier = ANY ($1) AND locked_at < now() - interval '${NEW_LOCK}'
    AND NOT locked_by = ANY ($2)
    AND NOT EXISTS (SELECT FROM pg_stat_activity WHERE application_name = '${ALIVE}' || locked_by)`;

const TASKS_TABLE = `SELECT to_regclass('${TASKS_SCHEMA}._private_tasks')::oid::text AS id`;

/** The library frees the task, because its attempt ends with an error. */
const POSTPONE = `
  UPDATE ${TASKS_SCHEMA}._private_jobs SET attempts = 0, run_at = now() + interval '${POSTPONED}' WHERE id = $1`;

const OUTAGE = `
  UPDATE ${TASKS_SCHEMA}._private_jobs SET attempts = least(attempts, ${OUTAGE_ATTEMPTS})
  WHERE id = $1 AND attempts < max_attempts AND created_at > now() - interval '${LONGEST_OUTAGE}'`;

const SOON = `
  UPDATE ${TASKS_SCHEMA}._private_jobs SET attempts = least(attempts, ${EARLY_ATTEMPTS})
  WHERE id = $1 AND created_at > now() - interval '${LATE}'`;

const COUNTS = `
  SELECT name,
    count(job.id) FILTER (WHERE job.locked_at IS NULL AND job.attempts < job.max_attempts AND ${IS_PLANNED}) AS planned,
    count(job.id) FILTER (WHERE job.locked_at IS NOT NULL OR job.attempts < job.max_attempts AND NOT (${IS_PLANNED})) AS waiting,
    count(job.id) FILTER (WHERE job.locked_at IS NULL AND job.attempts >= job.max_attempts) AS failed
  FROM unnest($1::text[]) AS name
  LEFT JOIN ${TASKS_SCHEMA}._private_tasks task ON task.identifier = name
  LEFT JOIN ${TASKS_SCHEMA}._private_jobs job ON job.task_id = task.id
  GROUP BY name`;

/** An engine that the task needs is unavailable. */
function isOutage(error: unknown): boolean {
  return error instanceof StorageUnavailable || (error instanceof Problem && error.kind.status === 503);
}

/** The hospital is not open, so this attempt does not count. */
class Postponed extends Error {}

/**
 * Names the connection on which the library listens after its worker, which is the name in the tasks that it takes.
 * @param workers gets the name of each worker.
 */
function nameConnections(events: WorkerEvents, workers: Set<string>): void {
  events.on('pool:create', ({ workerPool }) => workers.add(workerPool.id));
  events.on('pool:listen:success', ({ workerPool, client }) => {
    // After the library's own statement. No parameter is possible in this one, and the library chose the id.
    client.once('drain', () => {
      client.query(`SET application_name TO '${ALIVE}${workerPool.id}'`).catch(() => undefined);
    });
  });
}

/**
 * Calls `restart` when the library could not take tasks for `limit` times in a row. It reads the ids of its tasks once,
 * and repeats an error of that until it is started again.
 */
function onRepeatedFailure(events: WorkerEvents, limit: number, restart: (error: unknown) => Promise<void>): void {
  let failures = 0;
  const succeed = () => {
    failures = 0;
  };
  events.on('worker:getJob:empty', succeed);
  events.on('job:start', succeed);
  events.on('worker:getJob:error', ({ error }) => {
    failures += 1;
    if (failures === limit) void restart(error);
  });
}

/** The library's errors. This module writes its own lines about tasks that failed. */
function libraryLog(log: Logger): LibraryLogger {
  return new LibraryLogger(() => (level, message) => {
    if (level === 'error') log[message.startsWith('Failed task') ? 'debug' : 'warn'](message);
  });
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal }).catch(() => undefined);
}
