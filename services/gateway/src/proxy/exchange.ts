import type { IncomingMessage } from 'node:http';
import type { Consumer } from '../entities/consumers.ts';
import type { Route } from '../entities/routes.ts';
import type { Service } from '../entities/services.ts';
import type { RouteRuntime } from '../runtime/route-runtime.ts';
import { type Client, clientOf } from './client.ts';
import { hostName } from './host.ts';
import type { IpRanges } from './ip-ranges.ts';
import { normalizePath } from './path.ts';
import { requestId } from './request-id.ts';
import type { Slot } from './slots.ts';
import { StoredBody } from './stored-body.ts';
import { Upload, UploadError } from './upload.ts';

/** One request on its way through the gateway, and what is found out about it. */
export class Exchange {
  readonly request: IncomingMessage;
  /** Its one name: in X-Kong-Request-Id, in error pages, in the log, and in the header of correlation-id. */
  id: string;
  readonly method: string;
  readonly scheme: 'http' | 'https';
  /** The Host header's name; empty where there is none that can be used. */
  readonly host: string;
  /** The Host header as it was sent. */
  readonly authority: string;
  /** Of the listener. */
  readonly port: number;
  readonly client: Client;
  /** As it was sent, without the query. */
  readonly rawPath: string;
  /** Normalised: what routes are matched by. */
  readonly path: string;
  /** With its question mark; empty without one. */
  readonly query: string;

  runtime: RouteRuntime | undefined = undefined;
  /** How many characters of the path the route's path matched. */
  matched = 0;

  /** Named groups of the route's path, where that is a regular expression. */
  captures: Readonly<Record<string, string | undefined>> | undefined = undefined;
  /** A cookie that the answer gives the client, so that it comes back to the same target. */
  newCookie: string | undefined = undefined;

  consumer: Consumer | undefined = undefined;
  credential: { readonly id: string } | undefined = undefined;
  isPreflight = false;
  /** Name, value, name, value, … */
  rateHeaders: readonly string[] = [];
  /** Has a client that waits for 100 Continue send its body. */
  askForBody: () => void = ignore;
  /** The client's, where it was taken in before it goes upstream. */
  body: StoredBody | undefined = undefined;

  /** Its place among the requests that are with services. */
  slot: Slot | undefined = undefined;

  /** Whether the client has all of its answer, or has gone. */
  closed = false;
  /** Called when it is. */
  onClosed: (() => void) | undefined = undefined;

  status = 0;
  /** Whether the request was handed to an upstream. */
  proxied = false;
  /** Whether the answer is the upstream's. */
  fromUpstream = false;
  bytesIn = 0;
  bytesOut = 0;
  readonly #startedAt = performance.now();
  #dispatchedAt = 0;
  #answeredAt = 0;

  /** What plugins changed in the headers that go upstream, by lower-case name; undefined removes one. */
  requestChanges: Map<string, { readonly name: string; readonly value: string | undefined }> | undefined = undefined;
  #searchParams: URLSearchParams | undefined;

  /** @param trusted peers whose word about the client counts. */
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
   * Takes in the client's body to its end; rejects with an UploadError.
   * @param limit in bytes; a body that goes beyond it is too large
   */
  async storeBody(limit = Number.POSITIVE_INFINITY): Promise<StoredBody> {
    this.askForBody();
    const upload = new Upload(this.request, limit);
    // Of a request that was answered, and then cut off, node says nothing more.
    this.onClosed = () => upload.destroy(new UploadError('aborted'));
    const body = await StoredBody.read(upload);
    this.body = body;
    this.bytesIn = body.bytes;
    if (this.closed) body.close();
    return body;
  }

  /** Ends what is held for the client. */
  close(): void {
    this.closed = true;
    this.onClosed?.();
    this.slot?.release();
    this.body?.close();
  }

  get clientIp(): string {
    return this.client.ip;
  }

  /** By which the client came, as far as trusted peers say so. */
  get clientScheme(): string {
    return this.client.forwarded.proto ?? this.scheme;
  }

  get route(): Route | undefined {
    return this.runtime?.route;
  }

  /** Up to HTTP/1.0 there may be no host; one that is there must be a name. */
  get hasBadHost(): boolean {
    const { headers, httpVersion } = this.request;
    return headers.host === undefined ? httpVersion !== '1.0' && httpVersion !== '0.9' : this.host === '';
  }

  get service(): Service | undefined {
    return this.runtime?.service;
  }

  /** A request header as the plugins before have left it: the first of several. The name in lower case. */
  requestHeader(lowerName: string): string | undefined {
    const change = this.requestChanges?.get(lowerName);
    if (change) return change.value;
    const value = this.request.headers[lowerName];
    // Node joins the lines of one header.
    return Array.isArray(value) || value?.includes(', ') ? this.headerValues(lowerName)[0] : value;
  }

  /** The value of each line of a header as the client sent it; the name in lower case. */
  headerValues(lowerName: string): string[] {
    const { rawHeaders } = this.request;
    const values: string[] = [];
    for (let index = 0; index < rawHeaders.length; index += 2) {
      if (rawHeaders[index]?.toLowerCase() === lowerName) values.push(rawHeaders[index + 1] as string);
    }
    return values;
  }

  /** Sets a header that goes upstream, or removes it. */
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

  /** From the first byte in to now. */
  totalMs(): number {
    return Math.round(performance.now() - this.#startedAt);
  }

  /** What the gateway took before the upstream was asked, or for its own answer. */
  gatewayMs(): number {
    const until = this.#dispatchedAt || this.#answeredAt || performance.now();
    return Math.round(until - this.#startedAt);
  }

  /** Until the upstream's head was there. */
  upstreamMs(): number {
    return Math.round((this.#answeredAt || performance.now()) - this.#dispatchedAt);
  }
}

/** Takes a request target apart; an absolute one (RFC 9112, 3.2.2) carries its host. */
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
