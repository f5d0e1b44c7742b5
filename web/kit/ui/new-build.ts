/**
 * Parts of the pages that are loaded later. Without a network they are waited for, and the page stays as it is. A release
 * replaces their files: a page of an older build is loaded again, unless something is typed in it.
 */
import { hasUnsaved } from '../forms/unsaved.ts';
import { start } from '../start.ts';

const RELOADED = 'hms-reloaded';
const [FIRST_RETRY_MS, LAST_RETRY_MS] = [1_000, 15_000];

const waiting = new Set<object>();
const listeners = new Set<() => void>();

/** Whether some part of a page is waited for because the server can't be reached. */
export function isPartMissing(): boolean {
  return waiting.size > 0;
}

/** @returns what ends it. */
export function onMissingParts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Loads a part of a page, again and again for as long as the server can't be reached. */
export async function untilLoaded<Part>(load: () => Promise<Part>): Promise<Part> {
  const own = {};
  const note = (change: () => void) => {
    change();
    for (const listener of [...listeners]) listener();
  };
  try {
    let reached = 0;
    for (let delay = FIRST_RETRY_MS; ; delay = Math.min(delay * 2, LAST_RETRY_MS)) {
      try {
        return await load();
      } catch (error) {
        const build = await currentBuild();
        if (build !== undefined && build !== start.build) reload();
        // The network may have come back since the part was asked for.
        if (build !== undefined && ++reached > 1) throw error;
        note(() => waiting.add(own));
        await networkOr(delay);
      }
    }
  } finally {
    note(() => waiting.delete(own));
  }
}

/** @returns undefined if the server can't be reached. */
async function currentBuild(): Promise<string | undefined> {
  try {
    const answer = await fetch('/version.json', { cache: 'no-store' });
    return answer.ok ? ((await answer.json()) as { readonly build: string }).build : undefined;
  } catch {
    return undefined;
  }
}

/** Once for each address: a file that is missing for another reason must not cause a loop. */
function reload(): void {
  if (hasUnsaved() || sessionStorage.getItem(RELOADED) === location.href) return;
  sessionStorage.setItem(RELOADED, location.href);
  location.reload();
}

/** Ends when the network is back, or after some milliseconds. */
function networkOr(delay: number): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer);
      removeEventListener('online', go);
      resolve();
    };
    const timer = setTimeout(go, delay);
    addEventListener('online', go);
  });
}
