import { setTimeout as sleep } from 'node:timers/promises';

export interface WhileAliveOptions {
  /** Asks the server for a sign of life; must come to an end by itself. @throws while it gives none. */
  readonly ping: () => Promise<void>;
  /** Between the start and the first question, and between two of them. */
  readonly everyMs: number;
}

/** One question without an answer may be a server that is busy. */
const MOST_UNANSWERED = 2;

/**
 * Runs work that may take long on a server that may fall silent in the middle of it.
 * @param work asks `givenUp` before it makes anything lasting, as it may still run when this has ended.
 * @throws what the last ping threw, when the server gave no sign of life twice in a row.
 */
export async function whileAlive<T>(
  { ping, everyMs }: WhileAliveOptions,
  work: (givenUp: () => boolean) => Promise<T>,
): Promise<T> {
  const end = new AbortController();
  let givenUp = false;
  const done = work(() => givenUp);
  done.catch(() => undefined);
  try {
    return await Promise.race([done, silence(ping, everyMs, end.signal)]);
  } finally {
    givenUp = true;
    end.abort();
  }
}

async function silence(ping: () => Promise<void>, everyMs: number, signal: AbortSignal): Promise<never> {
  for (let unanswered = 0; ; ) {
    await sleep(everyMs, undefined, { signal });
    await ping().then(
      () => {
        unanswered = 0;
      },
      (error: unknown) => {
        unanswered += 1;
        if (unanswered >= MOST_UNANSWERED) throw error;
      },
    );
  }
}
