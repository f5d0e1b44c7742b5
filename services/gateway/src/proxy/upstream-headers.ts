import type { IncomingMessage } from 'node:http';
import { SERVER } from '../identity.ts';
import type { Exchange } from './exchange.ts';
import { escapePath } from './path.ts';

/**
 * The upstream headers: the client's without hop-by-hop headers (RFC 9110, 7.6.1), the changes of plugins,
 * and the client's address. Forwarding headers are used only from trusted peers.
 */
export function upstreamHeaders(exchange: Exchange, hostHeader: string): string[] {
  const { request, requestChanges } = exchange;
  const connectionHeaders = connectionTokens(request.headers.connection);
  const headers = ['host', hostHeader];
  const { rawHeaders } = request;
  let forwardedFor = '';
  let via = '';
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    const value = rawHeaders[index + 1] as string;
    const lower = name.toLowerCase();
    if (lower === 'x-forwarded-for') forwardedFor += `${value}, `;
    else if (lower === 'via') via += `${value}, `;
    else if (!OWN.has(lower) && !connectionHeaders?.has(lower) && !requestChanges?.has(lower))
      headers.push(name, value);
  }
  const { te } = request.headers;
  if (te !== undefined && /\btrailers\b/i.test(String(te))) headers.push('te', 'trailers');
  if (requestChanges) {
    for (const { name, value } of requestChanges.values()) {
      if (value !== undefined) headers.push(name, headerText(value));
    }
  }
  const { peerIp, forwarded } = exchange.client;
  headers.push('X-Forwarded-For', forwardedFor + peerIp);
  headers.push('X-Forwarded-Proto', exchange.clientScheme, 'X-Forwarded-Host', forwarded.host ?? exchange.host);
  headers.push('X-Forwarded-Port', forwarded.port ?? String(exchange.port));
  headers.push('X-Forwarded-Path', forwarded.path ?? exchange.rawPath);
  const stripped = exchange.route?.strip_path ? exchange.path.slice(0, exchange.matched) : '';
  const prefix = forwarded.prefix ?? (stripped === '/' ? '' : escapePath(stripped));
  if (prefix !== '') headers.push('X-Forwarded-Prefix', prefix);
  headers.push(
    'X-Real-IP',
    exchange.clientIp,
    'Via',
    `${via}${httpVersion(request)} ${SERVER}`,
    'X-Kong-Request-Id',
    exchange.id,
  );
  return headers;
}

/** The HTTP version of the request. */
function httpVersion({ httpVersionMajor, httpVersion: version }: IncomingMessage): string {
  return httpVersionMajor === 2 ? '2' : version;
}

/** The headers that a Connection header names, which are not passed on. */
export function connectionTokens(connection: string | undefined): ReadonlySet<string> | undefined {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return undefined;
  return new Set(connection.split(',').map((token) => token.trim().toLowerCase()));
}

/** Names and groups may contain any character. They are sent as UTF-8 bytes. */
function headerText(value: string): string {
  return PLAIN.test(value) ? value : Buffer.from(value.replace(/[\r\n\0]/g, ' ')).toString('latin1');
}

const PLAIN = /^[\x20-\x7e]*$/;

/** Never copied from the client. */
const OWN = new Set([
  'host',
  'connection',
  'keep-alive',
  'proxy',
  'proxy-connection',
  'upgrade',
  'te',
  'transfer-encoding',
  'expect',
  'x-forwarded-proto',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-path',
  'x-forwarded-prefix',
  'x-real-ip',
  'x-kong-request-id',
]);
