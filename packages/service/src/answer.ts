/** The envelope of all responses, and the only place that renders errors. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StorageUnavailable } from '@hms/storage';
import type { Response } from 'express';
import { fromDatabase } from './database-errors.ts';
import {
  type ErrorKind,
  INTERNAL_ERROR,
  MALFORMED_REQUEST,
  PAYLOAD_TOO_LARGE,
  Problem,
  STORAGE_UNAVAILABLE,
  UNSUPPORTED_MEDIA_TYPE,
} from './errors.ts';
import type { RawReply, Reply, Route } from './route.ts';

/** A rendered response. */
export interface Outcome {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType: string;
  readonly body: RawReply['body'];
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** Renders the reply of a handler. */
export function outcomeOf(route: Pick<Route, 'status' | 'bare' | 'contentType'>, reply: Reply<unknown>): Outcome {
  const status = reply.status ?? route.status ?? 200;
  const headers = reply.headers ?? {};
  if ('body' in reply) return { status, headers, contentType: reply.contentType, body: reply.body };
  const { data, meta } = reply;
  const body = JSON.stringify(route.bare ? data : { success: true, data, ...(meta ? { meta } : {}) });
  return { status, headers, contentType: (route.bare && route.contentType) || JSON_TYPE, body };
}

/** Renders a problem, in the format of its route. */
export function outcomeOfProblem(problem: Problem, route?: Pick<Route, 'errorFormat'>): Outcome {
  const { kind, message, details, headers } = problem;
  const own = route?.errorFormat;
  if (own) {
    return { status: kind.status, headers, contentType: own.contentType, body: JSON.stringify(own.render(problem)) };
  }
  const error = { code: kind.code, message, ...(details ? { details } : {}), timestamp: new Date().toISOString() };
  return { status: kind.status, headers, contentType: JSON_TYPE, body: JSON.stringify({ success: false, error }) };
}

/** Longest time in which a client takes nothing of a body that waits for it. */
const STALLED_MS = 60_000;

/**
 * Sends a response. Resolves when all of a streamed body is sent, or when the client has left or takes nothing more.
 */
export async function send(
  response: Response,
  { status, headers, contentType, body }: Outcome,
  stalledMs = STALLED_MS,
): Promise<void> {
  // Without progress on the connection. A body whose next piece does not exist yet may take longer.
  response.setTimeout(stalledMs, () => {
    if (response.writableNeedDrain || response.writableEnded) response.destroy();
  });
  response.statusCode = status;
  for (const name in headers) response.setHeader(name, headers[name] ?? '');
  response.setHeader('Content-Type', contentType);
  if (status === 304) return void response.end();
  if (typeof body === 'string' || body instanceof Uint8Array) {
    response.setHeader('Content-Length', Buffer.byteLength(body));
    response.end(body);
    return;
  }
  // Node would send no body, and never end the response of a stream.
  if (response.req.method === 'HEAD') {
    response.end();
    // Whoever produces the body would wait for somebody to take it.
    if (!('sendTo' in body)) Readable.from(body).destroy();
    return;
  }
  // Before the first piece, so that a client knows at once that the stream is open.
  response.flushHeaders();
  if ('sendTo' in body) return body.sendTo(response);
  try {
    await pipeline(Readable.from(body), response);
  } catch (error) {
    if (!response.destroyed || (error as { code?: unknown }).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

/** Converts any thrown value to a problem. For an unexpected error, the client learns nothing else. */
export function toProblem(error: unknown): Problem {
  const problem = fromDatabase(error);
  if (problem instanceof Problem) return problem;
  if (error instanceof StorageUnavailable) return new Problem(STORAGE_UNAVAILABLE, { cause: error });
  const kind = fromExpress(error);
  const limit = (error as { limit?: unknown } | null)?.limit;
  return new Problem(kind ?? INTERNAL_ERROR, {
    cause: error,
    // Does not wait for the rest of a body that is too large.
    ...(kind === PAYLOAD_TOO_LARGE
      ? {
          message: `The body is too large: send at most ${Number(limit).toLocaleString('en')} bytes`,
          headers: { Connection: 'close' },
        }
      : {}),
  });
}

/** Errors of body-parser and of Express' router have a status. */
function fromExpress(error: unknown): ErrorKind | undefined {
  if (!Error.isError(error)) return undefined;
  const { status } = error as { status?: unknown };
  if (status === 413) return PAYLOAD_TOO_LARGE;
  if (status === 415) return UNSUPPORTED_MEDIA_TYPE;
  // An aborted body or one of another size than announced, or a path that can't be decoded.
  if (status === 400) return MALFORMED_REQUEST;
  return undefined;
}
