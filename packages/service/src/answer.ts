/** The envelope of all responses, and the only place that renders errors. */
import type { Response } from 'express';
import { type Constraints, fromDatabase } from './database-errors.ts';
import {
  type ErrorKind,
  INTERNAL_ERROR,
  MALFORMED_REQUEST,
  PAYLOAD_TOO_LARGE,
  Problem,
  UNSUPPORTED_MEDIA_TYPE,
} from './errors.ts';
import type { Reply, Route } from './route.ts';

export function answer(response: Response, route: Route, { data, meta }: Reply<unknown>): void {
  response.status(route.status ?? 200);
  response.json(route.bare ? data : { success: true, data, ...(meta ? { meta } : {}) });
}

export function answerProblem(response: Response, { kind, message, details, headers }: Problem): void {
  response
    .status(kind.status)
    .set(headers)
    .json({
      success: false,
      error: { code: kind.code, message, ...(details ? { details } : {}), timestamp: new Date().toISOString() },
    });
}

/** Converts any thrown value to a problem. For an unexpected error, the client learns nothing else. */
export function toProblem(error: unknown, constraints: Constraints): Problem {
  const problem = fromDatabase(error, constraints);
  if (problem instanceof Problem) return problem;
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
