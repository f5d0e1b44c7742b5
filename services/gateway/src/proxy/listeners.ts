import {
  createServer,
  type IncomingMessage,
  METHODS,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SecureContext } from 'node:tls';
import { SERVER } from '../identity.ts';
import type { Address } from '../settings.ts';
import { type Http2Side, serveHttp2 } from './http2.ts';
import type { RequestProxy } from './proxy.ts';
import { answerBadRequest, type BadRequest, beginAnswer, endConnection, inTurn, isAnswering } from './under-way.ts';

/** The counts of a listener for `/status`. */
export interface ConnectionCounts {
  accepted: number;
  requests: number;
  active: number;
}

/** A server that accepts connections until it is stopped, then finishes its requests. */
export class Listener {
  readonly counts: ConnectionCounts = { accepted: 0, requests: 0, active: 0 };
  readonly #server: Server;
  readonly #http2: Http2Side | undefined;
  /** All connections, including those upgraded to WebSockets. */
  readonly #sockets = new Set<Duplex>();
  #stopping = false;
  #lastRequest = 0;

  /**
   * @param tell called for input that is not a request
   * @param takeHttp2 serves the HTTP/2 connections of the server, and calls back for each request
   */
  constructor(
    server: Server,
    tell?: (bad: BadRequest, socket: Duplex) => void,
    takeHttp2?: (onRequest: () => void) => Http2Side,
  ) {
    this.#server = server;
    const countRequest = () => {
      this.counts.requests += 1;
      this.#lastRequest = performance.now();
    };
    this.#http2 = takeHttp2?.(countRequest);
    const begin = (_request: IncomingMessage, response: ServerResponse) => {
      countRequest();
      beginAnswer(response);
      if (this.#stopping) response.shouldKeepAlive = false;
    };
    for (const event of ['request', 'checkContinue', 'checkExpectation']) {
      // Another listener would disable node's own handling.
      if (server.listenerCount(event) > 0) server.prependListener(event, begin);
    }
    server.on('connection', (socket: Duplex) => {
      this.counts.accepted += 1;
      this.counts.active += 1;
      this.#sockets.add(socket);
      socket.once('close', () => {
        this.counts.active -= 1;
        this.#sockets.delete(socket);
      });
    });
    const answerBad = (error: { code?: string }, socket: Duplex) =>
      answerBadRequest(error, socket, (bad) => tell?.(bad, socket));
    server.on('clientError', answerBad);
    // CONNECT would turn the gateway into an open proxy.
    server.on('connect', (_request, socket: Duplex) => {
      socket.on('error', () => undefined);
      answerBad({ code: 'CONNECT' }, socket);
    });
  }

  /** Rejects with the system's error, such as `EADDRINUSE` for a port in use. */
  listen({ host, port }: Address): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ host, port, backlog: 4096 }, () => {
        this.#server.off('error', reject);
        this.#server.on('error', () => undefined);
        resolve();
      });
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo | null)?.port ?? 0;
  }

  /**
   * Keeps serving while requests arrive, and closes each connection after its response. Then it accepts no new
   * connections and waits for the current requests, for at most `graceMs`.
   */
  async stop(graceMs: number): Promise<void> {
    if (!this.#server.listening) return;
    this.#stopping = true;
    this.#http2?.stop();
    await this.#quiet();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    const closeIdle = setInterval(() => this.#server.closeIdleConnections(), 100);
    const timer = setTimeout(() => {
      for (const socket of this.#sockets) socket.destroy();
    }, graceMs);
    await closed;
    clearInterval(closeIdle);
    clearTimeout(timer);
    for (const socket of this.#sockets) socket.destroy();
  }

  /**
   * An idle connection that is closed may have a request in transit, which not every client retries. So clients are
   * told to close their connections, and the remaining ones are closed after a period without requests.
   */
  async #quiet(): Promise<void> {
    const startedAt = performance.now();
    for (;;) {
      const now = performance.now();
      const until = Math.min(Math.max(startedAt, this.#lastRequest) + QUIET_MS, startedAt + LINGER_MS);
      if (this.#sockets.size === 0 || now >= until) return;
      await sleep(Math.min(POLL_MS, until - now));
    }
  }
}

const QUIET_MS = 1_000;
const LINGER_MS = 10_000;
const POLL_MS = 50;

/** @param refuseMethod the error for a request with an unknown method, which node:http does not accept */
export function createAdminListener(
  handle: RequestListener,
  refuseMethod?: (target: string) => { readonly status: number; readonly body: object },
): Listener {
  const server = createServer(OPTIONS, handle);
  if (refuseMethod) {
    server.on('clientError', (error: { code?: string; rawPacket?: Buffer }, socket) => {
      const [, method = '', target = ''] = REQUEST_LINE.exec(error.rawPacket?.toString('latin1') ?? '') ?? [];
      // The rest of the packet behind a parsed request is not a request with an unknown method.
      if (error.code !== 'HPE_INVALID_METHOD' || target === '' || METHODS.includes(method)) return;
      const { status, body } = refuseMethod(target);
      endConnection(socket, jsonAnswer(status, body));
    });
  }
  return new Listener(server);
}

function jsonAnswer(status: number, body: object): string {
  const text = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Date: ${new Date().toUTCString()}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
    `Server: ${SERVER}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${text}`;
}

const REQUEST_LINE = /^([A-Z_-]{1,32}) (\S+) HTTP\/1\.[01]\r?\n/;

/**
 * A listener of the proxy: requests, requests that wait for 100 Continue, and WebSocket handshakes.
 * @param tls the certificates of the listener, which also offers HTTP/2
 */
export function createProxyListener(proxy: RequestProxy, tls?: TlsIdentity): Listener {
  const scheme = tls ? 'https' : 'http';
  const portOf = ({ socket }: IncomingMessage) => socket.localPort ?? 0;
  const handle = (request: IncomingMessage, response: ServerResponse) =>
    inTurn(response, () => proxy.handle(request, response, scheme, portOf(request)));
  // A request without Host gets Kong's response instead of node:http's.
  const options = { ...OPTIONS, shouldUpgradeCallback: isWebSocket, requireHostHeader: false };
  const listenTo = <S extends Server>(server: S): S => {
    server.on('checkContinue', handle);
    server.on('checkExpectation', handle);
    server.on('upgrade', (request, socket, head) => proxy.upgrade(request, socket, head, scheme, portOf(request)));
    return server;
  };
  const tell = (bad: BadRequest, socket: Duplex) => proxy.refused(bad, socket);
  if (!tls) return new Listener(listenTo(createServer(options, handle)), tell);
  const { cert, key, contextFor } = tls;
  const server = createTlsServer(
    {
      ...options,
      cert,
      key,
      ALPNProtocols: ['h2', 'http/1.1'],
      SNICallback: (servername, choose) => choose(null, contextFor(servername)),
    },
    handle,
  );
  return new Listener(listenTo(server), tell, (onRequest) =>
    serveHttp2(server, (request, response) => {
      onRequest();
      handle(request, response);
    }),
  );
}

/** The certificates of a TLS listener: its default, and others by server name. */
export interface TlsIdentity {
  readonly cert: string;
  readonly key: string;
  readonly contextFor: (servername: string) => SecureContext | undefined;
}

/**
 * Only a WebSocket handshake (RFC 6455, 4.1) is upgraded, and not while a response is in progress. Any other request
 * for an upgrade is handled as an ordinary request.
 */
function isWebSocket({ headers, method, socket }: IncomingMessage): boolean {
  if (headers.upgrade?.toLowerCase() !== 'websocket' || method !== 'GET') return false;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
  return !hasBody && !isAnswering(socket);
}

const OPTIONS = {
  // nginx: large_client_header_buffers 4 8k, client_header_timeout, keepalive_timeout.
  maxHeaderSize: 32 * 1024,
  headersTimeout: 60_000,
  keepAliveTimeout: 75_000,
  // Bodies have their own timeout between two reads.
  requestTimeout: 0,
};
