import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import {
  type Agent,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { type Gateway, startGateway } from '../gateway.ts';
import type { Settings } from '../settings.ts';

export interface Answered {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** The body as JSON. Throws if it is not JSON. */
  readonly json: () => Record<string, unknown>;
}

export interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string | Buffer;
  /** Without an agent, no connection is kept alive. */
  readonly agent?: Agent;
}

/** One request on a new connection. */
export function send(
  port: number,
  path: string,
  { method = 'GET', headers = {}, body, agent }: Sent = {},
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: '127.0.0.1', port, path, method, headers, agent: agent ?? false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: text,
            json: () => JSON.parse(text),
          });
        });
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

/** Writes bytes to a port and collects the response until the other side ends. `undefined` after `timeoutMs`. */
export function sendRaw(port: number, text: string | Buffer, timeoutMs = 5000): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let received = '';
    const timer = setTimeout(() => {
      socket.destroy();
      resolve(undefined);
    }, timeoutMs);
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(received);
    });
  });
}

export interface TestGateway {
  readonly gateway: Gateway;
  readonly folder: string;
  readonly proxy: number;
  /** A call of the Admin API with a JSON body. */
  readonly admin: (method: string, path: string, body?: unknown) => Promise<Answered>;
  /** A call of the Admin API with a form. */
  readonly form: (method: string, path: string, text: string) => Promise<Answered>;
  /** Like `admin`, for set-up: throws the response if the call is refused. */
  readonly make: (method: string, path: string, body?: unknown) => Promise<Record<string, unknown> & { id: string }>;
  readonly get: (path: string, sent?: Sent) => Promise<Answered>;
  readonly stop: () => Promise<void>;
}

/** A gateway that keeps its configuration in its own folder, unless `own` says otherwise. */
export async function testGateway(own: Partial<Settings> = {}, log = pino({ level: 'silent' })): Promise<TestGateway> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-test-'));
  const freePort = { host: '127.0.0.1', port: 0 };
  const listeners = { proxy: freePort, proxyTls: freePort, admin: freePort };
  const storage = {
    ...{ dataDir: folder, databaseUrl: undefined, status: undefined },
    ...{ adminHosts: [], trustedIps: [], upstreamRequests: 1000, logLevel: 'silent' },
  };
  const settings = { ...listeners, ...storage, ...own };
  const gateway = await startGateway(settings, log);
  const admin = (method: string, path: string, body?: unknown) =>
    send(gateway.ports.admin, path, {
      method,
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
  return {
    gateway,
    folder,
    proxy: gateway.ports.proxy,
    admin,
    form: (method, path, text) =>
      send(gateway.ports.admin, path, {
        method,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: text,
      }),
    make: async (method, path, body) => {
      const answer = await admin(method, path, body);
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.body}`);
      return (answer.body === '' ? {} : answer.json()) as Record<string, unknown> & { id: string };
    },
    get: (path, sent) => send(gateway.ports.proxy, path, sent),
    stop: async () => {
      await gateway.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export interface TestUpstream {
  readonly port: number;
  readonly server: Server;
  /** The requests that it received, the latest last. */
  readonly requests: {
    readonly method: string;
    readonly url: string;
    readonly headers: IncomingMessage['headers'];
    body: string;
  }[];
  readonly stop: () => Promise<void>;
}

/** A server that echoes its requests, or answers with `handle`. */
export async function testUpstream(handle?: RequestListener, port = 0): Promise<TestUpstream> {
  const requests: TestUpstream['requests'] = [];
  const server = createServer((request, response) => {
    const record = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body: '' };
    requests.push(record);
    if (handle) {
      handle(request, response);
      return;
    }
    request.on('data', (chunk: Buffer) => {
      record.body += chunk.toString();
    });
    request.on('end', () => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(record));
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    server,
    requests,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Waits until the value satisfies a condition. Fails with the last value. */
export async function eventually<T>(
  look: () => Promise<T> | T,
  holds: (value: T) => boolean,
  timeoutMs = 10_000,
): Promise<T> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const value = await look();
    if (holds(value)) return value;
    if (Date.now() > end) throw new Error(`The condition was not met in time. Last value: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const publicPem = rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString();

/** A token signed with RS256, or with what `header` and `signature` say. */
export function token(claims: object, header: object = { alg: 'RS256', typ: 'JWT' }, signature?: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part(header)}.${part(claims)}`;
  return `${signed}.${signature ?? sign('sha256', Buffer.from(signed), rsa.privateKey).toString('base64url')}`;
}

export const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;
