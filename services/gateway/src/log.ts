import { destination, type Logger, pino, stdTimeFunctions } from 'pino';

/**
 * The gateway's log: lines of JSON on standard output, in the form of the modules' lines. They are written in the
 * background, in batches under load. If nobody reads them, some are dropped instead of filling the
 * memory. None are buffered longer: the rest would be written again and again after the reader has closed its end.
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
