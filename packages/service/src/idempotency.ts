/**
 * Requests that may be repeated: a client that lost a response sends the request again with the same key, and gets the
 * first response again. The row is part of the request's own transaction, so effect and response are kept together.
 */
import { createHash } from 'node:crypto';
import type { Transaction } from '@hms/database';
import type { Outcome } from './answer.ts';
import { type ErrorKind, invalidFields, Problem } from './errors.ts';

const IDEMPOTENCY_KEY_REUSED: ErrorKind = {
  status: 422,
  code: 'IDEMPOTENCY_KEY_REUSED',
  message: 'This idempotency key was used for another request: send a new key',
};
const IDEMPOTENCY_IN_PROGRESS: ErrorKind = {
  status: 409,
  code: 'IDEMPOTENCY_IN_PROGRESS',
  message: 'The first request with this idempotency key is still running: repeat it shortly',
  retryAfter: 2,
};

/** Only if the hospital's settings demand a key, on the routes that say so. */
export const IDEMPOTENCY_KEY_REQUIRED: ErrorKind = {
  status: 400,
  code: 'IDEMPOTENCY_KEY_REQUIRED',
  message:
    'This hospital takes this request only with a key: send the header Idempotency-Key, or idempotencyKey in the body',
};

/** Errors of every route that takes a key. */
export const IDEMPOTENCY_ERRORS: readonly ErrorKind[] = [IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_PROGRESS];

/** A request with a key. */
export interface KeyedRequest {
  readonly key: string;
  /** Method and path pattern. */
  readonly route: string;
  /** Everything else that decides what the request does. */
  readonly hash: Buffer;
}

const LONGEST_KEY = 255;
/** What a key looks like. */
export const IDEMPOTENCY_KEY = new RegExp(`^[\\x21-\\x7e]{1,${LONGEST_KEY}}$`);

/**
 * Reads the key from the header `Idempotency-Key` or the body's `idempotencyKey`, which browsers of other origins can
 * send.
 * @returns undefined if the request has no key.
 * @throws Problem VALIDATION_FAILED if the key is not 1 to 255 printable characters, or if the two differ.
 */
export function keyedRequest(
  route: string,
  { params, query, body }: { readonly params: object; readonly query: object; readonly body: unknown },
  header: string | undefined,
): KeyedRequest | undefined {
  const { idempotencyKey, ...rest } = (body ?? {}) as { readonly idempotencyKey?: unknown };
  const inBody = idempotencyKey !== undefined && idempotencyKey !== null;
  if (header === undefined && !inBody) return undefined;
  const field = inBody
    ? ({ field: 'idempotencyKey', in: 'body' } as const)
    : ({ field: 'Idempotency-Key', in: 'header' } as const);
  const key = inBody ? idempotencyKey : header;
  if (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key)) {
    throw invalidFields([
      { ...field, message: `must be 1 to ${LONGEST_KEY} printable ASCII characters without spaces` },
    ]);
  }
  if (header !== undefined && header !== key) {
    throw invalidFields([{ ...field, message: 'must be the same as the header Idempotency-Key' }]);
  }
  // A repetition may have another token.
  const { jwt: _, ...parameters } = query as { readonly jwt?: unknown };
  const content = canonical([params, parameters, rest]);
  return { key, route, hash: createHash('sha256').update(content).digest() };
}

/**
 * Claims the key until the transaction ends. Others with the same key wait here.
 * @returns the outcome of the first request, or undefined if this is the first.
 * @throws Problem IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_PROGRESS.
 */
export async function claimKey(
  trx: Transaction,
  sub: string,
  { key, route, hash }: KeyedRequest,
): Promise<Outcome | undefined> {
  const claimed = await trx.query(CLAIM, [sub, route, key, hash]).catch((error: unknown) => {
    if ((error as { code?: unknown }).code === LOCK_NOT_AVAILABLE) {
      throw new Problem(IDEMPOTENCY_IN_PROGRESS, { cause: error });
    }
    throw error;
  });
  if (claimed.length > 0) return undefined;
  const [stored] = await trx.query<StoredOutcome>(READ, [sub, route, key]);
  if (!stored) throw new Problem(IDEMPOTENCY_IN_PROGRESS);
  if (!stored.request_hash.equals(hash)) throw new Problem(IDEMPOTENCY_KEY_REUSED);
  return {
    status: stored.status,
    headers: { ...stored.headers, 'Idempotency-Replayed': 'true' },
    contentType: stored.content_type,
    body: stored.body,
  };
}

/** Keeps the outcome for repetitions. @throws Error for a stream, which can't be kept. */
export async function keepOutcome(
  trx: Transaction,
  sub: string,
  { key, route }: KeyedRequest,
  { status, headers, contentType, body }: Outcome,
): Promise<void> {
  if (typeof body !== 'string') throw new Error(`${route}: only a text can be kept for an idempotency key`);
  await trx.query(KEEP, [sub, route, key, status, JSON.stringify(headers), contentType, body]);
}

interface StoredOutcome {
  readonly request_hash: Buffer;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly content_type: string;
  readonly body: string;
}

const LOCK_NOT_AVAILABLE = '55P03';

/** A key is kept for a day. A few old ones go with each new one, so no other process has to delete them. */
const CLAIM = `
  WITH old AS (
    DELETE FROM idempotency_keys WHERE (sub, route, key) IN (
      SELECT sub, route, key FROM idempotency_keys
      WHERE created_at < now() - interval '24 hours' AND (sub, route, key) <> ($1, $2, $3)
      ORDER BY created_at LIMIT 5 FOR UPDATE SKIP LOCKED)
  )
  INSERT INTO idempotency_keys AS stored (sub, route, key, request_hash) VALUES ($1, $2, $3, $4)
  ON CONFLICT (sub, route, key) DO UPDATE
    SET request_hash = excluded.request_hash, created_at = now()
    WHERE stored.created_at < now() - interval '24 hours'
  RETURNING key`;
const READ = `
  SELECT request_hash, status, headers, content_type, body FROM idempotency_keys
  WHERE sub = $1 AND route = $2 AND key = $3 AND status IS NOT NULL`;
const KEEP = `
  UPDATE idempotency_keys SET status = $4, headers = $5, content_type = $6, body = $7
  WHERE sub = $1 AND route = $2 AND key = $3`;

/** JSON with sorted names, so that the order in which a client writes its fields does not matter. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
