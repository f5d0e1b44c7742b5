import { SERVER } from '../identity.ts';
import type { ChainLink, Exchange } from './exchange.ts';
import { type Reply, renderError } from './replies.ts';
import { ResponseHead } from './response-head.ts';
import { connectionTokens } from './upstream-headers.ts';

export interface Rendered {
  readonly status: number;
  readonly head: ResponseHead;
  readonly body: string;
}

/** The gateway's own response, with the headers that plugins add. */
export function renderReply(exchange: Exchange, chain: readonly ChainLink[], reply: Reply): Rendered {
  exchange.markAnswered();
  const { body, contentType } =
    reply.message === undefined
      ? { body: reply.body ?? '', contentType: reply.contentType }
      : renderError(reply.message, exchange.id, exchange.request.headers.accept);
  const head = new ResponseHead();
  // RFC 9110, 8.6: a response without content has no Content-Length.
  const hasContent = reply.status !== 204;
  if (contentType !== undefined && hasContent) head.append('Content-Type', contentType);
  reply.decorate?.(head);
  // nginx puts its own headers last. The response for a failed upstream counts as proxied.
  if (hasContent) head.append('Content-Length', String(Buffer.byteLength(body)));
  head.append('Server', SERVER);
  if (exchange.proxied) {
    addLatencies(exchange, head);
    head.append('Via', `1.1 ${SERVER}`);
  } else head.append('X-Kong-Response-Latency', String(exchange.gatewayMs()));
  head.append('X-Kong-Request-Id', exchange.id);
  runHeaderPhase(exchange, chain, head);
  return { status: reply.status, head, body: hasContent ? body : '' };
}

/**
 * An upstream's head, without hop-by-hop headers.
 * @param raw name, value, name, value, … as bytes
 */
export function relayedHead(
  exchange: Exchange,
  chain: readonly ChainLink[],
  raw: readonly (Buffer | string)[],
): ResponseHead {
  exchange.markAnswered();
  const head = new ResponseHead();
  let connection: string | undefined;
  let via = '';
  for (let index = 0; index < raw.length; index += 2) {
    const name = latin1(raw[index]);
    const value = latin1(raw[index + 1]);
    const lower = name.toLowerCase();
    if (lower === 'via') via += `${value}, `;
    else if (lower === 'connection') connection = connection === undefined ? value : `${connection},${value}`;
    else if (!ENDS_HERE.has(lower)) head.append(name, value);
  }
  if (!mayAnnounceTrailers(exchange, head)) head.remove('Trailer');
  for (const name of connectionTokens(connection) ?? []) head.remove(name);
  if (exchange.newCookie !== undefined) head.append('Set-Cookie', exchange.newCookie);
  addLatencies(exchange, head);
  head.append('Via', `${via}1.1 ${SERVER}`);
  head.append('X-Kong-Request-Id', exchange.id);
  runHeaderPhase(exchange, chain, head);
  return head;
}

export function runLogPhase(exchange: Exchange, chain: readonly ChainLink[]): void {
  for (const link of chain) handlersOf(exchange, link)?.log?.(exchange);
}

/** The configuration of a plugin that applies to the caller, if the caller is known. */
export function handlersOf(exchange: Exchange, link: ChainLink) {
  return exchange.consumer ? link.forConsumer(exchange.consumer.id) : link.base;
}

function runHeaderPhase(exchange: Exchange, chain: readonly ChainLink[], head: ResponseHead): void {
  for (const link of chain) handlersOf(exchange, link)?.headers?.(exchange, head);
}

function addLatencies(exchange: Exchange, head: ResponseHead): void {
  head.append('X-Kong-Upstream-Latency', String(exchange.upstreamMs()));
  head.append('X-Kong-Proxy-Latency', String(exchange.gatewayMs()));
}

/** Clients announce that they accept trailers (RFC 9110, 10.1.4), which can only follow a body without a length. */
function mayAnnounceTrailers({ request }: Exchange, head: ResponseHead): boolean {
  const wants = /\btrailers\b/i.test(String(request.headers.te ?? ''));
  return wants && request.httpVersion !== '1.0' && head.get('Content-Length') === undefined;
}

function latin1(part: Buffer | string | undefined): string {
  return typeof part === 'string' ? part : (part?.toString('latin1') ?? '');
}

/** Hop-by-hop headers, and headers that control nginx. */
const ENDS_HERE = new Set([
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
  'x-accel-buffering',
  'x-accel-redirect',
  'x-accel-expires',
  'x-accel-limit-rate',
  'x-accel-charset',
]);
