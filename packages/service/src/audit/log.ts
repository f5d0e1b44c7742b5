/** Reads the audit log: pages for people, and the whole of it as CSV. Each look at the log is in the log, too. */
import { build } from '@hms/database';
import type { Knex } from 'knex';
import { z } from 'zod';
import { BYTE_ORDER_MARK, csvLines } from '../csv.ts';
import { type ErrorKind, Problem } from '../errors.ts';
import * as fields from '../fields.ts';
import { type Moment, pageParameters, periodParameters, readPage, restrictTime } from '../lists.ts';
import { queryBoolean } from '../records/traits.ts';
import type { DataReply, RequestContext } from '../route.ts';
import type { Work } from '../work.ts';
import { AUDIT_ACTIONS } from './events.ts';

const event = z
  .object({
    seq: z.int().describe('Number of the event. A number can be missing where a transaction was undone'),
    position: z.int().nullable().describe('Position in the chain that reveals changes. Null for about a second'),
    at: fields.timestamp.describe('When it happened. Keycloak reports later: details.recordedAt'),
    actor: z.string().describe('Id of the account, or task: and the name of a background task'),
    actorEmail: z.string().nullable().describe('The address of the account at that time'),
    actorRoles: z.array(z.string()),
    impersonator: z.string().nullable().describe('Id of the account of the platform that acted as the actor'),
    impersonatorEmail: z.string().nullable(),
    impersonationId: z.uuid().nullable().describe('The impersonation with its reason'),
    action: z.string(),
    record: z
      .string()
      .describe('Table of the record, or the path of a refused request. Keycloak reports accounts and realm'),
    recordId: z.uuid().nullable(),
    patientId: z.uuid().nullable().describe('The patient whose record it is'),
    before: z.unknown().describe('Changed fields with their former values'),
    after: z.unknown().describe('Changed fields with their new values'),
    details: z.unknown().describe('Anything else, such as the search of a list and the ids that it showed'),
    address: z.string().nullable(),
    requestId: z.uuid().nullable(),
  })
  .meta({ id: 'AuditEvent' });
type LoggedEvent = z.output<typeof event>;

const shownEvent = event
  .extend({
    actorName: z.string().nullable().describe('The name of the person whose account it is, as it is now'),
    patientCode: z.string().nullable().describe('The number of the patient whose record it is'),
    impersonatorName: z.string().nullable().describe('The name of whoever acted as the actor'),
  })
  .meta({ id: 'ShownAuditEvent' });
export type ShownEvent = z.output<typeof shownEvent>;

export const auditEvents = z.array(shownEvent);

/** What to call whom an event is about. */
export interface Naming {
  /** The names of the employees who have these accounts, by account. */
  readonly accounts: NamesOf;
  /** The numbers of patients, deleted ones included, by id. */
  readonly patients: NamesOf;
}
type NamesOf = (work: Work, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

const filters = {
  actor: fields.line(100).optional(),
  actorEmail: fields.line(254).optional(),
  impersonatorEmail: fields.line(254).optional(),
  impersonationId: fields.id.optional(),
  action: z.enum(AUDIT_ACTIONS).optional(),
  record: fields.line(200).optional(),
  recordId: fields.id.optional(),
  patientId: fields.id.optional().describe('Also lists that showed the patient'),
};
type Filters = { readonly [Name in keyof typeof filters]?: z.output<(typeof filters)[Name]> };

interface Period {
  readonly from?: Moment | undefined;
  readonly to?: Moment | undefined;
}

interface Page extends Period {
  readonly page: number;
  readonly limit: number;
}

const period = periodParameters('Happened');
export const accessQuery = z.object({ ...pageParameters(), ...period });
export const auditQuery = accessQuery.extend(filters);
export const exportQuery = z.object({
  ...period,
  ...filters,
  bom: queryBoolean()
    .optional()
    .describe('Whether the file begins with a byte order mark, without which some spreadsheets misread names'),
});

/** `meta.total` counts no further, because a log of years has millions of events. */
const COUNTED = 10_000;
const EXPORT_BATCH = 250;
/** A slow client keeps a batch in memory, and an event can have many kilobytes. */
const EXPORTS = { hospital: 2, all: 10 };

export const TOO_MANY_EXPORTS: ErrorKind = {
  status: 429,
  code: 'TOO_MANY_EXPORTS',
  message: 'Too many exports run at the same time: wait until one has ended, then retry',
  retryAfter: 30,
};

/** One page of events, latest first. */
export async function readAudit(
  work: Work,
  { page, limit, from, to, ...filters }: Page & Filters,
  naming: Naming,
): Promise<DataReply<ShownEvent[]>> {
  work.audit({ action: 'list', record: 'audit_events', details: { from, to, filters } });
  return withSince(work, await pageOf(work, selected(filters), { page, limit, from, to }, naming));
}

/**
 * Who has seen or changed a patient's record, latest first.
 * @param samePerson ids of the patient and of all who were merged with it.
 */
export async function readAccess(
  work: Work,
  patientId: string,
  samePerson: readonly string[],
  page: Page,
  naming: Naming,
): Promise<DataReply<ShownEvent[]>> {
  work.audit({ action: 'list', record: 'audit_events', patientId });
  return withSince(work, await pageOf(work, selected({}, samePerson), page, naming));
}

/** Header with the time from which on the log has all events: older ones were removed. */
const AUDIT_SINCE = 'Audit-Since';

async function withSince({ trx }: Pick<Work, 'trx'>, reply: DataReply<ShownEvent[]>): Promise<DataReply<ShownEvent[]>> {
  return { ...reply, headers: await sinceHeader(trx) };
}

/** The header, if there are events. */
export async function sinceHeader(trx: Work['trx']): Promise<Readonly<Record<string, string>>> {
  const [row] = await trx.query<{ since: Date | null }>(SINCE);
  return row?.since ? { [AUDIT_SINCE]: row.since.toISOString() } : {};
}

const SINCE = `
  SELECT coalesce(
    (SELECT before FROM audit_summaries ORDER BY last_position DESC LIMIT 1),
    (SELECT at FROM audit_events ORDER BY seq LIMIT 1)) AS since`;

/** Hospitals whose exports run in this process, once for each export. */
const exporting: string[] = [];

/**
 * The events as CSV, oldest first, up to those of this moment. Each batch is a transaction of its own, so that a slow
 * client holds none.
 * @throws Problem TOO_MANY_EXPORTS before the first piece.
 */
export function exportAudit(context: ExportContext, query: Export): AsyncIterable<string> {
  const { id } = context.hospital;
  refuseTooMany(id);
  return counted(id, rowsOf(context, query));
}

function refuseTooMany(id: string): void {
  if (exporting.length >= EXPORTS.all || exporting.filter((one) => one === id).length >= EXPORTS.hospital)
    throw new Problem(TOO_MANY_EXPORTS);
}

/** Counts an export from its first piece until it ends, or its client leaves. */
async function* counted(id: string, rows: AsyncIterable<string>): AsyncIterable<string> {
  // Others may have begun since the check: this one breaks off.
  refuseTooMany(id);
  exporting.push(id);
  try {
    yield* rows;
  } finally {
    exporting.splice(exporting.indexOf(id), 1);
  }
}

type Export = Period & Filters & { readonly bom?: boolean | undefined };
type ExportContext = Pick<RequestContext, 'inTransaction' | 'hospital'>;

async function* rowsOf(
  { inTransaction, hospital }: ExportContext,
  { from, to, bom = false, ...filters }: Export,
): AsyncIterable<string> {
  yield (bom ? BYTE_ORDER_MARK : '') + csvLines([COLUMNS.map(([field]) => field)]);
  let last: Cursor | undefined;
  const until = await inTransaction(async ({ trx, audit }) => {
    audit({ action: 'list', record: 'audit_events', details: { export: true, from, to, filters } });
    const [now] = await trx.query<{ cursor: string }>('SELECT clock_timestamp()::text AS cursor');
    return now?.cursor ?? 'infinity';
  });
  for (;;) {
    const rows = await inTransaction(({ trx }) => {
      const query = selected(filters)
        .select({ cursor: build.raw('e.at::text') })
        .where('e.at', '<=', until)
        .orderBy(['e.at', 'e.seq'])
        .limit(EXPORT_BATCH);
      restrictTime(query, 'e.at', { from, to }, hospital.timezone);
      if (last) query.whereRaw('(e.at, e.seq) > (?::timestamptz, ?)', [last.cursor, last.seq]);
      return trx.run<Row & Cursor>(query);
    });
    if (rows.length > 0) yield csvLines(rows.map((row) => COLUMNS.map(([, column]) => cell(row[column]))));
    last = rows.at(-1);
    if (rows.length < EXPORT_BATCH) return;
  }
}

const COLUMNS = [
  ['position', 'position'],
  ['seq', 'seq'],
  ['at', 'at'],
  ['actor', 'actor'],
  ['actorEmail', 'actor_email'],
  ['actorRoles', 'actor_roles'],
  ['impersonator', 'impersonator'],
  ['impersonatorEmail', 'impersonator_email'],
  ['impersonationId', 'impersonation_id'],
  ['action', 'action'],
  ['record', 'record'],
  ['recordId', 'record_id'],
  ['patientId', 'patient_id'],
  ['before', 'before'],
  ['after', 'after'],
  ['details', 'details'],
  ['address', 'address'],
  ['requestId', 'request_id'],
] as const;

/** An event as it is stored. */
type Row = Readonly<Record<(typeof COLUMNS)[number][1], unknown>> & { readonly at: Date; readonly seq: number };

interface Cursor {
  readonly seq: number;
  /** `at` with microseconds, which a Date has not. */
  readonly cursor: string;
}

function selected(
  { patientId, actorEmail, impersonatorEmail, ...others }: Filters,
  patientIds: readonly string[] = patientId === undefined ? [] : [patientId],
): Knex.QueryBuilder {
  // Keycloak stores addresses in lower case.
  const exact: Filters = {
    ...others,
    actorEmail: actorEmail?.toLowerCase(),
    impersonatorEmail: impersonatorEmail?.toLowerCase(),
  };
  const columns = COLUMNS.map(([, column]) => (column === 'position' ? 'c.position' : `e.${column}`));
  const events: Knex.QueryBuilder = patientIds.length === 0 ? build.from('audit_events as e') : ofPatients(patientIds);
  const rows = events.leftJoin('audit_chain as c', 'c.event_seq', 'e.seq').select(columns);
  for (const [field, column] of COLUMNS) {
    const value = exact[field as keyof typeof exact];
    if (value !== undefined) rows.where(`e.${column}`, value);
  }
  return rows;
}

/** PostgreSQL would otherwise search the whole log by time for the latest events of the patients. */
function ofPatients(ids: readonly string[]): Knex.QueryBuilder {
  const events = build.from('audit_events').select('*').whereIn('patient_id', ids);
  for (const id of ids) events.orWhereRaw(`(action = 'list' AND details -> 'ids' @> jsonb_build_array(?::text))`, [id]);
  return build.withMaterialized('e', events).from('e');
}

async function pageOf(
  work: Work,
  rows: Knex.QueryBuilder,
  { page, limit, from, to }: Page,
  naming: Naming,
): Promise<DataReply<ShownEvent[]>> {
  const query = { page, limit, from, to, sort: [{ field: 'at', descending: true }], q: undefined, byMatch: false };
  const columns = { sort: { at: 'e.at' }, time: 'e.at', id: 'e.seq', countUpTo: COUNTED };
  const found = await readPage<Row>(work, rows, query, columns);
  const events = found.rows.map((row) =>
    Object.fromEntries(COLUMNS.map(([field, column]) => [field, column === 'at' ? row.at.toISOString() : row[column]])),
  ) as LoggedEvent[];
  const [names, codes] = await Promise.all([
    naming.accounts(work, [...new Set(events.map(({ actor }) => actor))]),
    naming.patients(work, [...new Set(events.flatMap(({ patientId }) => patientId ?? []))]),
  ]);
  const data = events.map((one) => ({
    ...one,
    actorName: names.get(one.actor) ?? null,
    impersonatorName: null,
    patientCode: codes.get(one.patientId ?? '') ?? null,
  }));
  return { data, meta: found.meta };
}

function cell(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}
