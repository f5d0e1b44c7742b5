import { NotLeader } from '../runtime/leader.ts';

/**
 * The kinds of errors of a backend.
 * Unavailable: it can't be reached or can't answer now. A retry helps.
 * Conflict: an existing object has another owner and is left unchanged.
 * Invalid: it refused the request. A retry does not help.
 * NotFound: a required object is missing.
 * Forbidden: the operator's credentials don't allow it.
 * DataLost: an object is lost with people's data. It is not created again automatically.
 * RealmDamaged, SchemaDamaged: a changed part can't be restored without risk. Everything else was restored.
 */
export type ErrorKind =
  | 'Unavailable'
  | 'Conflict'
  | 'Invalid'
  | 'NotFound'
  | 'Forbidden'
  | 'DataLost'
  | 'RealmDamaged'
  | 'SchemaDamaged';

/** A backend's error for people: a sentence that says what is wrong and what to do. */
export class BackendError extends Error {
  override readonly name = 'BackendError';
  readonly kind: ErrorKind;
  /** The engine's Retry-After, in ms. */
  readonly retryAfterMs: number | undefined;

  constructor(kind: ErrorKind, message: string, cause?: unknown, retryAfterMs?: number) {
    super(scrub(message), cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * Converts any thrown value to a BackendError. An unknown error counts as an outage.
 * @throws NotLeader unchanged, because it says nothing about the engine.
 */
export function toBackendError(error: unknown, engine: string): BackendError {
  if (error instanceof BackendError) return error;
  if (error instanceof NotLeader) throw error;
  return new BackendError('Unavailable', `${engine}: ${innermost(error)}`, error);
}

/** Whether the connection failed, rather than the server refusing. */
export function isConnectionError(error: unknown): boolean {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current.name === 'TimeoutError' || current.name === 'AbortError') return true;
    if ('code' in current && CONNECTION_CODES.has(String(current.code))) return true;
  }
  return false;
}

/** The error for an engine that can't be reached. */
export function unreachable(engine: string, address: string, error: unknown): BackendError {
  return new BackendError('Unavailable', `${engine} at ${address} can't be reached: ${innermost(error)}`, error);
}

/** Something was created or deleted between two reads. The retry observes the current state. */
export function changedMeanwhile(what: string): BackendError {
  return new BackendError('Unavailable', `${what} was changed by another writer: retrying`);
}

/** @param header value of Retry-After, in seconds or as a date. @returns ms, at most a minute. */
export function retryAfterMs(header: string | null | undefined, now = Date.now()): number | undefined {
  if (!header) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), 60_000) : undefined;
}

/**
 * Waits until all have ended, even after one has failed, because the others may still write. @throws the first error.
 */
export async function allEnded<T>(running: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(running);
  return Promise.all(running);
}

const CONNECTION_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_SOCKET',
]);

const MAX_MESSAGE = 500;

function innermost(error: unknown): string {
  let text = String(error);
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current instanceof AggregateError && current.errors[0]) text = String(current.errors[0]);
    else text = current.name === 'TimeoutError' ? 'no answer in time' : current.message || text;
  }
  return text;
}

/**
 * Shortens a message and removes what could be a token or a secret, because many people can read conditions and events.
 */
function scrub(message: string): string {
  return message
    .replace(/eyJ[\w-]+\.[\w-]+\.[\w-]*/g, '[token]')
    .replace(/(:\/\/[^:/\s@]+):[^@\s]+@/g, '$1:[secret]@')
    .replace(/((?:password|secret|token)["']?\s*[:=]\s*)[^\s,;&}]+/gi, '$1[secret]')
    .slice(0, MAX_MESSAGE);
}
