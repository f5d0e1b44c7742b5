/** What code may do in a transaction of a hospital, whoever started it: a request or a background task. */
import type { Hospital, Transaction } from '@hms/database';
import type { z } from 'zod';
import type { AuditEvent } from './audit/events.ts';
import type { Caller } from './caller.ts';
import { today as dayIn } from './fields.ts';
import type { Totals } from './totals.ts';

/** What adding a task needs to know of it. */
export interface TaskName<Input = unknown> {
  readonly name: string;
  readonly input: z.ZodType<Input>;
  /** How often it is tried before it counts as failed. */
  readonly attempts: number;
}

export interface TaskOptions {
  /**
   * While a task with this key waits for its first attempt, adding another one replaces it. The key belongs to the
   * hospital and the task. Default: none.
   */
  readonly key?: string;
  /** Default: now. */
  readonly runAt?: Date;
}

/** One transaction of one hospital, and on whose behalf it runs. Everything that reads or writes records takes it. */
export interface Work {
  readonly trx: Transaction;
  readonly hospital: Hospital;
  readonly caller: Caller;
  /** Of lists, as this process keeps them. */
  readonly totals: Totals;
  /** Adds an event to the hospital's audit log, in the same transaction. */
  audit(event: AuditEvent): void;
  /** Adds a background task, which runs after the transaction commits. */
  addTask<Input>(task: TaskName<Input>, input: Input, options?: TaskOptions): void;
  /** Tells live lists about a change of this record, once the transaction commits. @param record its table. */
  changed(record: string, id: string): void;
}

/** The day in the hospital's calendar, `YYYY-MM-DD`. */
export function today({ trx, hospital }: Pick<Work, 'trx' | 'hospital'>): string {
  return dayIn(hospital.timezone, trx.moment);
}

/** What a transaction offers besides its caller. */
export type Effects = Pick<Work, 'trx' | 'audit' | 'addTask' | 'changed'>;
