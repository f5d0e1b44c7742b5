import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { SERVER } from '../identity.ts';
import { renderError } from './replies.ts';
import { requestId } from './request-id.ts';

/** The latest answer of each connection. Answers go out in order, so the others before it have ended when it has. */
const latest = new WeakMap<Duplex, ServerResponse>();
/** Connections that end with the answer that is under way. */
const refused = new WeakSet<Duplex>();

/** Remembers what a connection is busy with. */
export function beginAnswer(response: ServerResponse): void {
  latest.set(response.req.socket, response);
}

/** Whether a connection owes its client an answer, or the rest of one. */
export function isAnswering(socket: Duplex): boolean {
  return answerOf(socket) !== undefined;
}

/**
 * What is no HTTP gets one answer, and the end of its connection: after the answers to the requests before it. Where it
 * is the body of the latest request, it is the answer to that one, unless the upstream has answered already.
 */
export function answerBadRequest(error: { code?: string }, socket: Duplex): void {
  if (!socket.writable || socket.destroyed || refused.has(socket)) return;
  const answer = answerOf(socket);
  refused.add(socket);
  if (!answer) {
    endConnection(socket, pageOf(error));
    return;
  }
  const isBody = !answer.req.complete;
  answer.once('close', () => endConnection(socket, isBody ? undefined : pageOf(error)));
  if (!isBody || answer.headersSent) return;
  const { status, reason, headers, body } = partsOf(error);
  answer.writeHead(status, reason, headers.flat());
  answer.end(body);
}

/**
 * Ends a connection when everything is sent, or its client has taken nothing for a minute: what has left HTTP has no
 * other limit.
 * @param last what is sent before
 */
export function endConnection(socket: Duplex, last?: Buffer | string): void {
  if (!socket.writable || socket.destroyed) {
    socket.destroy();
    return;
  }
  const timer = setTimeout(() => socket.destroy(), STALLED_MS).unref();
  socket.once('close', () => clearTimeout(timer));
  const end = () => socket.destroy();
  if (last === undefined) socket.end(end);
  else socket.end(last, end);
}

/** nginx: send_timeout. */
export const STALLED_MS = 60_000;

function answerOf(socket: Duplex): ServerResponse | undefined {
  const answer = latest.get(socket);
  return !answer || answer.writableFinished || answer.destroyed ? undefined : answer;
}

function pageOf(error: { code?: string }): string {
  const { status, reason, headers, body } = partsOf(error);
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${reason}\r\nDate: ${new Date().toUTCString()}\r\n${lines.join('')}\r\n${body}`;
}

function partsOf(error: { code?: string }) {
  const [status, message] = PARSE_ERRORS[error.code ?? ''] ?? [400, 'Bad request'];
  const id = requestId();
  const { body, contentType } = renderError(message, id, 'text/plain');
  const headers = [
    ['Content-Type', contentType],
    ['Connection', 'close'],
    ['Content-Length', String(Buffer.byteLength(body))],
    ['Server', SERVER],
    ['X-Kong-Request-Id', id],
  ] as const;
  return { status, reason: STATUS_CODES[status] ?? message, headers, body };
}

const PARSE_ERRORS: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [494, 'Request header or cookie too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request timeout'],
  CONNECT: [405, 'Method not allowed'],
};
