import { NotLeader } from '../runtime/leader.ts';

/**
 * What can be wrong with a backend, in one place.
 * Unavailable: it can't be reached or can't answer now; trying again helps.
 * Conflict: what is there is somebody else's and stays untouched.
 * Invalid: it refused what was asked; trying again does not help.
 * NotFound: something that has to be there first is not.
 * Forbidden: the operator's credentials don't allow it.
 * DataLost: what was made before is gone with what people had in it, and is not made anew by itself.
 * RealmDamaged, SchemaDamaged: somebody changed a part that can't be restored without risk; the rest was restored.
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

/** A backend's error as it is shown to people: a sentence that says what is wrong and what to do. */
export class BackendError extends Error {
  override readonly name = 'BackendError';
  readonly kind: ErrorKind;
  /** How long the engine asked to be left alone, in ms. */
  readonly retryAfterMs: number | undefined;

  constructor(kind: ErrorKind, message: string, cause?: unknown, retryAfterMs?: number) {
    super(scrub(message), cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * Turns whatever was thrown into a BackendError; what is not known by its form is taken for an outage.
 * @throws NotLeader as it is: it says nothing about the engine, and who may not write has nothing to say.
 */
export function toBackendError(error: unknown, engine: string): BackendError {
  if (error instanceof BackendError) return error;
  if (error instanceof NotLeader) throw error;
  return new BackendError('Unavailable', `${engine}: ${innermost(error)}`, error);
}

/** Whether the error is of the connection rather than an answer. */
export function isConnectionError(error: unknown): boolean {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current.name === 'TimeoutError' || current.name === 'AbortError') return true;
    if ('code' in current && CONNECTION_CODES.has(String(current.code))) return true;
  }
  return false;
}

/** The sentence for an engine that can't be reached. */
export function unreachable(engine: string, address: string, error: unknown): BackendError {
  return new BackendError('Unavailable', `${engine} at ${address} can't be reached: ${innermost(error)}`, error);
}

/** Something went or came between two looks at it. The next look sees what there is. */
export function changedMeanwhile(what: string): BackendError {
  return new BackendError('Unavailable', `${what} was changed by another writer: retrying`);
}

/** @param header value of Retry-After, in seconds or as a date. @returns ms, at most a minute. */
export function retryAfterMs(header: string | null | undefined, now = Date.now()): number | undefined {
  if (!header) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), 60_000) : undefined;
}

/** Waits until all have ended, also after one has failed, as what still runs may write. @throws what the first threw. */
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

/** Cuts a message and takes out what could be a token or a secret: conditions and events can be read by many. */
function scrub(message: string): string {
  return message
    .replace(/eyJ[\w-]+\.[\w-]+\.[\w-]*/g, '[token]')
    .replace(/(:\/\/[^:/\s@]+):[^@\s]+@/g, '$1:[secret]@')
    .replace(/((?:password|secret|token)["']?\s*[:=]\s*)[^\s,;&}]+/gi, '$1[secret]')
    .slice(0, MAX_MESSAGE);
}
