/** The backoff of restarts. */

const FIRST_MS = 500;
const LONGEST_MS = 30_000;
/** A run of this length resets the count. */
const STABLE_MS = 60_000;

export interface Deaths {
  /** Deaths in a row, each after a short run. */
  readonly inRow: number;
  /** Milliseconds to wait before the next start. */
  readonly delay: number;
}

export const NO_DEATHS: Deaths = { inRow: 0, delay: 0 };

/** @param ran milliseconds that the run lasted. */
export function afterDeath(before: Deaths, ran: number): Deaths {
  const inRow = ran >= STABLE_MS ? 1 : before.inRow + 1;
  return { inRow, delay: Math.min(FIRST_MS * 2 ** (inRow - 1), LONGEST_MS) };
}
