/** Common handling of every request: its id, its log line, its duration. */
import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import type { Request, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { validate as isUuid } from 'uuid';
import type { Caller } from './caller.ts';
import type { Metrics } from './metrics.ts';

/** `response.locals` of every request. */
export interface Locals {
  requestId: string;
  log: Logger;
  /** Pattern of the path, once it is known. */
  route?: string;
  /** Once the token is verified. */
  caller?: Caller;
}

/** Keeps the request's id if it is a UUID, as the gateway's are, or generates one. Returns and logs it. */
export function trackRequest(log: Logger): RequestHandler {
  return (request, response, next) => {
    const sentId = request.get('X-Request-ID');
    const requestId = sentId !== undefined && isUuid(sentId) ? sentId : randomUUID();
    response.set('X-Request-ID', requestId);
    Object.assign(response.locals, {
      requestId,
      log: log.child({ requestId, client: clientAddress(request) }),
    } satisfies Locals);
    next();
  };
}

/** Logs one line for each request, without its query, which may contain a token. */
export function accessLog(metrics: Metrics): RequestHandler {
  return (request, response, next) => {
    const started = performance.now();
    const path = request.path;
    response.once('close', () => {
      const { log, route = 'unknown' } = response.locals as Locals;
      const milliseconds = performance.now() - started;
      // 499 as in the gateway: the client disconnected before the response.
      const status = response.writableFinished ? response.statusCode : 499;
      metrics.observe(request.method, route, status, milliseconds / 1000);
      log.info(
        {
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
export function clientAddress(request: Request): string {
  const last = request.get('X-Forwarded-For')?.split(',').at(-1)?.trim() ?? '';
  return isIP(last) ? last : (request.socket.remoteAddress ?? '');
}
