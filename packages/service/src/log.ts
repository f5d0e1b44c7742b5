import { type Logger, pino, stdTimeFunctions } from 'pino';

/**
 * A module's log: JSON lines on standard output. What could contain a secret is never passed to it.
 * The redaction covers what a library attaches to an error.
 */
export function createLog(module: string, level: string): Logger {
  return pino({
    level,
    base: { module },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: ['*.authorization', '*.password', '*.token', '*.body', 'error.bindings', 'error.config'],
    serializers: { error: describeError },
  });
}

/** The logged parts of an error. Its bindings (knex), detail and parameters (PostgreSQL) contain patient data. */
export function describeError(error: unknown): unknown {
  if (!Error.isError(error)) return { message: String(error) };
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  // Class 22 is PostgreSQL's "data exception": its message quotes the value.
  const clean = (text = '') => (/^22...$/.test(String(code)) ? text.replaceAll(/: ".*"/g, ': "…"') : text);
  return {
    type: error.name,
    message: clean(error.message),
    stack: clean(error.stack),
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof constraint === 'string' ? { constraint } : {}),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}
