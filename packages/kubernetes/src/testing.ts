/** A small API server for tests of its clients: it lists, watches, and fails on demand. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KubeConfig } from '@kubernetes/client-node';
import { KubernetesClient, type KubernetesObject } from './client.ts';

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

const EXPIRED = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version' };

export class TestApiServer {
  readonly requests: Seen[] = [];
  readonly #server: Server;
  readonly #objects = new Map<string, KubernetesObject>();
  readonly #watches = new Set<ServerResponse>();
  readonly #log: { readonly version: number; readonly line: string }[] = [];
  #version = 100;
  /** Withholds changes from the watches, like a connection that loses them. */
  deaf = false;
  /** The responses to the next watches instead of a stream, in order. */
  readonly nextWatches: ('410' | '410 event' | 'end' | '500')[] = [];
  /** The number of continued pages to answer with 410. */
  expiredPages = 0;
  pageSize = 500;
  /** The response to writes, instead of the sent object. */
  answer: KubernetesObject | undefined;
  #held: (() => void)[] | undefined;

  private constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  static async start(): Promise<TestApiServer> {
    const server = new TestApiServer();
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  client(): KubernetesClient {
    const { port } = this.#server.address() as AddressInfo;
    const config = new KubeConfig();
    config.loadFromOptions({
      clusters: [{ name: 'test', server: `http://127.0.0.1:${port}`, skipTLSVerify: true }],
      users: [{ name: 'test' }],
      contexts: [{ name: 'test', cluster: 'test', user: 'test' }],
      currentContext: 'test',
    });
    return new KubernetesClient(config);
  }

  get lists(): number {
    return this.requests.filter(({ method, query }) => method === 'GET' && !query.has('watch')).length;
  }

  get watches(): readonly Seen[] {
    return this.requests.filter(({ query }) => query.has('watch'));
  }

  /** How many watches are open. */
  get watchers(): number {
    return this.#watches.size;
  }

  put(name: string): void {
    const type = this.#objects.has(name) ? 'MODIFIED' : 'ADDED';
    const uid = this.#objects.get(name)?.metadata.uid ?? `uid-${this.#version}`;
    this.#version += 1;
    const object = { metadata: { name, uid, resourceVersion: String(this.#version), creationTimestamp: '' } };
    this.#objects.set(name, object);
    this.#emit(type, object);
  }

  delete(name: string): void {
    const object = this.#objects.get(name);
    if (!object) throw new Error(`there is no ${name}`);
    this.#objects.delete(name);
    this.#version += 1;
    this.#emit('DELETED', { ...object, metadata: { ...object.metadata, resourceVersion: String(this.#version) } });
  }

  bookmark(): void {
    this.#send(JSON.stringify({ type: 'BOOKMARK', object: { metadata: { resourceVersion: String(this.#version) } } }));
  }

  /** Holds back the responses to lists, with their current content. @returns a function that releases them. */
  holdLists(): () => void {
    this.#held = [];
    return () => {
      for (const answer of this.#held ?? []) answer();
      this.#held = undefined;
    };
  }

  get heldLists(): number {
    return this.#held?.length ?? 0;
  }

  /** Ends all watches, as the server does after their timeout. */
  endWatches(): void {
    for (const watch of this.#watches) watch.end();
    this.#watches.clear();
  }

  /** Cuts all connections. */
  cut(): void {
    this.#server.closeAllConnections();
  }

  #emit(type: string, object: KubernetesObject): void {
    const line = JSON.stringify({ type, object });
    if (this.deaf) return;
    this.#log.push({ version: this.#version, line });
    this.#send(line);
  }

  #send(line: string): void {
    for (const watch of this.#watches) watch.write(`${line}\n`);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://test');
    let text = '';
    for await (const chunk of request) text += chunk;
    const body: unknown = text ? JSON.parse(text) : undefined;
    this.requests.push({ method: request.method ?? '', path: pathname, query: searchParams, body });
    if (request.method !== 'GET') send(response, 200, this.answer ?? body);
    else if (searchParams.has('watch')) this.#watch(searchParams, response);
    else this.#list(searchParams, response);
  }

  #list(query: URLSearchParams, response: ServerResponse): void {
    const from = Number(query.get('continue') ?? 0);
    if (from > 0 && this.expiredPages > 0) {
      this.expiredPages -= 1;
      send(response, 410, EXPIRED);
      return;
    }
    const objects = [...this.#objects.values()];
    const to = from + this.pageSize;
    const metadata = { resourceVersion: String(this.#version), continue: to < objects.length ? String(to) : '' };
    const answer = () => send(response, 200, { metadata, items: objects.slice(from, to) });
    if (this.#held) this.#held.push(answer);
    else answer();
  }

  #watch(query: URLSearchParams, response: ServerResponse): void {
    const how = this.nextWatches.shift();
    if (how === '410') send(response, 410, EXPIRED);
    else if (how === '500') send(response, 500, { reason: 'InternalError', message: 'etcd is unavailable' });
    else this.#stream(how, Number(query.get('resourceVersion')), response);
  }

  #stream(how: 'end' | '410 event' | undefined, since: number, response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    if (how === '410 event') response.write(`${JSON.stringify({ type: 'ERROR', object: EXPIRED })}\n`);
    if (how) {
      response.end();
      return;
    }
    for (const { version, line } of this.#log) if (version > since) response.write(`${line}\n`);
    this.#watches.add(response);
    response.on('close', () => this.#watches.delete(response));
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
