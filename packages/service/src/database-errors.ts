/** Maps errors of PostgreSQL and its client to problems that a client can act on. */
import { DATABASE_BUSY, DATABASE_UNAVAILABLE, type ErrorKind, Problem, VALIDATION_FAILED } from './errors.ts';

/** Kinds of error by the name of the violated constraint. */
export type Constraints = Readonly<Record<string, ErrorKind>>;

/** All that were declared. */
const declared = new Map<string, ErrorKind>();

/** Declares the errors of constraints whose table is no `record()`, which declares its own. */
export function declareConstraints(constraints: Constraints): void {
  for (const [name, kind] of Object.entries(constraints)) declared.set(name, kind);
}

/**
 * A violated constraint that nobody has declared is returned unchanged, and becomes a 500.
 * @returns a `Problem`, or the error itself if the client can do nothing about it.
 */
export function fromDatabase(error: unknown): unknown {
  if (!Error.isError(error) || error instanceof Problem) return error;
  const { code, constraint } = error as PostgresError;
  const kind = constraint === undefined ? undefined : declared.get(constraint);
  if (kind) return new Problem(kind, { cause: error });
  if (isDown(error, code)) return new Problem(DATABASE_UNAVAILABLE, { cause: error });
  if (code !== undefined && BUSY.has(code)) return new Problem(DATABASE_BUSY, { cause: error });
  if (code === CHARACTER_NOT_IN_REPERTOIRE) {
    return new Problem(VALIDATION_FAILED, { message: 'A text has a character that can not be stored', cause: error });
  }
  return error;
}

/** Whether PostgreSQL refused to switch to the hospital's role, because it was just suspended or removed. */
export function isRoleRefused(error: unknown): boolean {
  const { code, message } = error as PostgresError;
  return (
    (code === '42501' && /set role/.test(message)) || (code === '22023' && /^role ".*" does not exist/.test(message))
  );
}

interface PostgresError extends Error {
  readonly code?: string;
  readonly constraint?: string;
}

/** Serialization failure, deadlock, lock not available, query cancelled, too many connections. */
const BUSY: ReadonlySet<string> = new Set(['40001', '40P01', '55P03', '57014', '53300']);
const CHARACTER_NOT_IN_REPERTOIRE = '22021';
/** Shutdown, crash and start-up, and errors of the socket. Class 08 is "connection exception". */
const DOWN = /^(57P0[1-3]|08...|ECONN.*|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH|ENOENT)$/;

function isDown(error: Error, code: string | undefined): boolean {
  return (
    (code !== undefined && DOWN.test(code)) ||
    error.name === 'KnexTimeoutError' ||
    /^(Connection terminated|timeout expired|timeout exceeded|connection timeout)/i.test(error.message)
  );
}
