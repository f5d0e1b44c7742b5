import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from 'pino';

/** A log whose lines wait for a moment before they are written. */
export interface BatchedLog {
  readonly log: Logger;
  /** Hands over the lines that wait. Call it before the process ends. */
  readonly flush: () => void;
}

/**
 * The gateway's log: lines of JSON on standard output, in the form of the modules' lines. The lines of 50 ms are written
 * together in the background, because a write for each request takes a tenth of the throughput. A killed process loses
 * them. If nobody reads the lines, some are dropped instead of filling the memory.
 */
export function createLog(level: string): BatchedLog {
  const lines = new Batch(destination({ dest: 1, sync: false, maxLength: MAX_UNWRITTEN_BYTES }));
  const log = pino(
    {
      level,
      base: { module: 'gateway' },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    lines,
  );
  return { log, flush: () => lines.flush() };
}

/**
 * Collects lines. The destination has a setting for that, but writes what is left at the end of the process again and
 * again where the reader has gone.
 */
class Batch implements DestinationStream {
  readonly #target: DestinationStream;
  #lines = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(target: DestinationStream) {
    this.#target = target;
  }

  write(line: string): void {
    this.#lines += line;
    if (this.#lines.length > BATCH_CHARACTERS) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), BATCH_MS);
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#lines === '') return;
    this.#target.write(this.#lines);
    this.#lines = '';
  }
}

const BATCH_MS = 50;
const BATCH_CHARACTERS = 64 * 1024;
const MAX_UNWRITTEN_BYTES = 16 * 1024 * 1024;
