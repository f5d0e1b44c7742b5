/**
 * Streams that a page follows, and lists that change while one looks at them. One tab of the browser reads the stream of
 * changes, and tells the others. What a page shows stays as it is while the stream is interrupted.
 */
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import type { EventSourceMessage } from 'eventsource-parser';
import { useEffect } from 'react';
import { follow } from '../api/api.ts';
import { onSession, sessionState } from '../session/session.ts';

/** Lists are read again this often at most, in ms. */
const PAUSE = 2_000;
/** From when a list is read on the server until it is here, at the longest. */
const LONGEST_READ = 10_000;
const FIRST_RETRY = 1_000;
const LAST_RETRY = 60_000;

/** Reads the queries of a record again when it changes. @param path of its stream. Undefined: it has none @param key of the queries @param also another key, of what follows from it */
export function useChanges(path: string | undefined, key: string, also?: string): void {
  const queries = useQueryClient();
  useEffect(() => (path === undefined ? undefined : share(queries, path, key, also)), [queries, path, key, also]);
}

/** A stream that pages have in common. Without a page, it stays for a while. */
interface Followed {
  pages: number;
  readonly end: () => void;
  ending?: ReturnType<typeof setTimeout>;
}

/** Whoever looks up one record after the other comes back to a page with the same stream: each one would be a request. */
const LINGER = 20_000;
const followed = new Map<string, Followed>();
onSession(() => {
  if (sessionState().kind !== 'in') endUnused();
});

/** @returns what ends it for the page. */
function share(queries: QueryClient, path: string, key: string, also: string | undefined): () => void {
  const name = [path, key, also].join(' ');
  const own = followed.get(name) ?? { pages: 0, end: begin(queries, path, key, also) };
  followed.set(name, own);
  own.pages += 1;
  // A browser has few connections to a server.
  endUnused();
  return () => {
    own.pages -= 1;
    clearTimeout(own.ending);
    own.ending = setTimeout(endUnused, LINGER);
  };
}

function endUnused(): void {
  for (const [name, { pages, end, ending }] of followed) {
    if (pages > 0) continue;
    clearTimeout(ending);
    followed.delete(name);
    end();
  }
}

/** @returns what ends it. */
function begin(queries: QueryClient, path: string, key: string, also: string | undefined): () => void {
  const stop = new AbortController();
  const channel = new BroadcastChannel(`hms-changes-${key}`);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const changed = () => {
    timer ??= setTimeout(
      () => {
        timer = undefined;
        void queries.invalidateQueries({ queryKey: [key] });
        if (also) void queries.invalidateQueries({ queryKey: [also] });
      },
      PAUSE * (0.5 + Math.random() / 2),
    );
  };
  channel.onmessage = changed;
  const tell = () => {
    changed();
    channel.postMessage(null);
  };
  const cache = queries.getQueryCache();
  const onPage = () =>
    [key, ...(also ? [also] : [])].flatMap((one) => cache.findAll({ queryKey: [one], type: 'active' }));
  /** Whether something on the page may be from before a time, in ms since 1970. */
  const isOld = (since: number) =>
    onPage().some(({ state }) => (state.fetchStatus === 'fetching' ? Date.now() : state.dataUpdatedAt) < since);
  const read = () =>
    followForEver(path, stop.signal, ({ event, data }) => {
      // A list that was read since the last change is not read again.
      if (event !== 'reset' || isOld(Date.now() - quietIn(data) + LONGEST_READ)) tell();
    });
  const name = `hms-changes-${key}`;
  navigator.locks
    .request(name, { ifAvailable: true }, async (lock) => {
      if (lock) return read();
      // Another tab listens. What this page shows may be from before it did.
      changed();
      return undefined;
    })
    .then(() => navigator.locks.request(name, { signal: stop.signal }, read))
    .catch(() => undefined);
  return () => {
    stop.abort();
    clearTimeout(timer);
    channel.close();
  };
}

/** Opens the stream again whenever it ends, until the signal aborts. @param path of the stream */
export async function followForEver(
  path: string,
  signal: AbortSignal,
  onEvent: (event: EventSourceMessage) => void,
): Promise<void> {
  let delay = FIRST_RETRY;
  while (!signal.aborted) {
    try {
      // A page can be used before it is loaded.
      const { readEvents } = await import('./event-stream.ts');
      await readEvents(
        (silent) => follow(path, silent),
        signal,
        (event) => {
          delay = FIRST_RETRY;
          onEvent(event);
        },
      );
    } catch {
      // Opened again below.
    }
    await new Promise((resolve) => setTimeout(resolve, delay * Math.random()));
    delay = Math.min(delay * 2, LAST_RETRY);
  }
}

/** For how long nothing has changed, as the server says. */
function quietIn(data: string): number {
  try {
    return Number((JSON.parse(data) as { readonly quietMs?: number }).quietMs ?? 0);
  } catch {
    return 0;
  }
}
