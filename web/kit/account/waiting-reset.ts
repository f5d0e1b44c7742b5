/** What waits for the code of a new password, in this tab. */
import type { Challenge } from '../session/session.ts';

/** A code that was sent. A reload of the page keeps it: without the code, the challenge is of no use to anybody. */
export interface WaitingReset {
  readonly email: string;
  readonly challenge: Challenge;
  /** In ms since 1970, by the clock of this browser. */
  readonly until: number;
}

const KEPT = 'hms-reset';

export function waitingReset(): WaitingReset | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? 'null') as WaitingReset | null;
    return kept && kept.until > Date.now() ? kept : undefined;
  } catch {
    return undefined;
  }
}

export function keepReset(email: string, challenge: Challenge): WaitingReset {
  const waiting = { email, challenge, until: Date.now() + challenge.expiresIn * 1_000 };
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(waiting));
  } catch {
    // A browser without a storage starts again after a reload.
  }
  return waiting;
}

export function forgetReset(): void {
  try {
    sessionStorage.removeItem(KEPT);
  } catch {
    // Nothing was kept.
  }
}
