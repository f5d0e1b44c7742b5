import type { Exchange } from './exchange.ts';
import { type Reply, refuse, renderError } from './replies.ts';
import type { ResponseHead } from './response-head.ts';
import { UploadError } from './upload.ts';

/** How an attempt at an upstream failed. */
export type Failure = 'connection' | 'timeout' | 'name' | UploadError['reason'];

/** Classifies an error of a connection or of the request's body. */
export function failureOf(error: unknown): Failure {
  if (error instanceof UploadError) return error.reason;
  const code = codeOf(error);
  if (TIMEOUTS.has(code)) return 'timeout';
  return NAME_ERRORS.has(code) ? 'name' : 'connection';
}

/** The reply to the client, or undefined if the client has disconnected. */
export function failureReply(exchange: Exchange, failure: Failure): Reply | undefined {
  switch (failure) {
    case 'connection':
      return errorPage(exchange, 502, 'An invalid response was received from the upstream server');
    case 'timeout':
      return errorPage(exchange, 504, 'The upstream server is timing out');
    case 'name':
      return { status: 503, message: 'name resolution failed' };
    case 'too large':
      return tooLarge(exchange);
    case 'too many':
      return { ...errorPage(exchange, 503, 'Too many bodies are being read'), decorate: soon };
    case 'too slow':
      return errorPage(exchange, 408, 'Request timeout');
    case 'aborted':
      return undefined;
  }
}

/**
 * What a failed attempt counts as in passive health checks. As in Kong, the last attempt counts as the response that
 * the client gets.
 */
export function outcomeOf(failure: 'connection' | 'timeout', isRetried: boolean): 'timeout' | 'tcp_failure' | number {
  if (failure === 'timeout') return 'timeout';
  return isRetried ? 'tcp_failure' : 502;
}

/** The reply to a request that got no slot. */
export function noPlace(exchange: Exchange, why: 'full' | 'late'): Reply {
  if (why === 'late') return errorPage(exchange, 504, 'The upstream server is timing out');
  return { ...errorPage(exchange, 503, 'Too many requests wait for this service'), decorate: soon };
}

function soon(head: ResponseHead): void {
  head.set('Retry-After', '1');
}

/** The reply of request-size-limiting: 417 for a client that waits for 100 Continue. */
export function tooLarge(exchange: Exchange): Reply {
  const isWaiting = exchange.requestHeader('expect')?.toLowerCase() === '100-continue';
  return refuse(isWaiting ? 417 : 413, 'Request size limit exceeded');
}

/** The error page of a failed request: by Accept, otherwise by the request's Content-Type, otherwise plain text. */
export function errorPage({ request, id }: Exchange, status: number, message: string): Reply {
  const accept = request.headers.accept ?? request.headers['content-type'] ?? 'text/plain';
  return { status, ...renderError(message, id, accept) };
}

/** The error page for what nginx does not pass to Kong. It is the last response of its connection. */
export function farewell(exchange: Exchange, status: number, message: string): Reply {
  return { ...errorPage(exchange, status, message), decorate: (head) => head.set('Connection', 'close') };
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

const TIMEOUTS = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT']);
// An invalid hostname, such as one that ends with a number but is not an address.
const NAME_ERRORS = new Set(['ERR_INVALID_URL', 'ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_NONAME']);
