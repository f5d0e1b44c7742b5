import { setTimeout as sleep } from 'node:timers/promises';

export interface WhileAliveOptions {
  /** Pings the server. Must have its own timeout. @throws if there is no answer. */
  readonly ping: () => Promise<void>;
  /** The time before the first ping and between two pings. */
  readonly everyMs: number;
}

/** A single failed ping may come from a busy server. */
const MOST_UNANSWERED = 2;

/**
 * Runs long work on a server that may stop answering midway.
 * @param work checks `isAborted` before it commits, because it may still run after this has ended.
 * @throws the error of the last ping after two failed pings in a row.
 */
export async function whileAlive<T>(
  { ping, everyMs }: WhileAliveOptions,
  work: (isAborted: () => boolean) => Promise<T>,
): Promise<T> {
  const end = new AbortController();
  let isAborted = false;
  const done = work(() => isAborted);
  done.catch(() => undefined);
  try {
    return await Promise.race([done, silence(ping, everyMs, end.signal)]);
  } finally {
    isAborted = true;
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
