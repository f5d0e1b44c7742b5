/** A release replaces the files that a page may load later. Such a page is loaded again, unless something is typed in it. */
import { hasUnsaved } from '../forms/unsaved.ts';

const RELOADED = 'hms-reloaded';

export function reloadForNewBuild(): void {
  addEventListener('vite:preloadError', () => {
    if (hasUnsaved() || sessionStorage.getItem(RELOADED) === location.href) return;
    // Once for each address: a file that is missing for another reason must not cause a loop.
    sessionStorage.setItem(RELOADED, location.href);
    location.reload();
  });
}
