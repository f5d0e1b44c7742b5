import { fields, type ListQuery, listQuery, type Platform, type Route, route } from '@hms/service';
import type { Knex } from 'knex';
import { z } from 'zod';

const event = z
  .object({
    id: z.uuid(),
    at: z.iso.datetime(),
    actor: z.string().describe('Id of the user, or what Keycloak reports in its place'),
    actorEmail: z.string().nullable().describe('The address of the account at that time'),
    actorName: z.string().nullable().describe('The name of the account at that time'),
    action: z.string(),
    record: z.string(),
    recordId: z.uuid().nullable(),
    details: z.record(z.string(), z.unknown()),
    address: z.string().nullable().describe('Of the client'),
  })
  .meta({ id: 'ConsoleEvent' });

const query = listQuery({
  sort: ['at'],
  defaultSort: '-at',
  hasSearch: true,
  filters: { action: fields.line(40), actorEmail: fields.line(254), record: fields.line(60) },
});

const COLUMNS = {
  ...{ id: 'id', at: 'at', actor: 'actor', actorEmail: 'actor_email', actorName: 'actor_name' },
  ...{ action: 'action', record: 'record', recordId: 'record_id', details: 'details' },
  address: 'address',
};

export function auditRoute({ db }: Pick<Platform, 'db'>): Route {
  return route({
    method: 'GET',
    path: '/api/console/audit',
    operationId: 'listConsoleEvents',
    summary: 'What users of the platform did, latest first',
    description: 'Their logins are reported by Keycloak, and appear within seconds. A day starts at midnight UTC.',
    access: 'platform-audit.read',
    database: 'none',
    query,
    response: z.array(event),
    paged: true,
    handler: async (context) => {
      const { page, limit, sort } = context.query;
      const rows = matching(db, context.query);
      const [{ total = 0 } = {}] = await rows.clone().count<{ total: string }[]>({ total: '*' });
      const descending = sort[0]?.descending ?? true;
      const found: Row[] = await rows
        .select(COLUMNS)
        .orderBy([{ column: 'at', order: descending ? 'desc' : 'asc' }, { column: 'id' }])
        .limit(limit)
        .offset((page - 1) * limit);
      const data = found.map(({ at, ...row }) => ({ ...row, at: at.toISOString() }));
      return { data, meta: { page, limit, total: Number(total) } };
    },
  });
}

type Row = Omit<z.output<typeof event>, 'at'> & { readonly at: Date };

function matching(db: Knex, { filters, from, to, q }: z.output<typeof query>) {
  const rows = db.withSchema('platform').from('console_events');
  const { action, record, actorEmail } = filters;
  if (action !== undefined) rows.where({ action });
  if (record !== undefined) rows.where({ record });
  if (actorEmail !== undefined) rows.whereRaw('lower(actor_email) = lower(?)', [actorEmail]);
  if (q !== undefined) {
    const part = `%${q.replaceAll(/[\\%_]/g, '\\$&')}%`;
    rows.where((either) => either.whereILike('actor_email', part).orWhereILike('actor_name', part));
  }
  if (from) rows.where('at', '>=', momentOf(from));
  if (to) rows.where('at', '<', momentOf(to));
  return rows;
}

function momentOf(moment: NonNullable<ListQuery['from']>): string {
  return 'day' in moment ? `${moment.day}T00:00:00Z` : moment.instant;
}
