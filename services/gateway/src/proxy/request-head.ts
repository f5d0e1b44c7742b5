import type { IncomingMessage } from 'node:http';
import type { Exchange } from './exchange.ts';
import { farewell } from './failures.ts';
import { isMalformedPath } from './path.ts';
import type { Reply } from './replies.ts';

/** What nginx answers in Kong's name before Kong sees it; undefined for a head that is in order. */
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

/** So no expression and no plugin ever looks at a text of any length. */
function hasLongLine({ rawHeaders }: IncomingMessage): boolean {
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = [rawHeaders[index], rawHeaders[index + 1]];
    if (name.length + value.length + HEADER_LINE_REST > MAX_LINE) return true;
  }
  return false;
}

/** Of two values the gateway might look at one, and a module at the other. */
function hasDuplicates({ rawHeaders }: IncomingMessage): boolean {
  let seen = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (LENGTHS[name.length] !== true) continue;
    const bit = UNIQUE.get(name.toLowerCase());
    if (bit === undefined) continue;
    if ((seen & bit) !== 0) return true;
    seen |= bit;
  }
  return false;
}

/** nginx: a line must fit into one of large_client_header_buffers, with what stands around its parts. */
const MAX_LINE = 8192;
const REQUEST_LINE_REST = '  HTTP/1.1\r\n'.length;
const HEADER_LINE_REST = ': \r\n'.length;

/** nginx: those of ngx_http_headers_in that may come once; each with a bit of its own. */
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
