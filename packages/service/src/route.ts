/** A route is declared: who may call it, its input and output, and its handler. */
import type { Hospital } from '@hms/database';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { Caller, Role } from './caller.ts';
import type { ErrorKind } from './errors.ts';
import { validate } from './validation.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
/** Who may call a route: everybody, everybody with a valid token, or everybody with one of the roles. */
type Access = 'public' | 'authenticated' | readonly Role[];

export interface PageMeta {
  readonly page: number;
  readonly limit: number;
  /** The number on all pages together. */
  readonly total: number;
}

/** What a handler returns, which becomes the envelope. */
export interface Reply<Data> {
  readonly data: Data;
  readonly meta?: PageMeta;
}

/** The context of a handler, in addition to the validated input. */
export interface RequestContext {
  readonly requestId: string;
  readonly log: Logger;
  /** Address of the client, as reported by the gateway. */
  readonly clientAddress: string;
  /** @throws Problem UNAUTHENTICATED on a public route. */
  readonly caller: Caller;
  /** The caller's hospital. @throws Problem FORBIDDEN for users of the platform. */
  readonly hospital: Hospital;
  /**
   * Runs `work` in the request's one transaction, as the caller's hospital. Repositories are built on its handle,
   * and no other handle exists, so a query outside of the transaction or of the hospital can't be written.
   */
  transaction<T>(work: (trx: Knex.Transaction) => Promise<T>): Promise<T>;
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
  readonly summary: string;
  readonly description?: string;
  readonly roles: Access;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** Maximum number of bytes of the body. Default: the gateway's limit. A route without a token must set its own. */
  readonly bodyLimit?: number;
  /** Schema of `data`. */
  readonly response: Response;
  /** Whether the response has `meta`. */
  readonly paged?: boolean;
  /** Set if a standard defines the body, which is then sent without the envelope. */
  readonly bare?: boolean;
  /** Default 200. */
  readonly status?: number;
  /** Errors in addition to those of every route, for the OpenAPI document. */
  readonly errors?: readonly ErrorKind[];
  handler(
    context: RequestContext & {
      readonly params: z.output<Params>;
      readonly query: z.output<Query>;
      readonly body: z.output<Body>;
    },
  ): Promise<Reply<z.output<Response>>>;
}

interface RawInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** A declared route, with its types hidden. */
export interface Route extends Omit<RouteSpec<z.ZodType, z.ZodType, z.ZodType, z.ZodType>, 'handler'> {
  /** @throws Problem VALIDATION_FAILED, INVALID_ID, and whatever the handler throws. */
  run(context: RequestContext, input: RawInput): Promise<Reply<unknown>>;
}

export function route<
  Response extends z.ZodType,
  Params extends z.ZodType = z.ZodUnknown,
  Query extends z.ZodType = z.ZodUnknown,
  Body extends z.ZodType = z.ZodUnknown,
>(spec: RouteSpec<Params, Query, Body, Response>): Route {
  const { handler, ...declared } = spec;
  if (spec.roles === 'public' && spec.body && spec.bodyLimit === undefined) {
    throw new Error(`${spec.method} ${spec.path} takes a body from anyone: name its bodyLimit`);
  }
  return {
    ...declared,
    run: async (context, raw) => {
      const input = validate(spec, raw);
      // Not spread: `caller` and `hospital` are getters that throw if there is none.
      return handler(Object.assign(Object.create(context), input));
    },
  };
}
