/**
 * The audit log: who did what to which record, in the transaction that did it. Rows are only ever added. A chain that
 * every request extends would put all requests in a queue, so the rows are sealed a moment later.
 */
import type { Transaction } from '@hms/database';
import type { Caller } from '../caller.ts';

export const AUDIT_ACTIONS = [
  ...(['create', 'read', 'list', 'update', 'delete'] as const),
  // A warning that somebody has overruled with a reason.
  ...(['restore', 'transition', 'invite', 'refuse', 'overrule'] as const),
  // Keycloak reports these.
  ...(['login', 'login.failed', 'logout', 'impersonate', 'lock'] as const),
  ...(['impersonate.start', 'impersonate.end'] as const),
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export interface AuditEvent {
  readonly action: AuditAction;
  /** Table of the record, or the path of a refused request. */
  readonly record: string;
  readonly recordId?: string | undefined;
  /** The patient whose record it is. */
  readonly patientId?: string | undefined;
  /** Changed fields with their old and their new values. */
  readonly before?: object | undefined;
  readonly after?: object | undefined;
  /** Anything else, such as the search of a list, or the code of a refusal. */
  readonly details?: object | undefined;
  /** Whose event it is, if not the caller's, such as of a background task. */
  readonly caller?: AuditedCaller | undefined;
}

export type AuditedCaller = Pick<Caller, 'sub' | 'email' | 'roles' | 'impersonation'>;

/** Where a request came from. */
export interface AuditSource {
  readonly caller: Caller;
  readonly clientAddress: string | undefined;
  readonly requestId: string | undefined;
}

const COLUMNS = [
  ...['actor', 'actor_email', 'actor_roles', 'impersonator', 'impersonator_email', 'impersonation_id'],
  ...['action', 'record', 'record_id', 'patient_id'],
  ...['before', 'after', 'details', 'address', 'request_id'],
];

/** Adds the events to the hospital's log. */
export async function writeAudit(trx: Transaction, events: readonly AuditEvent[], source: AuditSource): Promise<void> {
  if (events.length === 0) return;
  const { clientAddress, requestId } = source;
  const values = events.flatMap((event) => {
    const { action, record, recordId, patientId, before, after, details, caller = source.caller } = event;
    const { sub, email, roles, impersonation } = caller;
    return [
      ...[sub, email, roles, impersonation?.actor, impersonation?.actorEmail, impersonation?.id],
      ...[action, record, recordId, patientId],
      ...[json(before), json(after), json(details), clientAddress, requestId],
    ];
  });
  await trx.query(insert(events.length), values);
}

function json(value: object | undefined): string | undefined {
  return value && JSON.stringify(value);
}

const inserts = new Map<number, string>();

function insert(rows: number): string {
  const known = inserts.get(rows);
  if (known !== undefined) return known;
  const row = (index: number) => COLUMNS.map((_, column) => `$${index * COLUMNS.length + column + 1}`).join(', ');
  const text = `INSERT INTO audit_events (${COLUMNS.join(', ')}) VALUES ${Array.from({ length: rows }, (_, index) => `(${row(index)})`).join(', ')}`;
  if (rows <= MOST_KEPT) inserts.set(rows, text);
  return text;
}

/** Statements with more rows are rare. */
const MOST_KEPT = 20;

/** Whether the log says already that an impersonation has ended. */
export async function isEndRecorded(trx: Transaction, impersonationId: string): Promise<boolean> {
  const text = "SELECT FROM audit_events WHERE impersonation_id = $1 AND action = 'impersonate.end'";
  return (await trx.query(text, [impersonationId])).length > 0;
}
