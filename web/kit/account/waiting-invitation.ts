/** The link of an invitation that was opened in this tab. */
import { forgetReset } from './waiting-reset.ts';

/** Where the link leads. */
export const INVITATION_PATH = '/invitation';

const KEPT = 'hms-invitation';
/** For a browser without a storage, which starts again after a reload. */
let opened: string | undefined;

/**
 * Takes the link from the address, where the history would keep it, and from then on from this tab.
 * @returns the part of the link behind #. Undefined if no link was opened in this tab.
 */
export function takeInvitation(): string | undefined {
  const inAddress = location.pathname === INVITATION_PATH ? location.hash.slice(1) : '';
  if (inAddress === '') return opened ?? kept();
  opened = inAddress;
  // A code that somebody else waits for in this tab, or a link of before.
  forgetReset();
  try {
    sessionStorage.setItem(KEPT, inAddress);
  } catch {
    // Nothing is kept.
  }
  history.replaceState(history.state, '', INVITATION_PATH);
  return inAddress;
}

export function forgetInvitation(): void {
  opened = undefined;
  try {
    sessionStorage.removeItem(KEPT);
  } catch {
    // Nothing was kept.
  }
}

function kept(): string | undefined {
  try {
    return sessionStorage.getItem(KEPT) ?? undefined;
  } catch {
    return undefined;
  }
}
