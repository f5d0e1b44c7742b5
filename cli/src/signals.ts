/** How hmsctl ends when it is interrupted: immediately, with the exit code that a shell expects. */
import { EXIT, type ExitCode } from './exit.ts';

const CODES = { SIGINT: EXIT.interrupted, SIGTERM: EXIT.terminated, SIGHUP: EXIT.hungUp } as const;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
export type Signal = (typeof SIGNALS)[number];
type Handler = (signal: Signal) => void;

let current: Handler = exit;

/** Ends the process on a signal, unless a command handles it itself. */
export function exitOnSignals(): void {
  for (const signal of SIGNALS) process.on(signal, () => current(signal));
}

/** Runs the work with another handler. */
export async function handlingSignals<T>(handler: Handler, work: () => Promise<T>): Promise<T> {
  const before = current;
  current = handler;
  try {
    return await work();
  } finally {
    current = before;
  }
}

/** What a shell reports for a process that a signal ended: 128 and the signal's number. */
export function exitCodeOf(signal: Signal): ExitCode {
  return CODES[signal];
}

export function exit(signal: Signal): never {
  process.exit(exitCodeOf(signal));
}
