/** Reads a request's body: a JSON object in UTF-8, or nothing. */
import { MIMEType } from 'node:util';
import express, { type RequestHandler } from 'express';
import { invalidFields, MALFORMED_JSON, MALFORMED_REQUEST, Problem, UNSUPPORTED_MEDIA_TYPE } from './errors.ts';

/** The gateway's limit, which is the default of routes. */
export const DEFAULT_BODY_LIMIT = 10 * 1024 * 1024;

/**
 * @param limit maximum number of bytes, after decompression.
 * @returns handlers that set `request.body` to the sent object, or to undefined for an empty body.
 * @throws Problem UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, MALFORMED_REQUEST, MALFORMED_JSON, VALIDATION_FAILED, in
 * this order.
 */
export function jsonBody(limit: number): readonly RequestHandler[] {
  return [demandJson, express.raw({ limit, type: 'application/json' }), parse];
}

const demandJson: RequestHandler = (request, _response, next) => {
  // Browsers send it with an empty body, whose type nobody names.
  if (request.get('Content-Length') === '0') return next();
  // null: there is no body, which is valid if no field is required.
  const is = request.is('json');
  if (is === false || (is && !isUtf8(request.get('Content-Type') ?? ''))) throw new Problem(UNSUPPORTED_MEDIA_TYPE);
  next();
};

/** JSON between systems must be UTF-8 (RFC 8259, 8.1). */
function isUtf8(contentType: string): boolean {
  const charset = new MIMEType(contentType).params.get('charset');
  return charset === null || /^utf-?8$/i.test(charset);
}

const parse: RequestHandler = (request, _response, next) => {
  const bytes: unknown = request.body;
  request.body = Buffer.isBuffer(bytes) && bytes.length > 0 ? objectIn(bytes) : undefined;
  next();
};

function objectIn(bytes: Buffer): object {
  const value = parseJson(textIn(bytes));
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  const is = value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`;
  throw invalidFields([{ field: 'body', in: 'body', message: `must be a JSON object, and is ${is}` }]);
}

/** A lenient decoder would replace invalid bytes with U+FFFD, and store a damaged name. */
function textIn(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Problem(MALFORMED_REQUEST, {
      message: 'The body has bytes that are not UTF-8: send it in UTF-8',
      cause,
    });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Without its cause, which quotes the body.
    throw new Problem(MALFORMED_JSON);
  }
}
