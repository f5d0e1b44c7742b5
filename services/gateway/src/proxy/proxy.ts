import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { Logger } from 'pino';
import type { TrafficMetrics } from '../metrics.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { AccessLog } from './access-log.ts';
import { type ChainLink, Exchange, type Ready, type RouteRuntime } from './exchange.ts';
import { failureReply, farewell, noPlace } from './failures.ts';
import { Forward } from './forward.ts';
import { endSession, writeHead } from './http2.ts';
import type { IpRanges } from './ip-ranges.ts';
import { type Reply, refuse } from './replies.ts';
import { refuseHead } from './request-head.ts';
import { handlersOf, type Rendered, renderReply, runLogPhase } from './respond.ts';
import { Slots } from './slots.ts';
import { type BadRequest, endConnection, onMalformedBody } from './under-way.ts';
import { discardRest, UploadError } from './upload.ts';
import { tunnel } from './websocket.ts';

/** The outcome of router and plugins: a reply, or a destination upstream. */
type Admitted = { readonly reply: Reply } | { readonly runtime: Ready };

/** Takes each request through router, plugins and balancer. */
export class RequestProxy {
  /** While it stops, each response is the last of its session. */
  draining = false;
  readonly #runtime: Runtime;
  readonly #metrics: TrafficMetrics;
  readonly #log: Logger;
  readonly #access: AccessLog;
  readonly #trusted: IpRanges | undefined;
  readonly #slots: Slots;

  /**
   * @param upstreamRequests how many requests may be in progress at services at a time
   * @param trusted peers whose X-Forwarded-* headers are used
   */
  constructor(
    runtime: Runtime,
    metrics: TrafficMetrics,
    log: Logger,
    upstreamRequests: number,
    trusted: IpRanges | undefined,
  ) {
    this.#slots = new Slots(upstreamRequests);
    this.#runtime = runtime;
    this.#metrics = metrics;
    this.#log = log;
    this.#access = new AccessLog(log);
    this.#trusted = trusted;
  }

  handle(request: IncomingMessage, response: ServerResponse, scheme: 'http' | 'https', port: number): void {
    const exchange = new Exchange(request, scheme, port, this.#trusted);
    request.on('error', ignore);
    response.on('error', ignore);
    response.on('close', () => {
      exchange.close();
      this.#finished(exchange);
    });
    if (this.draining) endSession(response);
    if (request.headers.expect?.toLowerCase() === '100-continue') exchange.askForBody = () => response.writeContinue();
    const reply = (own: Reply) => {
      if (response.headersSent || response.destroyed) return;
      this.#guarded(
        exchange,
        () => {
          const { status, head, body } = this.#render(exchange, own);
          writeHead(response, status, undefined, head.flat);
          response.end(body);
        },
        () => response.destroy(),
      );
      discardRest(request);
    };
    onMalformedBody(response, () => reply(farewell(exchange, 400, 'Bad request')));
    this.#route(exchange, reply, (runtime) => new Forward(exchange, response, runtime, reply).start());
  }

  /** A WebSocket handshake: the plugins check it once, then bytes are passed on unchanged. */
  upgrade(request: IncomingMessage, socket: Duplex, early: Buffer, scheme: 'http' | 'https', port: number): void {
    const exchange = new Exchange(request, scheme, port, this.#trusted);
    socket.on('error', ignore);
    socket.once('close', () => {
      exchange.close();
      this.#finished(exchange);
    });
    const reply = (own: Reply) => {
      this.#guarded(
        exchange,
        () => endWith(socket, this.#render(exchange, own)),
        () => socket.destroy(),
      );
    };
    this.#route(exchange, reply, (runtime) => tunnel(exchange, socket, early, runtime, reply));
  }

  /** A request that was answered before it could be read. */
  refused(bad: BadRequest, socket: Duplex): void {
    this.#metrics.allRequests += 1;
    this.#access.writeBad(bad, socket);
  }

  #route(exchange: Exchange, reply: (reply: Reply) => void, proxied: (runtime: Ready) => void): void {
    const failed = () => reply(refuse(500, 'An unexpected error occurred'));
    const proceed = (admitted: Admitted) => {
      if ('reply' in admitted) {
        reply(admitted.reply);
        return;
      }
      const { runtime } = admitted;
      const start = () => this.#guarded(exchange, () => proxied(runtime), failed);
      const { id, connect_timeout: patience } = runtime.service;
      exchange.slot = this.#slots.take(id, patience, start, (why) => reply(noPlace(exchange, why)));
    };
    const wait = async (later: Promise<Admitted>) => {
      try {
        const admitted = await later;
        // The client may have disconnected meanwhile.
        if (!exchange.closed) proceed(admitted);
      } catch (error) {
        if (!(error instanceof UploadError)) {
          this.#logFault(exchange, error);
          failed();
          return;
        }
        const refusal = failureReply(exchange, error.reason);
        if (refusal) reply(refusal);
      }
    };
    this.#guarded(
      exchange,
      () => {
        const admitted = this.#admit(exchange);
        if (admitted instanceof Promise) void wait(admitted);
        else proceed(admitted);
      },
      failed,
    );
  }

  #admit(exchange: Exchange): Admitted | Promise<Admitted> {
    const refusal = refuseHead(exchange);
    if (refusal) return { reply: refusal };
    const { request } = exchange;
    const match = this.#runtime.router().find({
      method: exchange.method,
      scheme: exchange.scheme,
      host: exchange.host,
      port: exchange.port,
      path: exchange.path,
      sni: (request.socket as TLSSocket).servername || undefined,
      headerValues: (name) => exchange.headerValues(name),
    });
    if (!match) return { reply: refuse(404, 'no Route matched with those values') };
    const runtime = match.target;
    exchange.runtime = runtime;
    exchange.matched = match.matched;
    exchange.captures = match.captures;
    if (exchange.clientScheme !== 'https' && !runtime.route.protocols.includes('http'))
      return { reply: requireTls(exchange, runtime) };
    return runAccessPhase(exchange, runtime, 0);
  }

  /** An internal error ends one request, not the process. */
  #guarded(exchange: Exchange, work: () => void, otherwise: () => void): void {
    try {
      work();
    } catch (error) {
      this.#logFault(exchange, error);
      otherwise();
    }
  }

  #logFault(exchange: Exchange, error: unknown): void {
    this.#log.error({ err: error, requestId: exchange.id, path: exchange.rawPath }, 'The request could not be handled');
  }

  #render(exchange: Exchange, reply: Reply): Rendered {
    exchange.status = reply.status;
    const rendered = renderReply(exchange, this.#chainOf(exchange), reply);
    exchange.bytesOut = Buffer.byteLength(rendered.body);
    return rendered;
  }

  #chainOf(exchange: Exchange): readonly ChainLink[] {
    return exchange.runtime?.chain ?? this.#runtime.globalChain();
  }

  #finished(exchange: Exchange): void {
    // nginx's status for a client that disconnected before the response.
    if (exchange.status === 0) exchange.status = 499;
    this.#metrics.allRequests += 1;
    this.#guarded(
      exchange,
      () => runLogPhase(exchange, this.#chainOf(exchange)),
      () => undefined,
    );
    this.#access.write(exchange);
  }
}

/** Runs the access phase, starting from one link of the chain. */
function runAccessPhase(exchange: Exchange, runtime: RouteRuntime, from: number): Admitted | Promise<Admitted> {
  const { chain } = runtime;
  for (let index = from; index < chain.length; index += 1) {
    const reply = handlersOf(exchange, chain[index] as ChainLink)?.access?.(exchange);
    if (reply instanceof Promise)
      return reply.then((late) => (late ? { reply: late } : runAccessPhase(exchange, runtime, index + 1)));
    if (reply) return { reply };
  }
  if (!isReady(runtime)) return { reply: refuse(503, 'no Service found with those values') };
  return { runtime };
}

function isReady(runtime: RouteRuntime): runtime is Ready {
  return runtime.service !== undefined && runtime.destination !== undefined;
}

function requireTls(exchange: Exchange, { route }: RouteRuntime): Reply {
  const status = route.https_redirect_status_code;
  if (status === 426) {
    return {
      ...refuse(426, 'Please use HTTPS protocol'),
      decorate: (head) => {
        head.set('Connection', 'Upgrade');
        head.set('Upgrade', 'TLS/1.2, HTTP/1.1');
      },
    };
  }
  const location = `https://${exchange.host}${exchange.rawPath}${exchange.query}`;
  return { status, body: '', decorate: (head) => head.set('Location', location) };
}

function endWith(socket: Duplex, { status, head, body }: Rendered): void {
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    `Date: ${new Date().toUTCString()}`,
    'Connection: close',
  ];
  for (let index = 0; index < head.flat.length; index += 2) lines.push(`${head.flat[index]}: ${head.flat[index + 1]}`);
  endConnection(socket, `${lines.join('\r\n')}\r\n\r\n${body}`);
}

function ignore(): void {}
