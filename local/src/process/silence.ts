/** Whether a running process still answers. */
import { setTimeout as delay } from 'node:timers/promises';

/** Unanswered probes in a row after which a process counts as hanging. */
export const MOST_UNANSWERED = 4;
/** Milliseconds that our own timer may be late. Beyond that, this machine is overloaded, not the process. */
const LATE_MS = 1_000;

export interface SilenceOptions {
  /** Whether the process answers, with any content. A rejection is a no. */
  ask(signal: AbortSignal): Promise<boolean>;
  /** Milliseconds between two probes, and timeout of each. */
  readonly every: number;
  /** Called for each unanswered probe. @param inRow how many there were in a row. */
  unanswered(inRow: number): void;
  /** Ends the probes. */
  readonly signal: AbortSignal;
}

/** Probes repeatedly. @returns true if the process hangs, false if `signal` was aborted first. */
export async function fellSilent({ ask, every, unanswered, signal }: SilenceOptions): Promise<boolean> {
  let inRow = 0;
  for (;;) {
    await delay(every, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return false;
    const probedAt = performance.now();
    const answered = await ask(AbortSignal.any([signal, AbortSignal.timeout(every)])).catch(() => false);
    if (signal.aborted) return false;
    const heldUp = performance.now() - probedAt > every + LATE_MS;
    if (answered) inRow = 0;
    else if (!heldUp) {
      inRow += 1;
      unanswered(inRow);
      if (inRow >= MOST_UNANSWERED) return true;
    }
  }
}
