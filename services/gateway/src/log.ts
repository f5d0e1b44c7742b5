import { destination, type Logger, pino, stdTimeFunctions } from 'pino';

/**
 * The gateway's log: lines of JSON on standard output, in the form of the modules' lines. They are written in the
 * background, several at once while there are many; where nobody reads them, some are dropped instead of filling the
 * memory. None is held back: what is left at the end would be written again and again where the reader has gone.
 */
export function createLog(level: string): Logger {
  return pino(
    {
      level,
      base: { module: 'gateway' },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination({ dest: 1, sync: false, maxLength: MAX_UNWRITTEN_BYTES }),
  );
}

const MAX_UNWRITTEN_BYTES = 16 * 1024 * 1024;
