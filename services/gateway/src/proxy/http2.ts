import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  createServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type OutgoingHttpHeaders,
  type ServerHttp2Session,
} from 'node:http2';
import type { TLSSocket, Server as TlsServer } from 'node:tls';

/** The HTTP/2 side of a TLS listener. */
export interface Http2Side {
  /** Ends each session after its current requests. */
  readonly stop: () => void;
}

/** Serves the connections of a TLS server that negotiated HTTP/2 (ALPN). The others stay HTTP/1.1. */
export function serveHttp2(
  server: TlsServer,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Http2Side {
  const sessions = new Set<ServerHttp2Session>();
  const http2 = createServer(OPTIONS);
  const take = (request: Http2ServerRequest, response: Http2ServerResponse) =>
    // The compatibility API of node:http2 has every used member of ServerResponse, but another type.
    handle(asHttp1(request), response as unknown as ServerResponse);
  http2.on('request', take);
  http2.on('checkContinue', take);
  http2.on('sessionError', () => undefined);
  http2.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
    session.setTimeout(IDLE_MS, () => session.close());
  });
  const serveHttp1 = server.listeners('secureConnection');
  server.removeAllListeners('secureConnection');
  server.on('secureConnection', (socket: TLSSocket) => {
    if (socket.alpnProtocol === 'h2') http2.emit('connection', socket);
    else for (const serve of serveHttp1) serve.call(server, socket);
  });
  return {
    stop: () => {
      for (const session of sessions) session.close();
    },
  };
}

/**
 * Throws if the client's version of HTTP has no such status. Nothing was sent then, and another head may follow.
 * @param statusText omitted if it can't be sent
 * @param flat name, value, name, value, …
 */
export function writeHead(
  response: ServerResponse,
  status: number,
  statusText: string | undefined,
  flat: string[],
): void {
  const http2 = http2Of(response);
  if (!http2) {
    response.writeHead(status, statusText && PHRASE.test(statusText) ? statusText : undefined, flat);
    // Without a length this may be a stream whose first event comes late.
    if (!namesLength(flat)) response.flushHeaders();
    return;
  }
  http2.statusCode = status;
  const headers: OutgoingHttpHeaders = {};
  for (let index = 0; index < flat.length; index += 2) {
    const name = String(flat[index]).toLowerCase();
    const value = String(flat[index + 1]);
    if (OF_HTTP1.has(name)) continue;
    const present = headers[name];
    headers[name] = present === undefined ? value : [present, value].flat().map(String);
  }
  for (const [name, value] of Object.entries(headers)) {
    // Repeated fields that node accepts only once are joined, as in HTTP/1.1.
    const single = Array.isArray(value) && name !== 'set-cookie' ? value.join(', ') : value;
    if (single !== undefined) http2.setHeader(name, single);
  }
  http2.writeHead(status);
}

function namesLength(flat: readonly string[]): boolean {
  return flat.some((part, index) => index % 2 === 0 && part.length === 14 && part.toLowerCase() === 'content-length');
}

/** Tells an HTTP/2 client that this is the last response of its session. */
export function endSession(response: ServerResponse): void {
  http2Of(response)?.stream.session?.close();
}

function http2Of(response: ServerResponse): Http2ServerResponse | undefined {
  return 'stream' in response ? (response as unknown as Http2ServerResponse) : undefined;
}

/**
 * Converts a request to the form of HTTP/1.1 (RFC 9113, 8.2 and 8.3): Host for `:authority`, one cookie header, no
 * pseudo headers, and chunked where a body of unknown length follows.
 */
function asHttp1(request: Http2ServerRequest): IncomingMessage {
  const { headers, rawHeaders } = request;
  const authority = headers[':authority'];
  if (authority !== undefined) headers.host = authority;
  const cookies: string[] = [];
  const headerPairs: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    const value = rawHeaders[index + 1] as string;
    if (name === 'cookie') cookies.push(value);
    else if (!name.startsWith(':')) headerPairs.push(name, value);
  }
  if (cookies.length > 0) {
    headers.cookie = cookies.join('; ');
    headerPairs.push('cookie', headers.cookie);
  }
  rawHeaders.splice(0, rawHeaders.length, ...headerPairs);
  if (headers['content-length'] === undefined && !request.stream.endAfterHeaders)
    headers['transfer-encoding'] = 'chunked';
  // The compatibility API of node:http2 has every used member of IncomingMessage, but another type.
  return request as unknown as IncomingMessage;
}

/** RFC 9112, 4. */
const PHRASE = /^[\t\x20-\x7e\x80-\xff]+$/;
/** RFC 9113, 8.2.2. */
const OF_HTTP1: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'upgrade',
  'transfer-encoding',
  'proxy-connection',
]);
/** nginx: http2_max_concurrent_streams, large_client_header_buffers, keepalive_timeout. */
const OPTIONS = { settings: { maxConcurrentStreams: 128, maxHeaderListSize: 32 * 1024 } };
const IDLE_MS = 75_000;
