/**
 * Whether somebody of the platform acts as somebody of the hospital in this tab. Other tabs of the browser keep their own
 * sessions, so this is not in a cookie or in a storage that they share.
 */

import { start } from '../start.ts';

/** Where the console leads to. */
const BEGINS = '/impersonation';
/** Where the tab ends up. Nothing of the hospital is in its memory any more. */
const OVER = '/impersonation-over';
const STORED = 'hms-acting';

const isPortal = start.entry === 'portal';

export const isActing = isPortal && location.pathname === BEGINS ? begin() : sessionStorage.getItem(STORED) !== null;
export const isOver = isPortal && location.pathname === OVER;

function begin(): boolean {
  sessionStorage.setItem(STORED, '1');
  history.replaceState(null, '', '/');
  return true;
}

/** Ends it for this tab, which loads a page that only says so. */
export function stopActing(): void {
  sessionStorage.removeItem(STORED);
  location.replace(OVER);
}
