import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Peer } from '../runtime/destination.ts';
import type { Exchange, Ready } from './exchange.ts';
import { errorPage, failureOf, failureReply, outcomeOf } from './failures.ts';
import { upstreamPath } from './path.ts';
import { type Reply, refuse } from './replies.ts';
import { relayedHead } from './respond.ts';
import { Patience, TimedOut } from './timeouts.ts';
import { endConnection, STALLED_MS } from './under-way.ts';
import { upstreamHeaders } from './upstream-headers.ts';

/** Requests the same upgrade from the upstream, and joins both connections if it agrees. */
export function tunnel(
  exchange: Exchange,
  client: Duplex,
  early: Buffer,
  runtime: Ready,
  reply: (reply: Reply) => void,
): void {
  new Handshake(exchange, client, early, runtime, reply).attempt();
}

/** A pending handshake on its own connection, with the TLS settings of the service's other requests. */
class Handshake {
  readonly #exchange: Exchange;
  readonly #client: Duplex;
  readonly #early: Buffer;
  readonly #runtime: Ready;
  readonly #reply: (reply: Reply) => void;
  readonly #tried = new Set<object>();
  readonly #upstream: Patience;
  #retriesLeft: number;
  #peer: Peer | undefined;
  #request: ClientRequest | undefined;

  constructor(exchange: Exchange, client: Duplex, early: Buffer, runtime: Ready, reply: (reply: Reply) => void) {
    this.#exchange = exchange;
    this.#client = client;
    this.#early = early;
    this.#runtime = runtime;
    this.#reply = reply;
    this.#retriesLeft = runtime.service.retries;
    this.#upstream = new Patience(runtime.service.read_timeout, () =>
      this.#request?.destroy(new TimedOut('The upstream does not answer')),
    );
    client.once('close', () => {
      this.#peer?.release();
      this.#upstream.stop();
      this.#request?.destroy();
    });
  }

  attempt(): void {
    const { route, destination } = this.#runtime;
    const peer = destination.next(this.#exchange, this.#tried);
    if (!peer) {
      this.#reply(refuse(503, 'failure to get a peer from the ring-balancer'));
      return;
    }
    this.#peer = peer;
    this.#exchange.markDispatched();
    const hostHeader = route.preserve_host ? this.#exchange.authority : peer.hostHeader;
    try {
      const { protocol, host, hostname, port } = new URL(peer.origin);
      const name = hostHeader.replace(/:\d+$/, '');
      const target = { protocol, host, hostname: hostname.replace(/^\[(.*)\]$/, '$1'), port };
      const servername = protocol === 'https:' && isIP(name) === 0 ? { servername: name } : {};
      destination.connect({ ...target, ...servername }, (error, socket) => {
        if (error) this.#failed(error);
        else if (this.#client.destroyed) socket.destroy();
        else this.#send(socket, hostHeader);
      });
    } catch (error) {
      this.#fail(error);
    }
  }

  #send(socket: Socket, hostHeader: string): void {
    const headers = upstreamHeaders(this.#exchange, hostHeader);
    headers.push('Connection', 'keep-alive, Upgrade', 'Upgrade', 'websocket');
    const path = upstreamPath(this.#exchange, this.#runtime.route, this.#runtime.service.path);
    const request = requestOn(socket, path, headers);
    if (!request) {
      socket.destroy();
      this.#reply(errorPage(this.#exchange, 400, 'Bad request'));
      return;
    }
    this.#request = request
      .on('upgrade', (response, upstream, early) => this.#switched(response, upstream, early))
      .on('response', (response) => this.#refused(response))
      .on('error', (error) => this.#failed(error));
    this.#request.end();
    this.#upstream.start();
  }

  #switched(response: IncomingMessage, upstream: Duplex, early: Buffer): void {
    this.#request = undefined;
    this.#upstream.stop();
    this.#writeHead(response, ['Connection: upgrade', 'Upgrade: websocket']);
    upstream.unshift(early);
    join(this.#exchange, this.#client, this.#early, upstream, this.#runtime.service.read_timeout);
  }

  /** Any other response is passed on, and the connection ends with it. */
  #refused(response: IncomingMessage): void {
    this.#upstream.start();
    this.#peer?.report(response.statusCode ?? 0);
    this.#writeHead(response, ['Connection: close']);
    response.on('data', (chunk: Buffer) => {
      this.#exchange.bytesOut += chunk.length;
      this.#upstream.start();
      if (this.#client.write(chunk)) return;
      response.pause();
      this.#upstream.stop();
      const stalled = setTimeout(() => this.#client.destroy(), STALLED_MS).unref();
      this.#client.once('drain', () => {
        clearTimeout(stalled);
        this.#upstream.start();
        response.resume();
      });
    });
    response.on('error', (error) => this.#failed(error));
    response.on('end', () => {
      this.#upstream.stop();
      this.#peer?.release();
      endConnection(this.#client);
    });
  }

  #failed(error: Error): void {
    this.#request = undefined;
    this.#upstream.stop();
    if (this.#client.destroyed) return;
    if (this.#exchange.fromUpstream) {
      this.#client.destroy();
      return;
    }
    const failure = failureOf(error);
    const isRetried = this.#retriesLeft > 0 && failure === 'connection';
    if (failure === 'connection' || failure === 'timeout') this.#peer?.report(outcomeOf(failure, isRetried));
    this.#peer?.release();
    if (this.#peer) this.#tried.add(this.#peer.id);
    if (!isRetried) {
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
    { statusCode = 502, statusMessage = '', rawHeaders }: IncomingMessage,
    connection: readonly string[],
  ): void {
    this.#exchange.status = statusCode;
    this.#exchange.fromUpstream = true;
    const head = relayedHead(this.#exchange, this.#runtime.chain, rawHeaders);
    if (head.get('Date') === undefined) head.append('Date', new Date().toUTCString());
    const { flat } = head;
    const lines = [`HTTP/1.1 ${statusCode} ${statusMessage}`, ...connection];
    for (let index = 0; index < flat.length; index += 2) lines.push(`${flat[index]}: ${flat[index + 1]}`);
    this.#client.write(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'));
  }
}

/** @returns undefined for a head that node:http does not send, such as one with `Trailer`, which only chunks can have. */
function requestOn(socket: Socket, path: string, headers: string[]): ClientRequest | undefined {
  try {
    return httpRequest({ createConnection: () => socket, method: 'GET', path, headers, setHost: false });
  } catch {
    return undefined;
  }
}

/**
 * Passes bytes in both directions until one side ends or nothing arrives for a while. Bytes in transit still arrive.
 */
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
