/** From a declared route to Express handlers: token, roles, body, transaction, answer. */
import type { Hospital, Transaction } from '@hms/database';
import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { outcomeOf, send } from './answer.ts';
import type { AuditEvent } from './audit/events.ts';
import { DEFAULT_BODY_LIMIT, jsonBody } from './body.ts';
import type { Caller } from './caller.ts';
import type { EventBody, FollowOptions } from './changes/streams.ts';
import { fromDatabase, isRoleRefused } from './database-errors.ts';
import {
  checkAll,
  DATABASE_BUSY,
  FORBIDDEN,
  HOSPITAL_SUSPENDED,
  IMPERSONATION_FORBIDDEN,
  IMPERSONATION_READ_ONLY,
  missingPermission,
  Problem,
  UNAUTHENTICATED,
} from './errors.ts';
import { IDEMPOTENCY_KEY_REQUIRED, keyedRequest } from './idempotency.ts';
import type { Platform } from './module.ts';
import { type Locals, logOf } from './requests.ts';
import { isKeyed, isVersioned, type RequestContext, type Route } from './route.ts';
import { createTokenCheck, tokenOf } from './token-check.ts';
import type { Totals } from './totals.ts';
import { runInTransaction, workWithin } from './transaction.ts';
import { expectedVersion } from './version.ts';
import type { Effects, TaskName, TaskOptions } from './work.ts';

/** @returns a function that creates the handlers of a route. */
export function createRunner(platform: Platform) {
  const check = createTokenCheck(platform);

  return (route: Route): readonly RequestHandler[] => {
    const authorize: RequestHandler = async (request, response, next) => {
      const locals = response.locals as Locals;
      locals.route = route;
      if (route.access === 'public') return next();
      const caller = await check(tokenOf(request.get('Authorization'), request.query.jwt));
      locals.caller = caller;
      if (route.access !== 'authenticated' && !caller.permissions.has(route.access)) {
        throw missingPermission(route.access, await platform.registry.rolesWith(caller.hospital, route.access));
      }
      refuseImpersonated(route, caller);
      next();
    };

    const handle: RequestHandler = async (request, response) => {
      const { query, params, body } = request as Request & { readonly body: unknown };
      const [run, version] = checkAll(
        () => route.prepare({ params, query, body }),
        () => expectedVersion(isVersioned(route) ? request.get('If-Match') : undefined, versionIn(body, query)),
      );
      const locals = response.locals as Locals;
      const inTransaction: RequestContext['inTransaction'] = (work) => {
        const { hospital, caller, clientAddress, requestId } = context;
        const source = { caller, clientAddress, requestId };
        return admitted(platform, hospital, () => workWithin(platform, { route, hospital, source, params }, work));
      };
      const context = new Context(platform, locals, version, response, { inTransaction });
      if (route.database === 'none') return send(response, outcomeOf(route, await run(context)));
      const keyed = isKeyed(route)
        ? keyedRequest(`POST ${route.path}`, { params, query, body }, request.get('Idempotency-Key'))
        : undefined;
      const { hospital, caller, requestId } = context;
      if (route.keyDemandable && !keyed && hospital.settings.requireIdempotencyKey)
        throw new Problem(IDEMPOTENCY_KEY_REQUIRED);
      const outcome = await admitted(platform, hospital, () =>
        runInTransaction({
          pool: route.database === 'replica' ? platform.replica : platform.tenants,
          route,
          hospital,
          source: { caller, clientAddress: context.clientAddress, requestId },
          keyed,
          sealer: platform.sealer,
          params,
          abandoned: abandonedOf(response),
          run: (work) => run(new Context(platform, locals, version, response, { work })),
          stream: (streamed) => send(response, streamed),
        }),
      ).catch((error: unknown) => {
        throw fromDatabase(error);
      });
      if (outcome) await send(response, outcome);
    };

    // The token is checked before the body: a client without one can't send ten megabytes.
    return route.body ? [authorize, ...jsonBody(route.bodyLimit ?? DEFAULT_BODY_LIMIT), handle] : [authorize, handle];
  };
}

/** Aborts when the connection closes before the response has ended. */
function abandonedOf(response: Response): AbortSignal {
  const controller = new AbortController();
  const abort = () => {
    if (!response.writableFinished) controller.abort(new Problem(DATABASE_BUSY));
  };
  if (response.closed) abort();
  else response.once('close', abort);
  return controller.signal;
}

/** The only place that decides what somebody may do who acts as somebody else. */
function refuseImpersonated({ method, impersonation }: Route, caller: Caller): void {
  if (!caller.impersonation || impersonation === 'always') return;
  if (impersonation === 'never') throw new Problem(IMPERSONATION_FORBIDDEN);
  if (method !== 'GET' && caller.impersonation.mode === 'read') throw new Problem(IMPERSONATION_READ_ONLY);
}

/** The field `version`. Its own schema has validated it, where a route has it. */
function versionIn(body: unknown, query: Readonly<Record<string, unknown>>): unknown {
  const inBody = (body as { readonly version?: unknown } | undefined)?.version;
  return inBody ?? (query.version === undefined || query.version === '' ? undefined : Number(query.version));
}

/**
 * Runs `work`. If PostgreSQL refuses the hospital's role, the hospital was suspended or removed a moment ago.
 * @throws Problem HOSPITAL_SUSPENDED
 */
export async function admitted<T>(
  { registry }: Pick<Platform, 'registry'>,
  hospital: Hospital,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isRoleRefused(error)) throw error;
    registry.forget(hospital);
    const now = await registry.byIssuer(hospital.issuer);
    throw now?.state === 'Active' ? error : new Problem(HOSPITAL_SUSPENDED, { cause: error });
  }
}

/** The transaction of the request, or what runs its transactions. */
interface Database {
  readonly work?: Effects;
  readonly inTransaction?: RequestContext['inTransaction'];
}

function refuseTransaction(): never {
  throw new Error("this route has a transaction already: declare it with database 'none'");
}

class Context implements RequestContext {
  readonly platform: Platform;
  readonly locals: Locals;
  readonly version: number | undefined;
  readonly work: Effects | undefined;
  readonly inTransaction: RequestContext['inTransaction'];

  readonly response: Response;

  constructor(platform: Platform, locals: Locals, version: number | undefined, response: Response, database: Database) {
    this.platform = platform;
    this.locals = locals;
    this.version = version;
    this.response = response;
    this.work = database.work;
    this.inTransaction = database.inTransaction ?? refuseTransaction;
  }

  get requestId(): string {
    return this.locals.requestId;
  }

  get clientAddress(): string {
    return this.locals.client;
  }

  get log(): Logger {
    return logOf(this.locals);
  }

  get caller(): Caller {
    if (!this.locals.caller) throw new Problem(UNAUTHENTICATED);
    return this.locals.caller;
  }

  get hospital(): Hospital {
    const { hospital } = this.caller;
    if (!hospital) throw new Problem(FORBIDDEN, { message: 'Only people of a hospital may use this' });
    return hospital;
  }

  get abandoned(): AbortSignal {
    return abandonedOf(this.response);
  }

  get totals(): Totals {
    return this.platform.totals;
  }

  get trx(): Transaction {
    return effectsOf(this).trx;
  }

  audit(event: AuditEvent): void {
    effectsOf(this).audit(event);
  }

  addTask<Input>(task: TaskName<Input>, input: Input, options?: TaskOptions): void {
    effectsOf(this).addTask(task, input, options);
  }

  changed(record: string, id: string): void {
    effectsOf(this).changed(record, id);
  }

  get lastEventId(): string | undefined {
    return this.locals.lastEventId;
  }

  hasAlready(etag: string): boolean {
    // A proxy that compresses marks the ETag as weak (`W/`).
    const known = (this.locals.knownEtags ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''));
    return known.includes(etag) || known.includes('*');
  }

  follow(options: FollowOptions): Promise<EventBody> {
    return this.platform.streams.open(this.caller, options);
  }

  followChanges(record: string): Promise<EventBody> {
    const { streams } = this.platform;
    return streams.open(this.caller, { name: record, broadcast: () => streams.changesOf(this.hospital, record) });
  }
}

/** Not a private method: handlers get an object that inherits from the context. */
function effectsOf({ work }: Context): Effects {
  if (!work) throw new Error('this route has no database: declare one');
  return work;
}
