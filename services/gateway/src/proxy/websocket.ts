import type { Duplex } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { Peer, Ready } from '../runtime/route-runtime.ts';
import type { Exchange } from './exchange.ts';
import { failureOf, failureReply } from './failures.ts';
import { upstreamPath } from './forward.ts';
import { type Reply, refuse } from './replies.ts';
import { relayedHead } from './respond.ts';
import { endConnection, STALLED_MS } from './under-way.ts';
import { upstreamHeaders } from './upstream-headers.ts';

/** Asks the upstream for the same protocol switch, and joins both connections when it agrees. */
export function tunnel(
  exchange: Exchange,
  client: Duplex,
  early: Buffer,
  runtime: Ready,
  reply: (reply: Reply) => void,
): void {
  new Handshake(exchange, client, early, runtime, reply).attempt();
}

/** A handshake on its way, on the connections and with the TLS settings of the service's other requests. */
class Handshake implements Dispatcher.DispatchHandler {
  readonly #exchange: Exchange;
  readonly #client: Duplex;
  readonly #early: Buffer;
  readonly #runtime: Ready;
  readonly #reply: (reply: Reply) => void;
  readonly #tried = new Set<object>();
  #retriesLeft: number;
  #peer: Peer | undefined;
  #controller: Dispatcher.DispatchController | undefined;

  constructor(exchange: Exchange, client: Duplex, early: Buffer, runtime: Ready, reply: (reply: Reply) => void) {
    this.#exchange = exchange;
    this.#client = client;
    this.#early = early;
    this.#runtime = runtime;
    this.#reply = reply;
    this.#retriesLeft = runtime.service.retries;
    client.once('close', () => {
      this.#peer?.release();
      this.#controller?.abort(new Error('The client has gone'));
    });
  }

  attempt(): void {
    const { route, service, destination } = this.#runtime;
    const peer = destination.next(this.#exchange, this.#tried);
    if (!peer) {
      this.#reply(refuse(503, 'failure to get a peer from the ring-balancer'));
      return;
    }
    this.#peer = peer;
    this.#exchange.markDispatched();
    const hostHeader = route.preserve_host ? this.#exchange.authority : peer.hostHeader;
    try {
      destination.dispatcher.dispatch(
        {
          origin: peer.origin,
          path: upstreamPath(this.#exchange, this.#runtime),
          method: 'GET',
          headers: upstreamHeaders(this.#exchange, hostHeader),
          upgrade: 'websocket',
          headersTimeout: service.read_timeout,
          bodyTimeout: service.read_timeout,
        },
        this,
      );
    } catch (error) {
      this.#fail(error);
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#client.destroyed) controller.abort(new Error('The client has gone'));
    else this.#controller = controller;
  }

  onRequestUpgrade(controller: Dispatcher.DispatchController, status: number, _headers: unknown, socket: Duplex): void {
    this.#controller = undefined;
    const { read_timeout: readTimeout, write_timeout: writeTimeout } = this.#runtime.service;
    this.#writeHead(controller, status, 'Switching Protocols', ['Connection: Upgrade', 'Upgrade: websocket']);
    join(this.#exchange, this.#client, this.#early, socket, Math.max(readTimeout, writeTimeout));
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, _headers: unknown, statusText = ''): void {
    if (status < 200) return;
    this.#peer?.report(status);
    this.#writeHead(controller, status, statusText, ['Connection: close']);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#exchange.bytesOut += chunk.length;
    if (this.#client.write(chunk)) return;
    controller.pause();
    const stalled = setTimeout(() => this.#client.destroy(), STALLED_MS).unref();
    this.#client.once('drain', () => {
      clearTimeout(stalled);
      controller.resume();
    });
  }

  onResponseEnd(): void {
    this.#controller = undefined;
    this.#peer?.release();
    endConnection(this.#client);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#controller = undefined;
    if (this.#client.destroyed) return;
    if (this.#exchange.fromUpstream) {
      this.#client.destroy();
      return;
    }
    const failure = failureOf(error);
    if (failure === 'connection' || failure === 'timeout') {
      this.#peer?.report(failure === 'timeout' ? 'timeout' : 'tcp_failure');
    }
    this.#peer?.release();
    if (this.#peer) this.#tried.add(this.#peer.id);
    if (this.#retriesLeft === 0 || failure !== 'connection') {
      this.#fail(error);
      return;
    }
    this.#retriesLeft -= 1;
    setImmediate(() => {
      if (!this.#client.destroyed) this.attempt();
    });
  }

  #fail(error: unknown): void {
    const own = failureReply(this.#exchange, failureOf(error));
    if (own) this.#reply(own);
    else this.#client.destroy();
  }

  #writeHead(
    { rawHeaders }: Dispatcher.DispatchController,
    status: number,
    statusText: string,
    connection: readonly string[],
  ): void {
    this.#exchange.status = status;
    this.#exchange.fromUpstream = true;
    const { flat } = relayedHead(this.#exchange, this.#runtime.chain, Array.isArray(rawHeaders) ? rawHeaders : []);
    const lines = [`HTTP/1.1 ${status} ${statusText}`, ...connection];
    for (let index = 0; index < flat.length; index += 2) lines.push(`${flat[index]}: ${flat[index + 1]}`);
    this.#client.write(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'));
  }
}

/** Passes bytes both ways until one side ends, or nothing comes for a while; what was on its way still arrives. */
function join(exchange: Exchange, client: Duplex, early: Buffer, upstream: Duplex, idleMs: number): void {
  exchange.bytesIn = early.length;
  if (early.length > 0) upstream.write(early);
  const end = () => {
    clearTimeout(timer);
    client.destroy();
    upstream.destroy();
  };
  const timer = setTimeout(end, idleMs).unref();
  client
    .on('data', (chunk: Buffer) => {
      exchange.bytesIn += chunk.length;
      timer.refresh();
    })
    .on('error', end)
    .on('close', end)
    .once('end', () => upstream.end(end));
  upstream
    .on('data', (chunk: Buffer) => {
      exchange.bytesOut += chunk.length;
      timer.refresh();
    })
    .on('error', end)
    .on('close', end)
    .once('end', () => client.end(end));
  client.pipe(upstream, { end: false });
  upstream.pipe(client, { end: false });
}
