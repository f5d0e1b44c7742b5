/**
 * Boards as server-sent events, for displays and pages. A message has one board, and its id the revisions of all boards of
 * the stream, so that whoever comes back gets only those that have changed.
 */
import { CLINIC_NOT_FOUND } from '@hms/domain/clinics';
import { displayOf, displays } from '@hms/domain/displays';
import { notices } from '@hms/domain/notices';
import { board } from '@hms/domain/queue';
import { fields, Problem, type RequestContext, type Route, route, TOO_MANY_STREAMS, withTraits } from '@hms/service';
import { z } from 'zod';
import type { Boards } from './boards.ts';
import { BoardsBroadcast } from './broadcast.ts';

const MOST_CLINICS = 20;
const LONGEST_ID = 400;
const LONGEST_LIST = 4_000;
/** As a regular expression. */
const UUID = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';

const clinicIds = withTraits(
  z
    .string()
    .max(LONGEST_LIST)
    .transform((text) => [...new Set(text.toLowerCase().split(','))])
    .pipe(z.array(fields.id).min(1).max(MOST_CLINICS)),
  { accepts: { type: 'string', pattern: `^${UUID}(,${UUID})*$` } },
).describe('Ids of clinics, with commas between them');

const lastEventId = z
  .string()
  .max(LONGEST_ID)
  .optional()
  .describe('As the header `Last-Event-ID`, for clients that can’t send it');

const common = {
  method: 'GET',
  access: 'queue.follow',
  database: 'none',
  response: z.string().describe('Events, one after the other'),
  contentType: 'text/event-stream',
  errors: [CLINIC_NOT_FOUND, TOO_MANY_STREAMS],
} as const;
const MESSAGES =
  'Each message is a `QueueBoard`: first the boards as they are, then each one that has changed. The stream ends with the token, and names in `retry` after how many milliseconds to come back. With the last id in `Last-Event-ID`, nothing is sent again that has not changed.';

export function streamRoutes(boards: Boards): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/queue/:clinicId/board',
      operationId: 'readBoard',
      summary: 'Read the board of a clinic',
      description: 'As a message of the stream, for clients that can’t follow one.',
      access: 'queue.follow',
      database: 'none',
      params: z.object({ clinicId: fields.id }),
      response: board,
      errors: [CLINIC_NOT_FOUND],
      handler: async (context) => {
        const { clinicId } = context.params;
        await demandOwn(context, [clinicId]);
        const found = await boards.read(context.hospital, clinicId);
        if (!found) throw new Problem(CLINIC_NOT_FOUND);
        return { data: JSON.parse(found.json) };
      },
    }),
    route({
      ...common,
      path: '/api/queue/display',
      operationId: 'followQueues',
      summary: 'Follow the boards of several clinics',
      description: MESSAGES,
      query: z.object({ clinics: clinicIds, lastEventId }),
      handler: (context) => follow(context, boards, context.query.clinics, context.query.lastEventId),
    }),
    route({
      ...common,
      path: '/api/queue/:clinicId/stream',
      operationId: 'followQueue',
      summary: 'Follow the board of a clinic',
      description: MESSAGES,
      params: z.object({ clinicId: fields.id }),
      query: z.object({ lastEventId }),
      handler: (context) => follow(context, boards, [context.params.clinicId], context.query.lastEventId),
    }),
  ];
}

async function follow(context: RequestContext, boards: Boards, clinics: readonly string[], lastId?: string) {
  const display = await demandOwn(context, clinics);
  const body = await context.follow({
    name: `boards ${clinics.join()}`,
    broadcast: () => new BoardsBroadcast(boards, context.hospital, clinics),
    lastId: context.lastEventId ?? lastId,
    // A display is told at once what else it has to show.
    aside:
      display === undefined
        ? undefined
        : { event: 'display', records: [{ record: displays.table, id: display }, { record: notices.table }] },
  });
  return {
    contentType: 'text/event-stream; charset=utf-8',
    // For proxies that would collect the response.
    headers: { 'X-Accel-Buffering': 'no' },
    body,
  };
}

/**
 * A display sees the clinics that it was paired for.
 * @returns its id, if the caller is one.
 * @throws Problem CLINIC_NOT_FOUND
 */
async function demandOwn(context: RequestContext, clinics: readonly string[]): Promise<string | undefined> {
  const { caller } = context;
  if (!caller.roles.includes('DISPLAY')) return undefined;
  const { display } = await context.inTransaction((work) => displayOf(work, caller.sub));
  if (clinics.some((id) => !display.clinicIds.includes(id))) throw new Problem(CLINIC_NOT_FOUND);
  return display.id;
}
