/** The hospital's audit log, for its administrators. */
import { patientCodes } from '@hms/domain/patients';
import { namesOfAccounts } from '@hms/domain/people';
import {
  auditEvents,
  auditQuery,
  exportAudit,
  exportQuery,
  type RequestContext,
  type Route,
  readAudit,
  route,
  type ShownEvent,
  sinceHeader,
  TOO_MANY_EXPORTS,
} from '@hms/service';
import { z } from 'zod';
import { type Accounts, nameOf } from './accounts.ts';
import type { ImpersonationStore } from './impersonations/impersonations.repository.ts';

interface Dependencies {
  readonly accounts: Pick<Accounts, 'byId'>;
  readonly store: Pick<ImpersonationStore, 'namesOf'>;
}

export const auditRoutes = (dependencies: Dependencies): readonly Route[] => [
  route({
    method: 'GET',
    path: '/api/auth/audit',
    operationId: 'listAudit',
    summary: 'Who did what, latest first',
    description:
      'Each request is an event itself. meta.total counts up to 10,000. The header Audit-Since has the time before which events were removed, or of the first one.',
    access: 'audit.read',
    // Keycloak is asked for names after the transaction.
    database: 'none',
    query: auditQuery,
    response: auditEvents,
    paged: true,
    handler: async (context) => {
      const reply = await context.inTransaction((work) => readAudit(work, context.query, NAMING));
      return { ...reply, data: await withNames(dependencies, context, reply.data) };
    },
  }),
  route({
    method: 'GET',
    path: '/api/auth/audit/export',
    operationId: 'exportAudit',
    summary: 'The audit log as CSV, oldest first',
    description: 'Values that a spreadsheet would run as a formula begin with an apostrophe.',
    access: 'audit.read',
    // Each batch has a transaction of its own.
    database: 'none',
    query: exportQuery,
    response: z.string(),
    contentType: 'text/csv',
    errors: [TOO_MANY_EXPORTS],
    handler: async (context) => {
      const body = exportAudit(context, context.query);
      const since = await context.inTransaction(({ trx }) => sinceHeader(trx));
      const headers = { 'Content-Disposition': 'attachment; filename="audit.csv"', ...since };
      return { contentType: 'text/csv; charset=utf-8', headers, body };
    },
  }),
];

const NAMING = { accounts: namesOfAccounts, patients: patientCodes };

/** Names of accounts that are no employee's, and of people of the platform. Without Keycloak, some events have none. */
async function withNames(
  { accounts, store }: Dependencies,
  { hospital, log }: Pick<RequestContext, 'hospital' | 'log'>,
  events: readonly ShownEvent[],
): Promise<ShownEvent[]> {
  const others = [...new Set(events.flatMap(({ actor, actorName }) => (actorName === null ? actor : [])))];
  const impersonators = [...new Set(events.flatMap(({ impersonator }) => impersonator ?? []))];
  const named = async (id: string) => {
    const account = await accounts.byId(hospital.prefix, id).catch((error: unknown) => {
      log.warn({ err: error }, 'could not read the name of an account');
      return undefined;
    });
    return [id, account && nameOf(account)] as const;
  };
  const [names, ofPlatform] = await Promise.all([
    Promise.all(others.filter((id) => UUID.test(id)).map(named)),
    store.namesOf(impersonators),
  ]);
  const byId = new Map(names);
  return events.map((event) => ({
    ...event,
    actorName: event.actorName ?? byId.get(event.actor) ?? null,
    impersonatorName: ofPlatform.get(event.impersonator ?? '') ?? null,
  }));
}

/** What is no account of Keycloak has another form. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
