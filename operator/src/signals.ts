/** Stop signals of one-shot programs. Without a handler, the first process of a container ignores these signals. */

/** @returns a signal that is aborted when the process is stopped. Its reason is the message to print. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => controller.abort(new Error(`stopped by ${signal}`)));
  }
  return controller.signal;
}

/** For a process that may end anywhere because it leaves nothing behind: it ends immediately with 1. */
export function exitOnSignal(): void {
  const signal = stopSignal();
  signal.addEventListener('abort', () => {
    process.stderr.write(`${signal.reason.message}\n`);
    process.exit(1);
  });
}
