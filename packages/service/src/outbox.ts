/** What a transaction adds at its end: audit events, background tasks and change notices. */
import type { Hospital, Transaction } from '@hms/database';
import { type AuditEvent, type AuditSource, writeAudit } from './audit/events.ts';
import { type ChangedRecord, sendChanges } from './changes/change.ts';
import { type AddedTask, addTasks } from './tasks/task.ts';
import type { Effects, TaskName, TaskOptions } from './work.ts';

export class Outbox implements Effects {
  readonly trx: Transaction;
  readonly #hospital: Hospital;
  #events: AuditEvent[] = [];
  #tasks: AddedTask[] = [];
  #changes: ChangedRecord[] = [];

  constructor(trx: Transaction, hospital: Hospital) {
    this.trx = trx;
    this.#hospital = hospital;
  }

  get isAudited(): boolean {
    return this.#events.length > 0;
  }

  audit(event: AuditEvent): void {
    this.#events.push(event);
  }

  addTask<Input>(task: TaskName<Input>, input: Input, options: TaskOptions = {}): void {
    this.#tasks.push({ ...options, task, input: task.input.parse(input) });
  }

  changed(record: string, id: string): void {
    this.#changes.push({ record, id });
  }

  /** After a refusal, which undid the work: what the person has read stays read. */
  refuse(refusal: AuditEvent): void {
    const reads = this.#events.filter(({ action }) => action === 'read' || action === 'list');
    this.#events = [...reads, refusal];
    this.#tasks = [];
    this.#changes = [];
  }

  /** Sends all of it to PostgreSQL. */
  async send(source: AuditSource): Promise<void> {
    await Promise.all([
      writeAudit(this.trx, this.#events, source),
      addTasks(this.trx, this.#hospital, this.#tasks, source.requestId),
      sendChanges(this.trx, this.#changes),
    ]);
  }
}
