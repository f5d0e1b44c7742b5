import { connect, type Socket } from 'node:net';

export interface Load {
  /** Requests a second. */
  readonly rate: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
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
): Promise<Load> {
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  const startedAt = performance.now();
  let number = 0;
  const more = () => next(number++);
  await Promise.all(Array.from({ length: connections }, () => run(port, more, times, end)));
  const duration = (performance.now() - startedAt) / 1000;
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  return { rate: times.length / duration, p50: at(0.5), p99: at(0.99) };
}

function run(port: number, more: () => Buffer, times: number[], end: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let sent = 0;
    let pending = Buffer.alloc(0);
    const next = () => {
      sent = performance.now();
      socket.write(more());
    };
    socket.once('connect', next);
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      const rest = afterAnswer(pending);
      if (rest === undefined) return;
      if (rest instanceof Error) {
        socket.destroy();
        return reject(rest);
      }
      pending = rest;
      const now = performance.now();
      times.push(now - sent);
      if (now < end) return next();
      socket.destroy();
      resolve();
    });
  });
}

/** @returns the bytes after a complete response, or undefined if it is incomplete. */
function afterAnswer(bytes: Buffer): Buffer<ArrayBuffer> | Error | undefined {
  const head = bytes.indexOf('\r\n\r\n');
  if (head < 0) return undefined;
  const text = bytes.toString('latin1', 0, head);
  if (!text.startsWith('HTTP/1.1 2')) return new Error(`not a success: ${bytes.toString('utf8', 0, 500)}`);
  const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1];
  if (length !== undefined) {
    const end = head + 4 + Number(length);
    return bytes.length < end ? undefined : (bytes.subarray(end) as Buffer<ArrayBuffer>);
  }
  const end = bytes.indexOf('\r\n0\r\n\r\n', head);
  return end < 0 ? undefined : (bytes.subarray(end + 7) as Buffer<ArrayBuffer>);
}
