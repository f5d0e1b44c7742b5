/** Common handling of every request: its id, its log line, its duration. */
import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import type { Request, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { validate as isUuid } from 'uuid';
import type { Caller } from './caller.ts';
import type { Metrics } from './metrics.ts';
import type { Route } from './route.ts';

/** `response.locals` of every request. */
export interface Locals {
  readonly requestId: string;
  /** Address of the client. */
  readonly client: string;
  /** The last event of a stream that the client has had, if it says so. */
  readonly lastEventId: string | undefined;
  /** `If-None-Match`: the ETags of what the client has. */
  readonly knownEtags: string | undefined;
  /** The module's log. */
  readonly moduleLog: Logger;
  /** Once it is known. */
  route?: Pick<Route, 'path' | 'errorFormat'>;
  /** Once the token is verified. */
  caller?: Caller;
}

/** A log whose lines name the request, its client and its caller. */
export function logOf(locals: Locals): Logger {
  return locals.moduleLog.child(requestFields(locals));
}

function requestFields({ requestId, client, caller }: Locals) {
  if (!caller) return { requestId, client };
  const { hospital, sub, impersonation } = caller;
  return { requestId, client, hospital: hospital?.prefix, sub, impersonator: impersonation?.actor };
}

/** Keeps the request's id if it is a UUID, as the gateway's are, or generates one. Returns and logs it. */
export function trackRequest(log: Logger): RequestHandler {
  return (request, response, next) => {
    const sentId = request.get('X-Request-ID');
    const requestId = sentId !== undefined && isUuid(sentId) ? sentId : randomUUID();
    response.setHeader('X-Request-ID', requestId);
    const locals: Locals = {
      ...{ requestId, client: clientAddress(request), moduleLog: log },
      lastEventId: request.get('Last-Event-ID'),
      knownEtags: request.get('If-None-Match'),
    };
    Object.assign(response.locals, locals);
    next();
  };
}

/** A part of a path that is longer than a UUID, such as the secret of a link. */
const SECRET = /[\w-]{40,}/g;

/** Logs one line for each request, without its query, which may contain a token. */
export function accessLog(metrics: Metrics): RequestHandler {
  return (request, response, next) => {
    const started = performance.now();
    const path = request.path.replaceAll(SECRET, '***');
    response.once('close', () => {
      const locals = response.locals as Locals;
      const milliseconds = performance.now() - started;
      // 499 as in the gateway: the client disconnected before the response.
      const status = response.writableFinished ? response.statusCode : 499;
      metrics.observe(request.method, locals.route?.path ?? 'unknown', status, milliseconds / 1000);
      locals.moduleLog.info(
        {
          ...requestFields(locals),
          method: request.method,
          path,
          status,
          duration: Math.round(milliseconds * 10) / 10,
        },
        'request',
      );
    });
    next();
  };
}

/**
 * Address of the client. Only the last entry of X-Forwarded-For is the gateway's. Those before it are
 * whatever the client wrote.
 */
function clientAddress(request: Request): string {
  const last = request.get('X-Forwarded-For')?.split(',').at(-1)?.trim() ?? '';
  // A listener on `::` names clients of IPv4 in the form of IPv6.
  return isIP(last) ? last : (request.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
}
