import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { SERVER } from '../identity.ts';
import { renderError } from './replies.ts';
import { requestId } from './request-id.ts';

/** The response to input that is not a request. */
export interface BadRequest {
  readonly id: string;
  readonly status: number;
  /** Known if that much was parsed. */
  readonly method: string | undefined;
  /** The length of the response body. */
  readonly bytes: number;
}

/** The state of an HTTP/1 connection: one object, because a map for each fact costs a tenth of the throughput. */
interface ConnectionState {
  /** Responses are sent in order, so the ones before it have ended when it has. */
  latest: ServerResponse;
  /** The unfinished response before the latest. */
  before: ServerResponse | undefined;
  /** Refuses the latest request if its body is malformed, unless its response has begun. */
  refuseBody: (() => void) | undefined;
  /** How many requests wait for earlier responses. */
  waiting: number;
}

const connections = new WeakMap<Duplex, ConnectionState>();
/** Connections that end with the current response. */
const refused = new WeakSet<Duplex>();

/** Records the current response of a connection. */
export function beginAnswer(response: ServerResponse): void {
  const { socket } = response.req;
  const state = connections.get(socket);
  if (!state) {
    connections.set(socket, { latest: response, before: undefined, refuseBody: undefined, waiting: 0 });
    return;
  }
  state.before = unfinished(state.latest);
  state.latest = response;
  state.refuseBody = undefined;
}

/**
 * Handles the latest request of a connection when those before it are answered, as nginx does: a GET pipelined behind a
 * POST may rely on the POST's effect. Meanwhile nothing more is read from the connection.
 */
export function inTurn(response: ServerResponse, handle: () => void): void {
  const { socket } = response.req;
  const state = connections.get(socket);
  const before = state?.before;
  if (!state || !before) {
    handle();
    return;
  }
  state.waiting += 1;
  // node:http resumes the socket when it has parsed the request.
  process.nextTick(() => {
    if (state.waiting > 0) socket.pause();
  });
  const start = () => {
    state.waiting -= 1;
    if (socket.destroyed) return;
    if (state.waiting === 0) socket.resume();
    handle();
  };
  if (before.closed) start();
  else before.once('close', start);
}

/** @param refuse answers a request whose body is malformed, unless its response has begun */
export function onMalformedBody(response: ServerResponse, refuse: () => void): void {
  const state = connections.get(response.req.socket);
  // The body of a request that another one follows is whole.
  if (state?.latest === response) state.refuseBody = refuse;
}

/** Whether a connection has an unfinished response. */
export function isAnswering(socket: Duplex): boolean {
  const state = connections.get(socket);
  return state !== undefined && unfinished(state.latest) !== undefined;
}

/**
 * Answers malformed HTTP once and ends its connection, after the responses to the requests before it. If it
 * is the body of the latest request, it answers that request, unless the upstream has answered already.
 * @param tell called with a response that belongs to no request
 */
export function answerBadRequest(
  error: { code?: string },
  socket: Duplex,
  tell: (bad: BadRequest) => void = () => undefined,
): void {
  if (!socket.writable || socket.destroyed || refused.has(socket)) return;
  const state = connections.get(socket);
  const answer = state && unfinished(state.latest);
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
    if (!answer.headersSent) (state.refuseBody ?? (() => refuse(answer, error)))();
  }
}

/**
 * Ends a connection when everything is sent, or when its client has read nothing for a minute: an upgraded connection
 * has no other limit.
 * @param last sent before the end
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
