/** Ends what runs once. Without a word about them, the first process of a container does not hear these signals. */

/** @returns a signal that is aborted, with what to say, when the process is asked to end. */
export function askedToEnd(): AbortSignal {
  const asked = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => asked.abort(new Error(`stopped by ${signal}`)));
  }
  return asked.signal;
}

/** For a process that may end anywhere, as it leaves nothing behind: it then ends at once, with 1. */
export function endWhenAsked(): void {
  const asked = askedToEnd();
  asked.addEventListener('abort', () => {
    process.stderr.write(`${asked.reason.message}\n`);
    process.exit(1);
  });
}
