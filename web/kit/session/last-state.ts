/**
 * What a page shows is kept while its tab is loaded again without a network. It is in the storage of the tab only, from
 * the moment in which the page goes until the next one begins.
 */
import { type DehydratedState, dehydrate, hydrate, type QueryClient } from '@tanstack/react-query';
import { isPartMissing } from '../ui/new-build.ts';
import { isActing } from './acting.ts';
import { isUnanswered, LAST_STATE, type LastState, resume, sessionToKeep } from './session.ts';

/** From now on, the page keeps what it shows when it goes without a network. */
export function keepLastState(queries: QueryClient): void {
  addEventListener('pagehide', () => {
    const session = sessionToKeep();
    const isAnswered = queries
      .getQueryCache()
      .getAll()
      .every(({ state: { error } }) => !error || !isUnanswered(error));
    if (isActing || !session || (navigator.onLine && !isPartMissing() && isAnswered)) return;
    const shown = dehydrate(queries, {
      shouldDehydrateQuery: ({ state: { status, data } }) => status === 'success' && !isAddress(data),
    });
    try {
      sessionStorage.setItem(LAST_STATE, JSON.stringify({ ...session, shown }));
    } catch {
      // Too much for the storage: the next page begins with the login.
    }
  });
}

/** Addresses of files in memory, such as photos, go with the page. */
function isAddress(data: unknown): boolean {
  return typeof data === 'string' && data.startsWith('blob:');
}

/** Shows what the page before has kept. Nothing of it is kept any longer. */
export function showLastState(queries: QueryClient): void {
  const kept = sessionStorage.getItem(LAST_STATE);
  sessionStorage.removeItem(LAST_STATE);
  if (kept === null) return;
  const { shown, ...session } = JSON.parse(kept) as LastState & { readonly shown: DehydratedState };
  hydrate(queries, shown);
  resume(session);
}
