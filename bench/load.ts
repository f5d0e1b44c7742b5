import { connect, type Socket } from 'node:net';

export interface Load {
  /** Requests a second. */
  readonly rate: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

export interface TimedLoad extends Load {
  /** How long each request took, in milliseconds, the shortest first. */
  readonly times: readonly number[];
}

/** @param times the shortest first. @param share such as 0.99 */
export function percentile(times: readonly number[], share: number): number {
  return times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
}

/** A request as bytes. @param body JSON */
export function request(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
): Buffer<ArrayBuffer> {
  const text = body === undefined ? '' : JSON.stringify(body);
  const own =
    body === undefined ? {} : { 'content-type': 'application/json', 'content-length': `${Buffer.byteLength(text)}` };
  const lines = Object.entries({ host: '127.0.0.1', ...headers, ...own }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`);
}

/**
 * Requests on kept-alive connections, each right after the last response. Raw sockets, so that the load uses little of
 * the machine's capacity.
 * @param next the bytes of the request with this number.
 * @throws Error if a response is not 2xx.
 */
export async function load(
  port: number,
  next: (number: number) => Buffer,
  { connections, seconds }: { readonly connections: number; readonly seconds: number },
): Promise<TimedLoad> {
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  const startedAt = performance.now();
  let number = 0;
  const more = () => next(number++);
  await Promise.all(Array.from({ length: connections }, () => run(port, more, times, end)));
  const duration = (performance.now() - startedAt) / 1000;
  times.sort((a, b) => a - b);
  return { rate: times.length / duration, p50: percentile(times, 0.5), p99: percentile(times, 0.99), times };
}

function run(port: number, more: () => Buffer, times: number[], end: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let sent = 0;
    const answer = new Answer();
    const socket: Socket = connect({
      ...{ port, host: '127.0.0.1', noDelay: true },
      onread: { buffer: Buffer.alloc(65_536), callback: take },
    });
    const next = () => {
      sent = performance.now();
      socket.write(more());
    };
    socket.once('connect', next);
    socket.on('error', reject);

    function take(count: number, buffer: Uint8Array): boolean {
      try {
        if (!answer.isComplete(Buffer.from(buffer.buffer, buffer.byteOffset, count))) return true;
      } catch (error) {
        socket.destroy();
        reject(error);
        return false;
      }
      const now = performance.now();
      times.push(now - sent);
      if (now < end) next();
      else {
        socket.destroy();
        resolve();
      }
      return true;
    }
  });
}

/** One response after the other. It keeps no bytes: to free their memory would take time that the server didn't. */
class Answer {
  #head = '';
  /** Bytes that are missing. */
  #missing: number | undefined;
  /** The last bytes of a response in chunks. */
  #tail = '';

  /** @returns whether these bytes are the last of the response. @throws Error if it is not 2xx. */
  isComplete(bytes: Buffer): boolean {
    if (this.#missing === undefined) {
      const begin = this.#head.length;
      this.#head += bytes.toString('latin1');
      const end = this.#head.indexOf(END_OF_HEAD);
      if (end < 0) return false;
      if (!this.#head.startsWith('HTTP/1.1 2')) throw new Error(`not a success: ${this.#head.slice(0, 500)}`);
      const length = /\r\ncontent-length: *(\d+)/i.exec(this.#head.slice(0, end + 2))?.[1];
      this.#missing = length === undefined ? Number.POSITIVE_INFINITY : Number(length);
      return this.#isLast(bytes.subarray(end + END_OF_HEAD.length - begin));
    }
    return this.#isLast(bytes);
  }

  #isLast(body: Buffer): boolean {
    this.#missing = (this.#missing ?? 0) - body.length;
    this.#tail = `${this.#tail}${body.toString('latin1', Math.max(0, body.length - END_OF_CHUNKS.length))}`;
    this.#tail = this.#tail.slice(-END_OF_CHUNKS.length);
    const isLast = this.#missing === Number.POSITIVE_INFINITY ? this.#tail === END_OF_CHUNKS : this.#missing <= 0;
    if (isLast) [this.#head, this.#missing, this.#tail] = ['', undefined, ''];
    return isLast;
  }
}

const END_OF_HEAD = '\r\n\r\n';
const END_OF_CHUNKS = '\r\n0\r\n\r\n';
