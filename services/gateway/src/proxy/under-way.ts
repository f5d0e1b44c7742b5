import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { SERVER } from '../identity.ts';
import { renderError } from './replies.ts';
import { requestId } from './request-id.ts';

/** What was answered to something that is no request. */
export interface BadRequest {
  readonly id: string;
  readonly status: number;
  /** Where that much was understood. */
  readonly method: string | undefined;
  /** Of the answer's body. */
  readonly bytes: number;
}

/** What a connection of HTTP/1 is busy with. It is one object, as a map for each fact costs a tenth of the throughput. */
interface Busy {
  /** Answers go out in order, so the others before the latest have ended when it has. */
  latest: ServerResponse;
  /** The unfinished answer before the latest. */
  before: ServerResponse | undefined;
  /** Refuses the latest request if its body is malformed, unless its answer has begun. */
  refuseBody: (() => void) | undefined;
  /** How many requests wait for the answers before theirs. */
  waiting: number;
}

const connections = new WeakMap<Duplex, Busy>();
/** Connections that end with the answer that is under way. */
const refused = new WeakSet<Duplex>();

/** Remembers what a connection is busy with. */
export function beginAnswer(response: ServerResponse): void {
  const { socket } = response.req;
  const busy = connections.get(socket);
  if (!busy) {
    connections.set(socket, { latest: response, before: undefined, refuseBody: undefined, waiting: 0 });
    return;
  }
  busy.before = unfinished(busy.latest);
  busy.latest = response;
  busy.refuseBody = undefined;
}

/**
 * Handles the latest request of a connection when those before it are answered, as nginx does: a GET that was sent
 * behind a POST may rely on what the POST did. Meanwhile nothing more is read from the connection.
 */
export function inTurn(response: ServerResponse, handle: () => void): void {
  const { socket } = response.req;
  const busy = connections.get(socket);
  const before = busy?.before;
  if (!busy || !before) {
    handle();
    return;
  }
  busy.waiting += 1;
  socket.pause();
  const start = () => {
    busy.waiting -= 1;
    if (socket.destroyed) return;
    if (busy.waiting === 0) socket.resume();
    handle();
  };
  if (before.closed) start();
  else before.once('close', start);
}

/** @param refuse answers a request whose body is malformed, unless its answer has begun */
export function onMalformedBody(response: ServerResponse, refuse: () => void): void {
  const busy = connections.get(response.req.socket);
  // The body of a request that another one follows is whole.
  if (busy?.latest === response) busy.refuseBody = refuse;
}

/** Whether a connection owes its client an answer, or the rest of one. */
export function isAnswering(socket: Duplex): boolean {
  const busy = connections.get(socket);
  return busy !== undefined && unfinished(busy.latest) !== undefined;
}

/**
 * What is no HTTP gets one answer, and the end of its connection: after the answers to the requests before it. Where it
 * is the body of the latest request, it is the answer to that one, unless the upstream has answered already.
 * @param tell told of what was answered to no request
 */
export function answerBadRequest(
  error: { code?: string },
  socket: Duplex,
  tell: (bad: BadRequest) => void = () => undefined,
): void {
  if (!socket.writable || socket.destroyed || refused.has(socket)) return;
  const busy = connections.get(socket);
  const answer = busy && unfinished(busy.latest);
  refused.add(socket);
  const sendPage = () => {
    const { text, bad } = pageOf(error);
    endConnection(socket, text);
    tell(bad);
  };
  if (!answer) {
    sendPage();
  } else if (answer.req.complete) {
    answer.once('close', sendPage);
  } else {
    answer.once('close', () => endConnection(socket));
    if (!answer.headersSent) (busy.refuseBody ?? (() => refuse(answer, error)))();
  }
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

function unfinished(answer: ServerResponse): ServerResponse | undefined {
  return answer.writableFinished || answer.destroyed ? undefined : answer;
}

function refuse(answer: ServerResponse, error: { code?: string }): void {
  const { status, reason, headers, body } = partsOf(error);
  answer.writeHead(status, reason, headers.flat());
  answer.end(body);
}

function pageOf(error: { code?: string }): { text: string; bad: BadRequest } {
  const { id, status, reason, headers, body } = partsOf(error);
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  const method = error.code === 'CONNECT' ? 'CONNECT' : undefined;
  return {
    text: `HTTP/1.1 ${status} ${reason}\r\nDate: ${new Date().toUTCString()}\r\n${lines.join('')}\r\n${body}`,
    bad: { id, status, method, bytes: body.length },
  };
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
  return { id, status, reason: STATUS_CODES[status] ?? message, headers, body };
}

const PARSE_ERRORS: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [494, 'Request header or cookie too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request timeout'],
  CONNECT: [405, 'Method not allowed'],
};
