import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { Destination, Peer } from '../runtime/destination.ts';
import { writeChunk } from './chunks.ts';
import type { Exchange, Ready } from './exchange.ts';
import { errorPage, failureOf, failureReply, outcomeOf } from './failures.ts';
import { writeHead } from './http2.ts';
import { upstreamPath } from './path.ts';
import { type Reply, refuse } from './replies.ts';
import { relayedHead } from './respond.ts';
import { MEMORY_BYTES, StoredBody } from './stored-body.ts';
import { Patience, TimedOut } from './timeouts.ts';
import { STALLED_MS } from './under-way.ts';
import { Upload } from './upload.ts';
import { upstreamHeaders } from './upstream-headers.ts';

/** A request that is being proxied: sent, sent again where that is safe, and its answer streamed back. */
export class Forward implements Dispatcher.DispatchHandler {
  readonly #exchange: Exchange;
  readonly #response: ServerResponse;
  readonly #service: Ready['service'];
  readonly #destination: Destination;
  readonly #reply: (reply: Reply) => void;
  readonly #path: string;
  #attempts = 0;
  readonly #tried = new Set<object>();
  #peer: Peer | undefined;
  #body: StoredBody | Upload | null = null;
  /** The body of the current attempt. */
  #sending: { readonly body: Buffer | Readable | null } | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #sent = false;
  #done = false;
  #stalled: NodeJS.Timeout | undefined;
  readonly #upstream: Patience;
  /** The length of the response in bytes, if the upstream has declared it. */
  #length = Number.NaN;

  /** @param reply answers the client with the gateway's own response */
  constructor(exchange: Exchange, response: ServerResponse, runtime: Ready, reply: (reply: Reply) => void) {
    this.#exchange = exchange;
    this.#response = response;
    this.#service = runtime.service;
    this.#destination = runtime.destination;
    this.#reply = reply;
    this.#path = upstreamPath(exchange, runtime.route, runtime.service.path);
    this.#upstream = new Patience(runtime.service.read_timeout, () =>
      this.#controller?.abort(new TimedOut('The upstream does not answer')),
    );
  }

  start(): void {
    this.#exchange.onClosed = () => this.#clientGone();
    const { headers } = this.#exchange.request;
    const length = Number(headers['content-length'] ?? 0);
    const isStreamed = headers['transfer-encoding'] !== undefined || length > MEMORY_BYTES;
    if (this.#exchange.body) this.#sendStored(this.#exchange.body);
    else if (isStreamed) {
      this.#exchange.askForBody();
      this.#body = this.#newUpload();
      this.#attempt();
    } else if (length === 0) this.#attempt();
    else {
      // A small body is buffered, so that it can be sent again.
      this.#exchange.storeBody().then(
        (body) => this.#sendStored(body),
        (error: unknown) => this.#fail(error),
      );
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#sent = true;
    if (this.#done) {
      controller.abort(new Error('The client has gone'));
      return;
    }
    this.#controller = controller;
    // While a body is sent, the timeout counts from its last progress.
    const { body } = this.#sending ?? {};
    if (body instanceof Readable && !body.readableEnded) body.once('end', () => this.#awaitUpstream());
    else this.#upstream.start();
  }

  #awaitUpstream(): void {
    if (!this.#done) this.#upstream.start();
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    _headers: unknown,
    statusText?: string,
  ): void {
    // Informational responses are not passed on.
    if (this.#done) return;
    this.#upstream.start();
    if (status < 200) return;
    const { rawHeaders } = controller;
    this.#peer?.report(status);
    const runtime = this.#exchange.runtime;
    const head = relayedHead(this.#exchange, runtime?.chain ?? [], Array.isArray(rawHeaders) ? rawHeaders : []);
    try {
      writeHead(this.#response, status, statusText, head.flat);
    } catch (error) {
      // A status that can't be passed on. The upstream did answer, so there is no retry.
      controller.abort(error as Error);
      this.#fail(error);
      return;
    }
    this.#exchange.status = status;
    this.#exchange.fromUpstream = true;
    this.#length = Number(head.get('content-length') ?? Number.NaN);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#done) return;
    this.#upstream.start();
    const isFirst = this.#exchange.bytesOut === 0;
    this.#exchange.bytesOut += chunk.length;
    if (chunk.length === this.#length && chunk.length <= WRITTEN_AT_ONCE_BYTES) {
      // Node writes head and body in one chunk if both are strings, which is much cheaper than two writes.
      this.#finish();
      this.#response.end(chunk.toString('latin1'), 'latin1');
      return;
    }
    if (isFirst ? this.#response.write(chunk) : writeChunk(this.#response, chunk)) return;
    controller.pause();
    this.#upstream.stop();
    this.#stalled = setTimeout(() => this.#response.destroy(), STALLED_MS).unref();
    this.#response.once('drain', () => this.#drained());
  }

  onResponseEnd(): void {
    if (this.#done) return;
    this.#finish();
    this.#response.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#upstream.stop();
    if (this.#done) return;
    if (this.#response.headersSent) {
      // The client must not take a truncated response for a complete one.
      this.#finish();
      this.#response.destroy();
      return;
    }
    const failure = failureOf(error);
    const isUpstreams = failure === 'connection' || failure === 'timeout';
    const isRetried = isUpstreams && this.#mayRetry();
    if (isUpstreams) this.#peer?.report(outcomeOf(failure, isRetried));
    if (!isRetried) {
      this.#fail(error);
      return;
    }
    if (this.#peer) this.#tried.add(this.#peer.id);
    this.#peer?.release();
    setImmediate(() => this.#attempt());
  }

  #sendStored(body: StoredBody): void {
    this.#exchange.onClosed = () => this.#clientGone();
    this.#body = body;
    this.#attempt();
  }

  #attempt(): void {
    if (this.#done) return;
    const isRetry = this.#attempts > 0;
    const peer = this.#destination.next(this.#exchange, this.#tried);
    if (!peer) {
      const unavailable = errorPage(this.#exchange, 503, 'The upstream server is currently unavailable');
      this.#end(isRetry ? unavailable : refuse(503, 'failure to get a peer from the ring-balancer'));
      return;
    }
    this.#attempts += 1;
    this.#peer = peer;
    this.#sent = false;
    if (isRetry && this.#body instanceof Upload) this.#body = this.#newUpload();
    this.#exchange.markDispatched();
    const hostHeader = this.#exchange.route?.preserve_host ? this.#exchange.authority : peer.hostHeader;
    const { write_timeout: writeTimeout } = this.#service;
    const body = this.#body instanceof StoredBody ? this.#body.content(writeTimeout) : this.#body;
    this.#sending = { body };
    try {
      this.#destination.dispatcher.dispatch(
        {
          origin: peer.origin,
          path: this.#path,
          method: this.#exchange.method,
          headers: upstreamHeaders(this.#exchange, hostHeader),
          body,
          headersTimeout: 0,
          bodyTimeout: 0,
        },
        this,
      );
    } catch (error) {
      this.#fail(error);
    }
  }

  /** A retry is safe if nothing was sent, or if the method is idempotent and the body is still available. */
  #mayRetry(): boolean {
    if (this.#attempts > this.#service.retries) return false;
    if (this.#body instanceof Upload && this.#body.started) return false;
    return !this.#sent || !NOT_IDEMPOTENT.has(this.#exchange.method);
  }

  #newUpload(): Upload {
    const upload = new Upload(this.#exchange.request, Number.POSITIVE_INFINITY, this.#service.write_timeout);
    upload.on('error', () => undefined);
    upload.on('close', () => {
      this.#exchange.bytesIn = upload.bytes;
    });
    return upload;
  }

  #fail(error: unknown): void {
    if (this.#done) return;
    const reply = failureReply(this.#exchange, failureOf(error));
    if (reply) {
      this.#end(reply);
      return;
    }
    this.#finish();
    this.#response.destroy();
  }

  #end(reply: Reply): void {
    this.#finish();
    this.#reply(reply);
  }

  #clientGone(): void {
    if (this.#done) return;
    const controller = this.#controller;
    this.#finish();
    controller?.abort(new Error('The client has gone'));
    if (this.#body instanceof Upload) this.#body.destroy();
  }

  #drained(): void {
    clearTimeout(this.#stalled);
    if (this.#done) return;
    this.#upstream.start();
    this.#controller?.resume();
  }

  #finish(): void {
    this.#done = true;
    // It holds the response headers as buffers, which are expensive to collect once they are old.
    this.#controller = undefined;
    this.#sending = undefined;
    this.#upstream.stop();
    this.#peer?.release();
    clearTimeout(this.#stalled);
  }
}

/** Sent at most once, as in nginx: proxy_next_upstream without non_idempotent. */
const NOT_IDEMPOTENT = new Set(['POST', 'PATCH', 'LOCK']);
const WRITTEN_AT_ONCE_BYTES = 16 * 1024;
