/** Whether a process that runs still answers. */
import { setTimeout as delay } from 'node:timers/promises';

/** Questions in a row without an answer after which a process counts as hanging. */
export const MOST_UNANSWERED = 4;
/** Milliseconds that a timer of our own may be late before it says more about this machine than about the process. */
const LATE_MS = 1_000;

export interface SilenceOptions {
  /** Whether the process answers, whatever it says. A rejection is a no. */
  ask(signal: AbortSignal): Promise<boolean>;
  /** Milliseconds between two questions, and at most for an answer. */
  readonly every: number;
  /** Told of each question without an answer. @param inRow how many there were by now. */
  unanswered(inRow: number): void;
  /** Ends the questions. */
  readonly signal: AbortSignal;
}

/** Asks again and again. @returns true when the process hangs, false when `signal` came first. */
export async function fellSilent({ ask, every, unanswered, signal }: SilenceOptions): Promise<boolean> {
  let inRow = 0;
  for (;;) {
    await delay(every, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return false;
    const asked = performance.now();
    const answered = await ask(AbortSignal.any([signal, AbortSignal.timeout(every)])).catch(() => false);
    if (signal.aborted) return false;
    const heldUp = performance.now() - asked > every + LATE_MS;
    if (answered) inRow = 0;
    else if (!heldUp) {
      inRow += 1;
      unanswered(inRow);
      if (inRow >= MOST_UNANSWERED) return true;
    }
  }
}
