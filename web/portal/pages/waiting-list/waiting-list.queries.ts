/** What the pages of the waiting list read. */
import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, envelopeOf, type Schemas } from '../../../kit/api/api.ts';
import { type ListSearch, listQuery } from '../../../kit/lists/list-search.ts';

export type WaitingEntry = Schemas['ShownWaitingListEntry'];

export const waitingKey = 'waiting-list';

/** In the order in which they are offered what becomes free. */
export function readWaiting(search: ListSearch, isOpen: boolean, signal: AbortSignal) {
  const query = { ...listQuery(search), isOpen: isOpen ? ('true' as const) : ('false' as const) };
  return envelopeOf(api.GET('/api/queue/waiting-list', { params: { query }, signal }));
}

export function waitingEntryQuery(id: string) {
  return queryOptions({
    queryKey: [waitingKey, id],
    queryFn: ({ signal }) => dataOf(api.GET('/api/queue/waiting-list/{id}', { params: { path: { id } }, signal })),
    // A booking needs the version of now.
    staleTime: 0,
  });
}
