/**
 * Boards as server-sent events, for displays and pages. A message has one board, and its id the revisions of all boards of
 * the stream, so that whoever comes back gets only those that have changed.
 */
import type { Hospital } from '@hms/database';
import { CLINIC_NOT_FOUND } from '@hms/domain/clinics';
import { displayOf } from '@hms/domain/displays';
import { BOARDS, board } from '@hms/domain/queue';
import {
  type Events,
  fields,
  type Notice,
  Problem,
  RESET,
  type RequestContext,
  type Route,
  route,
  TOO_MANY_STREAMS,
  withTraits,
} from '@hms/service';
import { z } from 'zod';
import type { Boards, SentBoard } from './boards.ts';

const MOST_CLINICS = 20;
const LONGEST_ID = 400;
/** As a regular expression. */
const UUID = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';

const clinicIds = withTraits(
  z
    .string()
    .max(MOST_CLINICS * 37)
    .transform((text) => [...new Set(text.split(','))])
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
  await demandOwn(context, clinics);
  // Before the stream begins, so that an unknown clinic is an error of the usual form.
  const found = await Promise.all(clinics.map((id) => boards.read(context.hospital, id)));
  if (found.some((board) => board === undefined)) throw new Problem(CLINIC_NOT_FOUND);
  const events = boardEvents(boards, context.hospital, clinics, context.lastEventId ?? lastId);
  return {
    contentType: 'text/event-stream; charset=utf-8',
    // For proxies that would collect the response.
    headers: { 'X-Accel-Buffering': 'no' },
    body: context.follow(BOARDS, events),
  };
}

/** A display sees the clinics that it was paired for. @throws Problem CLINIC_NOT_FOUND */
async function demandOwn(context: RequestContext, clinics: readonly string[]): Promise<void> {
  const { caller } = context;
  if (!caller.roles.includes('DISPLAY')) return;
  const { display } = await context.inTransaction((work) => displayOf(work, caller.sub));
  if (clinics.some((id) => !display.clinicIds.includes(id))) throw new Problem(CLINIC_NOT_FOUND);
}

/** The messages of a stream. @param lastId the last one that the client has had. */
function boardEvents(
  boards: Pick<Boards, 'read'>,
  hospital: Hospital,
  clinics: readonly string[],
  lastId: string | undefined,
): Events {
  const setAt = hospital.updatedAt?.getTime() ?? 0;
  const known = revisionsIn(lastId, clinics.length);
  const had = new Map(clinics.map((id, index) => [id, known[index]]));
  const messages = async (ids: readonly string[], isNew: (had: number | undefined, board: SentBoard) => boolean) => {
    const read = await Promise.all(ids.map(async (id) => ({ id, board: await boards.read(hospital, id) })));
    return read
      .map(({ id, board }) => {
        if (!board || !isNew(had.get(id), board)) return '';
        had.set(id, board.revision);
        return `id: ${clinics.map((one) => had.get(one) ?? NONE).join('.')}\ndata: ${board.json}\n\n`;
      })
      .join('');
  };
  return {
    // A revision that this hospital has not reached was of another one. A setting may concern what is shown.
    first: () => messages(clinics, (before, { revision, changedAt }) => before !== revision || changedAt < setAt),
    next: (notices: readonly Notice[]) => {
      const changed = new Set(notices.flatMap((notice) => (notice === RESET ? clinics : [notice.id])));
      return messages(
        clinics.filter((id) => changed.has(id)),
        (before, { revision }) => before === undefined || revision > before,
      );
    },
  };
}

/** In an id, for a board that was not sent yet. */
const NONE = '-';

/** The revisions in the id of a message, or none if it is of another stream. */
function revisionsIn(id: string | undefined, count: number): readonly (number | undefined)[] {
  const parts =
    id !== undefined && /^(\d{1,15}|-)(\.(\d{1,15}|-))*$/.test(id)
      ? id.split('.').map((part) => (part === NONE ? undefined : Number(part)))
      : [];
  return parts.length === count ? parts : [];
}
