import type { IncomingMessage } from 'node:http';
import type { Exchange } from './exchange.ts';
import { farewell } from './failures.ts';
import { isMalformedPath } from './path.ts';
import type { Reply } from './replies.ts';

/** The reply that nginx sends before Kong sees the request, or undefined for a valid head. */
export function refuseHead(exchange: Exchange): Reply | undefined {
  const { request } = exchange;
  if (request.method && request.url && request.method.length + request.url.length + REQUEST_LINE_REST > MAX_LINE) {
    return farewell(exchange, 414, 'URI too long');
  }
  if (hasLongLine(request)) return farewell(exchange, 494, 'Request header or cookie too large');
  if (exchange.method === 'TRACE') return farewell(exchange, 405, 'Method not allowed');
  if (exchange.hasBadHost || hasDuplicates(request) || isMalformedPath(exchange.rawPath)) {
    return farewell(exchange, 400, 'Bad request');
  }
  const encoding = request.headers['transfer-encoding'];
  if (encoding === undefined) return undefined;
  if (request.httpVersion === '1.0') return farewell(exchange, 400, 'Bad request');
  return encoding.toLowerCase() === 'chunked' ? undefined : farewell(exchange, 501, 'Not implemented');
}

/** Bounds the length of the text that expressions and plugins read. */
function hasLongLine({ rawHeaders }: IncomingMessage): boolean {
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = [rawHeaders[index], rawHeaders[index + 1]];
    if (name.length + value.length + HEADER_LINE_REST > MAX_LINE) return true;
  }
  return false;
}

/** With two values, the gateway might use one and a module the other. */
function hasDuplicates({ rawHeaders }: IncomingMessage): boolean {
  let seenBits = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (LENGTHS[name.length] !== true) continue;
    const bit = UNIQUE.get(name.toLowerCase());
    if (bit === undefined) continue;
    if ((seenBits & bit) !== 0) return true;
    seenBits |= bit;
  }
  return false;
}

/** nginx: a line with its separators must fit into one of large_client_header_buffers. */
const MAX_LINE = 8192;
const REQUEST_LINE_REST = '  HTTP/1.1\r\n'.length;
const HEADER_LINE_REST = ': \r\n'.length;

/** nginx: the headers of ngx_http_headers_in that must not be repeated, each with its own bit. */
const UNIQUE: ReadonlyMap<string, number> = new Map(
  [
    'host',
    'authorization',
    'content-length',
    'content-range',
    'expect',
    'if-match',
    'if-modified-since',
    'if-none-match',
    'if-range',
    'if-unmodified-since',
    'transfer-encoding',
  ].map((name, index) => [name, 1 << index]),
);
const LENGTHS: readonly boolean[] = Array.from({ length: 32 }, (_, length) =>
  [...UNIQUE.keys()].some((name) => name.length === length),
);
