/** A route is declared: who may call it, its input and output, and its handler. */
import type { Hospital, Transaction } from '@hms/database';
import type { Permission } from '@hms/tenancy';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Caller } from './caller.ts';
import type { EventBody, FollowOptions } from './changes/streams.ts';
import type { ErrorKind, Problem } from './errors.ts';
import { type Input, type RawInput, validate } from './validation.ts';
import type { Work } from './work.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
/** Who may call a route: everybody, everybody with a valid token, or everybody with a permission. */
type Access = 'public' | 'authenticated' | Permission;

/**
 * Where a handler's transaction runs: on the primary server, or read-only on the second pool, which may be a replica.
 * Routes for everybody have none.
 */
type Database = 'primary' | 'replica' | 'none';

export interface PageMeta {
  readonly page: number;
  readonly limit: number;
  /** The number on all pages together. */
  readonly total: number;
}

interface ReplyHead {
  /** Default: the route's. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a handler returns, which becomes the envelope. */
export interface DataReply<Data> extends ReplyHead {
  readonly data: Data;
  readonly meta?: PageMeta;
}

/** A response in another format than the envelope: a file, a CSV text, an event stream. */
export interface RawReply extends ReplyHead {
  readonly contentType: string;
  /** An iterable is sent piece by piece. Its transaction ends after its last piece. */
  readonly body: string | Uint8Array | AsyncIterable<string | Uint8Array> | EventBody;
}

export type Reply<Data> = DataReply<Data> | RawReply;

/** The context of a handler, in addition to the validated input. */
export interface RequestContext extends Work {
  readonly requestId: string;
  readonly log: Logger;
  /** Address of the client, as reported by the gateway. */
  readonly clientAddress: string;
  /** @throws Problem UNAUTHENTICATED on a public route. */
  readonly caller: Caller;
  /** The caller's hospital. @throws Problem FORBIDDEN for users of the platform. */
  readonly hospital: Hospital;
  /**
   * The request's transaction. No other handle to the database exists, so a query outside of the transaction or of the
   * hospital can't be written.
   * @throws Error on a route without a database.
   */
  readonly trx: Transaction;
  /**
   * Server-sent events. They end with the caller's token and with the process. For a route without a database, because
   * they last.
   * @throws Problem TOO_MANY_STREAMS, and what the broadcast throws at first.
   */
  follow(options: FollowOptions): Promise<EventBody>;
  /** The same for a live list: which records of a table have changed. */
  followChanges(record: string): Promise<EventBody>;
  /** The last event of a stream that the client has had, by the header `Last-Event-ID`. */
  readonly lastEventId: string | undefined;
  /** Whether the client has the response with this ETag already, by the header `If-None-Match`: answer 304 without it. */
  hasAlready(etag: string): boolean;
  /** Aborts when the client has disconnected before all of the response was sent. */
  readonly abandoned: AbortSignal;
  /**
   * Runs `work` in a transaction of its own. For a handler that waits for something slow between its transactions, on a
   * route with the database `none`. Such a route takes no idempotency key: it must be safe to repeat.
   */
  inTransaction<T>(work: (work: Work) => Promise<T>): Promise<T>;
  /** Version of the record that the client has read, by `If-Match` or the field `version`. */
  readonly version: number | undefined;
}

/** How a standard wants errors. */
export interface ErrorFormat {
  readonly contentType: string;
  readonly schema: z.ZodType;
  /** @returns the body. */
  render(problem: Problem): object;
}

export interface RouteSpec<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Response extends z.ZodType,
> {
  readonly method: Method;
  /** Whole path with parameters, e.g. `/api/hms/patients/:id`. */
  readonly path: string;
  /** Name of the operation for generated clients. Default: from method and path. */
  readonly operationId?: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** Maximum number of bytes of the body. Default: the gateway's limit. A route without a token must set its own. */
  readonly bodyLimit?: number;
  /** Schema of `data`. */
  readonly response: Response;
  /** Other forms in which a client may ask for the data, as content types, for the OpenAPI document. */
  readonly alsoAs?: readonly string[];
  /** Content type of a `RawReply`, for the OpenAPI document, or of a body that a standard defines (`bare`). */
  readonly contentType?: string;
  /** Whether the response has `meta`. */
  readonly paged?: boolean;
  /** Set if a standard defines the body, which is then sent without the envelope. */
  readonly bare?: boolean;
  /** Default 200. */
  readonly status?: number;
  /**
   * Whether somebody of the platform may use it who acts as somebody else. Default: to read (GET) always, and to write if
   * the impersonation may write. `never`: what only the person may do. `always`: what ends the impersonation.
   */
  readonly impersonation?: 'never' | 'always';
  /** Default `primary`. */
  readonly database?: Database;
  /** Runs the handler in isolation level SERIALIZABLE, again when PostgreSQL demands it: it has no other effects. */
  readonly serializable?: boolean;
  /** Set if repeating it by mistake costs money or goods: a hospital can demand an idempotency key by its settings. */
  readonly keyDemandable?: boolean;
  /** Errors in addition to those of every route, for the OpenAPI document. */
  readonly errors?: readonly ErrorKind[];
  /** Set if a standard defines errors. Default: the envelope. */
  readonly errorFormat?: ErrorFormat;
  handler(context: RequestContext & Input<Params, Query, Body>): Promise<Reply<z.output<Response>>>;
}

/** A declared route, with its types hidden. */
export interface Route extends Omit<RouteSpec<z.ZodType, z.ZodType, z.ZodType, z.ZodType>, 'handler'> {
  readonly database: Database;
  /**
   * Validates the input.
   * @returns the handler with its input.
   * @throws Problem VALIDATION_FAILED, INVALID_ID.
   */
  prepare(raw: RawInput): (context: RequestContext) => Promise<Reply<unknown>>;
}

export function route<
  Response extends z.ZodType,
  Params extends z.ZodType = z.ZodUnknown,
  Query extends z.ZodType = z.ZodUnknown,
  Body extends z.ZodType = z.ZodUnknown,
>(spec: RouteSpec<Params, Query, Body, Response>): Route {
  const { handler, ...declared } = spec;
  if (spec.access === 'public' && spec.body && spec.bodyLimit === undefined) {
    throw new Error(`${spec.method} ${spec.path} takes a body from anyone: name its bodyLimit`);
  }
  return {
    ...declared,
    database: spec.database ?? (spec.access === 'public' ? 'none' : 'primary'),
    prepare: (raw) => {
      const input = validate(spec, raw);
      // Not spread: `caller` and `hospital` are getters that throw if there is none.
      return (context) => handler(Object.assign(Object.create(context), input));
    },
  };
}

/** Whether a route reads the header `Idempotency-Key`. */
export function isKeyed({ method, database }: Pick<Route, 'method' | 'database'>): boolean {
  return method === 'POST' && database !== 'none';
}

/** Whether a route reads the header `If-Match`, by which a client says which version of the record it has read. */
export function isVersioned({ method, params, body }: Pick<Route, 'method' | 'params' | 'body'>): boolean {
  if (params === undefined || method === 'GET') return false;
  return method !== 'POST' || (body instanceof z.ZodObject && 'version' in body.shape);
}

/** For example `readPatientsById` of GET /api/hms/patients/:id. */
export function operationId({
  operationId: own,
  method,
  path,
}: Pick<Route, 'operationId' | 'method' | 'path'>): string {
  if (own !== undefined) return own;
  const verb = { GET: 'read', POST: 'post', PUT: 'change', DELETE: 'delete' }[method];
  const [, ...rest] = path
    .replace(/^\/api/, '')
    .split('/')
    .filter(Boolean);
  const words = rest.flatMap((part) => (part.startsWith(':') ? ['by', part.slice(1)] : part.split(/[^A-Za-z0-9]+/)));
  return [verb, ...words.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('');
}

/** The reply with one record. Its ETag is the version, for `If-Match`. */
export function single<Data>(data: Data): DataReply<Data> {
  const { version } = data as { readonly version?: unknown };
  return { data, ...(typeof version === 'number' ? { headers: { ETag: `"${version}"` } } : {}) };
}
