/**
 * A background task: mail, a PDF, an expiry. It is declared once, added by a transaction, and runs after its commit in a
 * process of the module that declares it.
 */
import type { Hospital, Transaction } from '@hms/database';
import type { Logger } from 'pino';
import type { z } from 'zod';
import { newId } from '../ids.ts';
import type { TaskName, TaskOptions, Work } from '../work.ts';

/** The part of a task that may be repeated. */
export interface TaskContext {
  readonly hospital: Hospital;
  readonly log: Logger;
  /** Aborts when the process stops. */
  readonly signal: AbortSignal;
  /** Runs `work` in a transaction of the hospital. */
  inTransaction<T>(work: (work: Work) => Promise<T>): Promise<T>;
}

interface TaskSpec<Input extends z.ZodType, Prepared> {
  /** Unique on the platform, for example `patient-summary`. */
  readonly name: string;
  /** Ids and choices, never data about a person: administrators see it, and it outlives a deletion. */
  readonly input: Input;
  /** How often it is tried, with growing pauses, before it counts as failed. Default 16, over about two days. */
  readonly attempts?: number;
  /**
   * Slow work and effects outside of PostgreSQL. It runs again after a crash, so each effect has to be one that may be
   * repeated: an object with a fixed key, a mail with a fixed id.
   */
  prepare?(context: TaskContext, input: z.output<Input>): Promise<Prepared>;
  /**
   * The effect in PostgreSQL, in one transaction that also records the task as completed. It takes place once, whatever
   * happens to the process.
   */
  run(work: Work, input: z.output<Input>, prepared: Prepared): Promise<void>;
}

/** A declared task. */
export interface Task<Input = unknown> extends TaskName<Input> {
  prepare(context: TaskContext, input: Input): Promise<unknown>;
  run(work: Work, input: Input, prepared: unknown): Promise<void>;
}

const DEFAULT_ATTEMPTS = 16;

/** Declares a task. */
export function task<Input extends z.ZodType, Prepared = undefined>(
  spec: TaskSpec<Input, Prepared>,
): Task<z.output<Input>> {
  const { name, input, attempts = DEFAULT_ATTEMPTS, prepare } = spec;
  return {
    name,
    input: input as z.ZodType<z.output<Input>>,
    attempts,
    prepare: async (context, value) => prepare?.(context, value),
    run: (work, value, prepared) => spec.run(work, value, prepared as Prepared),
  };
}

/**
 * Thrown by a task that needs something which another process is about to create. It is tried again every few seconds, for
 * some minutes.
 */
export class NotYet extends Error {}

/** A task that a transaction adds. */
export interface AddedTask extends TaskOptions {
  readonly task: Omit<TaskName, 'input'>;
  readonly input: unknown;
}

/** What the queue stores. @see `add_task` in migration 006 of the platform's schema */
export interface TaskPayload {
  readonly task: string;
  /** The hospital's role in PostgreSQL, which added it. */
  readonly role: string;
  /** Id of the hospital. A later hospital may have the same role. */
  readonly hospital: string;
  readonly id: string;
  readonly input: unknown;
  readonly requestId: string | null;
}

/** Adds tasks to the queue, as part of the transaction. */
export async function addTasks(
  trx: Transaction,
  hospital: Hospital,
  tasks: readonly AddedTask[],
  requestId: string | undefined,
): Promise<void> {
  await Promise.all(
    tasks.map(({ task: { name, attempts }, input, key, runAt }) =>
      trx.query(ADD, [name, newId(), hospital.id, JSON.stringify(input), requestId, key, runAt, attempts]),
    ),
  );
}

const ADD = 'SELECT platform.add_task($1, $2, $3, $4, $5, $6, $7, $8)';

/**
 * Records in a task's transaction that the task is completed. A few old records go with each new one.
 * @returns false if it was completed before. Waits for another transaction that is just completing it.
 */
export async function completeTask(trx: Transaction, id: string): Promise<boolean> {
  return (await trx.query(COMPLETE, [id])).length > 0;
}

const COMPLETE = `
  WITH old AS (
    DELETE FROM completed_tasks WHERE id IN (
      SELECT id FROM completed_tasks WHERE completed_at < now() - interval '14 days'
      ORDER BY completed_at LIMIT 5 FOR UPDATE SKIP LOCKED)
  )
  INSERT INTO completed_tasks (id) VALUES ($1) ON CONFLICT DO NOTHING RETURNING id`;
