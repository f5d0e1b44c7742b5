import type { IncomingMessage } from 'node:http';
import { SentBody } from './sent-body.ts';

/** Why a request's body could not be read to its end. */
export class UploadError extends Error {
  readonly reason: 'too large' | 'too many' | 'too slow' | 'aborted';

  constructor(reason: UploadError['reason']) {
    super(`The request body could not be received: ${reason}`);
    this.reason = reason;
  }
}

/**
 * A request body that is streamed upstream. It separates the client's connection from the upstream's, so that the end
 * of one does not end the other. It counts bytes and aborts clients that send nothing for a minute.
 */
export class Upload extends SentBody {
  /** After the first bytes, the body can't be sent again. */
  started = false;
  bytes = 0;
  readonly #request: IncomingMessage;
  readonly #limit: number;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param limit in bytes. A longer body is too large.
   * @param writeTimeout how long to wait for the upstream
   */
  constructor(request: IncomingMessage, limit = Number.POSITIVE_INFINITY, writeTimeout?: number) {
    super(writeTimeout);
    this.#request = request;
    this.#limit = limit;
  }

  protected override more(): void {
    if (!this.started) this.#start();
    this.#timer?.refresh();
    this.#request.resume();
  }

  protected override free(): void {
    clearTimeout(this.#timer);
    if (!this.started) return;
    this.#request
      .off('data', this.#onData)
      .off('end', this.#onEnd)
      .off('error', this.#onAbort)
      .off('close', this.#onAbort);
    this.#request.on('error', ignore);
  }

  #start(): void {
    this.started = true;
    this.#timer = setTimeout(() => this.#timedOut(), IDLE_MS).unref();
    this.#request.on('data', this.#onData).on('end', this.#onEnd).on('error', this.#onAbort).on('close', this.#onAbort);
  }

  #timedOut(): void {
    // While the upstream accepts nothing, the client's timeout is paused.
    if (this.#request.isPaused()) this.#timer?.refresh();
    else this.destroy(new UploadError('too slow'));
  }

  readonly #onData = (chunk: Buffer): void => {
    this.bytes += chunk.length;
    this.#timer?.refresh();
    if (this.bytes > this.#limit) this.destroy(new UploadError('too large'));
    else if (!this.give(chunk)) this.#request.pause();
  };

  readonly #onEnd = (): void => {
    clearTimeout(this.#timer);
    this.give(null);
  };

  readonly #onAbort = (): void => {
    if (!this.#request.complete) this.destroy(new UploadError('aborted'));
  };
}

/** Reads a complete body. Rejects with an UploadError. */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of new Upload(request, limit)) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/**
 * Discards what a client still sends after the response, so that it can read the response. A client that never stops
 * is disconnected.
 */
export function discardRest(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  let bytes = 0;
  const timer = setTimeout(() => request.socket.destroy(), DISCARD_MS).unref();
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > DISCARD_BYTES) request.socket.destroy();
  });
  request.on('error', ignore);
  request.once('close', () => clearTimeout(timer));
  request.resume();
}

function ignore(): void {}

/** nginx: client_body_timeout, lingering_timeout. */
const IDLE_MS = 60_000;
const DISCARD_MS = 30_000;
const DISCARD_BYTES = 64 * 1024 * 1024;
