/** What the pages of displays read. */
import { queryOptions } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, dataOf, envelopeOf, type Schemas } from '../../../kit/api/api.ts';
import { type ListSearch, listQuery } from '../../../kit/lists/list-search.ts';

export type Display = Schemas['Display'];

export const displayKeys = {
  all: 'displays',
  list: (search: ListSearch) => ['displays', 'list', search] as const,
  one: (id: string) => ['displays', id] as const,
};

export function readDisplays(search: ListSearch, signal: AbortSignal) {
  return envelopeOf(api.GET('/api/auth/displays', { params: { query: listQuery(search) }, signal }));
}

export function displayQuery(id: string) {
  return queryOptions({
    queryKey: displayKeys.one(id),
    queryFn: ({ signal }) => dataOf(api.GET('/api/auth/displays/{id}', { params: { path: { id } }, signal })),
  });
}

/** People are told that a display is there at each sign-in, every four minutes. Without a sign of it for longer, in ms, it is off or has no network. */
const SILENT = 6 * 60_000;
const TICK = 15_000;

export type DisplayState = 'settingUp' | 'on' | 'off' | 'never';

/** What is known about a display now. It changes without an event when the display falls silent. */
export function useDisplayState(): (display: Display) => DisplayState {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK);
    return () => clearInterval(timer);
  }, []);
  return ({ accountId, lastSeenAt }) => {
    if (accountId === null) return 'settingUp';
    if (lastSeenAt === null) return 'never';
    return now - Date.parse(lastSeenAt) < SILENT ? 'on' : 'off';
  };
}
