import type { IncomingMessage } from 'node:http';
import type { Consumer } from '../entities/consumers.ts';
import type { Route } from '../entities/routes.ts';
import type { Service } from '../entities/services.ts';
import type { Destination } from '../runtime/destination.ts';
import { type Client, clientOf } from './client.ts';
import { hostName } from './host.ts';
import type { IpRanges } from './ip-ranges.ts';
import { normalizePath } from './path.ts';
import type { Reply } from './replies.ts';
import { requestId } from './request-id.ts';
import type { ResponseHead } from './response-head.ts';
import type { Slot } from './slots.ts';
import { StoredBody } from './stored-body.ts';
import { Upload, UploadError } from './upload.ts';

/** A prepared plugin: one configuration in one scope, ready to handle requests. */
export interface Handlers {
  /** Before the request goes upstream. A reply ends it here. Later plugins wait for a returned promise. */
  readonly access?: (exchange: Exchange) => Reply | undefined | Promise<Reply | undefined>;
  /** When the head of the response is known, including the gateway's own responses. */
  readonly headers?: (exchange: Exchange, head: ResponseHead) => void;
  /** After the last byte. */
  readonly log?: (exchange: Exchange) => void;
}

/** One plugin of a chain: the configuration that applies depends on the consumer, once it is known. */
export interface ChainLink {
  readonly forConsumer: (consumerId: string) => Handlers | undefined;
  readonly base: Handlers | undefined;
}

/** Everything that a request on a route needs, prepared when the configuration changes. */
export interface RouteRuntime {
  readonly route: Route;
  readonly service: Service | undefined;
  readonly destination: Destination | undefined;
  /** In the order in which the plugins run. */
  readonly chain: readonly ChainLink[];
}

/** A route with a service to send requests to. */
export type Ready = RouteRuntime & { readonly service: Service; readonly destination: Destination };

/** One request on its way through the gateway, with its state. */
export class Exchange {
  readonly request: IncomingMessage;
  /** Its id in X-Kong-Request-Id, in error pages, in the log, and in the header of correlation-id. */
  id: string;
  readonly method: string;
  readonly scheme: 'http' | 'https';
  /** The name in the Host header. Empty if it is missing or invalid. */
  readonly host: string;
  /** The Host header as it was sent. */
  readonly authority: string;
  /** The port of the listener. */
  readonly port: number;
  readonly client: Client;
  /** The path as it was sent, without the query. */
  readonly rawPath: string;
  /** The normalised path, which routes match. */
  readonly path: string;
  /** The query with its question mark, or empty. */
  readonly query: string;

  runtime: RouteRuntime | undefined = undefined;
  /** How many characters of the path the route's path matched. */
  matched = 0;

  /** Named groups of the route's path, if that is a regular expression. */
  captures: Readonly<Record<string, string | undefined>> | undefined = undefined;
  /** A cookie that the response sets, so that the client's next requests go to the same target. */
  newCookie: string | undefined = undefined;

  consumer: Consumer | undefined = undefined;
  credential: { readonly id: string } | undefined = undefined;
  isPreflight = false;
  /** Name, value, name, value, … */
  rateHeaders: readonly string[] = [];
  /** Sends 100 Continue to a client that waits for it. */
  askForBody: () => void = ignore;
  /** The client's body, if it was received completely before it goes upstream. */
  body: StoredBody | undefined = undefined;

  /** Its slot among the requests in progress at services. */
  slot: Slot | undefined = undefined;

  /** Whether the response is complete or the client has disconnected. */
  closed = false;
  /** Called when the exchange has ended. */
  onClosed: (() => void) | undefined = undefined;

  status = 0;
  /** Whether the request was handed to an upstream. */
  proxied = false;
  /** Whether the response is the upstream's. */
  fromUpstream = false;
  bytesIn = 0;
  bytesOut = 0;
  readonly #startedAt = performance.now();
  #dispatchedAt = 0;
  #answeredAt = 0;

  /** The changes of plugins to the upstream headers, by lower-case name. Undefined removes a header. */
  requestChanges: Map<string, { readonly name: string; readonly value: string | undefined }> | undefined = undefined;
  #searchParams: URLSearchParams | undefined;

  /** @param trusted peers whose X-Forwarded-* headers are used */
  constructor(request: IncomingMessage, scheme: 'http' | 'https', port: number, trusted?: IpRanges) {
    this.request = request;
    this.id = requestId(request.headers['x-request-id']);
    this.method = request.method ?? 'GET';
    this.scheme = scheme;
    this.port = port;
    const { authority, path, query } = parseTarget(request.url ?? '/', request.headers.host ?? '');
    this.authority = authority;
    this.host = hostName(authority) ?? '';
    this.rawPath = path;
    this.path = normalizePath(path);
    this.query = query;
    this.client = clientOf(request, trusted);
  }

  /**
   * Receives the client's body completely. Rejects with an UploadError.
   * @param limit in bytes. A longer body is too large.
   */
  async storeBody(limit = Number.POSITIVE_INFINITY): Promise<StoredBody> {
    this.askForBody();
    const upload = new Upload(this.request, limit);
    // Node emits no further event for a request that was answered and then aborted.
    this.onClosed = () => upload.destroy(new UploadError('aborted'));
    const body = await StoredBody.read(upload);
    this.body = body;
    this.bytesIn = body.bytes;
    if (this.closed) body.close();
    return body;
  }

  /** Releases what is held for the client. */
  close(): void {
    this.closed = true;
    this.onClosed?.();
    this.slot?.release();
    this.body?.close();
  }

  get clientIp(): string {
    return this.client.ip;
  }

  /** The scheme of the client, as reported by trusted peers. */
  get clientScheme(): string {
    return this.client.forwarded.proto ?? this.scheme;
  }

  get route(): Route | undefined {
    return this.runtime?.route;
  }

  /** HTTP/1.0 may omit the host. A host that is sent must be a valid name. */
  get hasBadHost(): boolean {
    const { headers, httpVersion } = this.request;
    return headers.host === undefined ? httpVersion !== '1.0' && httpVersion !== '0.9' : this.host === '';
  }

  get service(): Service | undefined {
    return this.runtime?.service;
  }

  /** A request header with the changes of earlier plugins: the first of several. The name is in lower case. */
  requestHeader(lowerName: string): string | undefined {
    const change = this.requestChanges?.get(lowerName);
    if (change) return change.value;
    const value = this.request.headers[lowerName];
    // Node joins the lines of one header.
    return Array.isArray(value) || value?.includes(', ') ? this.headerValues(lowerName)[0] : value;
  }

  /** The value of each line of a header as the client sent it. The name is in lower case. */
  headerValues(lowerName: string): string[] {
    const { rawHeaders } = this.request;
    const values: string[] = [];
    for (let index = 0; index < rawHeaders.length; index += 2) {
      if (rawHeaders[index]?.toLowerCase() === lowerName) values.push(rawHeaders[index + 1] as string);
    }
    return values;
  }

  /** Sets or removes an upstream header. */
  setRequestHeader(name: string, value: string | undefined): void {
    this.requestChanges ??= new Map();
    this.requestChanges.set(name.toLowerCase(), { name, value });
  }

  queryValues(name: string): string[] {
    if (this.query === '') return [];
    this.#searchParams ??= new URLSearchParams(this.query);
    return this.#searchParams.getAll(name);
  }

  cookie(name: string): string | undefined {
    for (const pair of (this.request.headers.cookie ?? '').split(';')) {
      const equals = pair.indexOf('=');
      if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
    }
    return undefined;
  }

  markDispatched(): void {
    this.proxied = true;
    if (this.#dispatchedAt === 0) this.#dispatchedAt = performance.now();
  }

  markAnswered(): void {
    if (this.#answeredAt === 0) this.#answeredAt = performance.now();
  }

  /** Milliseconds since the first byte arrived. */
  totalMs(): number {
    return Math.round(performance.now() - this.#startedAt);
  }

  /** The gateway's time until it sent the upstream request, or until its own response. */
  gatewayMs(): number {
    const until = this.#dispatchedAt || this.#answeredAt || performance.now();
    return Math.round(until - this.#startedAt);
  }

  /** The time until the upstream's head arrived. */
  upstreamMs(): number {
    return Math.round((this.#answeredAt || performance.now()) - this.#dispatchedAt);
  }
}

/** Parses a request target. An absolute one (RFC 9112, 3.2.2) contains its host. */
function parseTarget(target: string, host: string): { authority: string; path: string; query: string } {
  const absolute = target.startsWith('/') ? null : /^https?:\/\/([^/?#]*)(.*)$/i.exec(target);
  const rest = absolute ? absolute[2] || '/' : target;
  const question = rest.indexOf('?');
  const path = question < 0 ? rest : rest.slice(0, question);
  return {
    authority: absolute?.[1] || host,
    path: path.startsWith('/') ? path : `/${path}`,
    query: question < 0 ? '' : rest.slice(question),
  };
}

function ignore(): void {}
