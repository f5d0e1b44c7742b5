import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { SERVER } from '../identity.ts';
import type { TrafficMetrics } from '../metrics.ts';
import { addressOf } from '../proxy/client.ts';
import type { ConnectionCounts } from '../proxy/listeners.ts';
import { discardRest, UploadError } from '../proxy/upload.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { AdminError, badRequest, methodNotAllowed, notFound } from '../store/errors.ts';
import type { Store } from '../store/store.ts';
import { argumentsOf, Body, readInput } from './body.ts';
import type { Answer } from './call.ts';
import { endpoints } from './endpoints.ts';
import { callEntity } from './entities.ts';
import { allTargetHealth, setTargetHealth, upstreamHealth } from './health.ts';
import { describeNode, describeReadiness, describeStatus, enabledPlugins } from './info.ts';
import { METHODS, placeOf } from './paths.ts';
import { entitySchema, pluginSchema, validateSchema } from './schemas.ts';
import { taggedEntities } from './tags.ts';

export interface AdminParts {
  readonly store: Store;
  readonly runtime: Runtime;
  readonly metrics: TrafficMetrics;
  readonly nodeId: string;
  readonly dataDir: string;
  readonly connections: () => readonly ConnectionCounts[];
  readonly databaseReachable: () => boolean;
  readonly draining: () => boolean;
  readonly log: Logger;
}

interface View {
  readonly methods: readonly string[];
  readonly answer: (query: URLSearchParams, body: Body) => Answer | Promise<Answer | string>;
}

/** For a listener whose clients may read the status but change nothing. */
export const STATUS_ONLY = { statusOnly: true };

/** Answers a call of the Admin API. Never rejects. */
export async function answerAdmin(
  parts: AdminParts,
  request: IncomingMessage,
  response: ServerResponse,
  { statusOnly } = { statusOnly: false },
): Promise<void> {
  const startedAt = performance.now();
  request.on('error', () => undefined);
  response.on('error', () => undefined);
  const send = (status: number, type: string | undefined, body: string, more: Record<string, string> = {}) => {
    // The listener has refused the malformed body of this request.
    if (response.headersSent) return;
    response.writeHead(status, {
      ...(type !== undefined && { 'Content-Type': type }),
      ...(status !== 204 && { 'Content-Length': Buffer.byteLength(body) }),
      Server: SERVER,
      'X-Kong-Admin-Latency': String(Math.round(performance.now() - startedAt)),
      ...more,
    });
    response.end(request.method === 'HEAD' ? undefined : body);
    discardRest(request);
    if (WITH_BODY.has(request.method ?? '') || request.method === 'DELETE') logChange(parts.log, request, status);
  };
  try {
    const answer = await dispatch(parts, request, statusOnly);
    if (typeof answer === 'string') send(200, 'text/plain; charset=UTF-8', answer);
    else if ('allow' in answer) send(204, undefined, '', { Allow: answer.allow.join(', ') });
    else send(answer.status, answer.body && JSON_TYPE, answer.body ? JSON.stringify(answer.body) : '');
  } catch (error) {
    if (error instanceof UploadError && error.reason !== 'too large') {
      response.destroy();
    } else if (error instanceof AdminError && error.status === 415) {
      send(415, 'text/html', UNSUPPORTED_PAGE);
    } else if (error instanceof AdminError) {
      send(error.status, JSON_TYPE, JSON.stringify(error.body));
    } else {
      parts.log.error({ err: error, method: request.method }, 'The Admin API failed');
      send(500, JSON_TYPE, JSON.stringify({ message: 'An unexpected error occurred' }));
    }
  }
}

/** The error for a method that HTTP does not know. */
export function refuseMethod(parts: AdminParts, target: string): AdminError {
  const segments = segmentsOf(target);
  const resource = statusView(parts, segments) ?? viewOf(parts, segments) ?? placeOf(segments);
  return resource ? methodNotAllowed() : notFound();
}

function segmentsOf(target: string): string[] {
  return (target.split('?', 1)[0] ?? '')
    .split('/')
    .filter((segment) => segment !== '')
    .map(decode);
}

async function dispatch(
  parts: AdminParts,
  request: IncomingMessage,
  statusOnly: boolean,
): Promise<Answer | string | { allow: readonly string[] }> {
  const target = request.url ?? '/';
  const question = target.indexOf('?');
  const query = new URLSearchParams(argumentsOf(question < 0 ? '' : target.slice(question + 1)));
  const segments = segmentsOf(target);
  const view = statusView(parts, segments) ?? (statusOnly ? undefined : viewOf(parts, segments));
  const place = view || statusOnly ? undefined : placeOf(segments);
  const methods = view?.methods ?? (place && METHODS[place.type]);
  if (!methods) throw notFound();
  const method = request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET');
  if (!methods.includes(method)) throw methodNotAllowed();
  if (method === 'OPTIONS') return { allow: methods };
  const body = WITH_BODY.has(method) ? await readInput(request) : new Body({}, false);
  if (view) return view.answer(query, body);
  if (!place) throw notFound();
  try {
    // Another gateway that shares the configuration may have written.
    await parts.store.refresh();
    return await callEntity(parts.store, place, { method, query, body });
  } finally {
    parts.runtime.refresh();
  }
}

function get(answer: View['answer']): View {
  return { methods: READ_METHODS, answer };
}

/** The views of the gateway's status. */
function statusView(parts: AdminParts, segments: readonly string[]): View | undefined {
  switch (segments.join('/')) {
    case 'status':
      return get((query) => describeStatus(parts.connections(), parts.databaseReachable(), query));
    case 'status/ready':
      return get(() => describeReadiness(parts.draining()));
    case 'metrics':
      return get(() => exposition(parts));
    default:
      return undefined;
  }
}

/** The views that are not entities. */
function viewOf(parts: AdminParts, segments: readonly string[]): View | undefined {
  const { store, runtime, nodeId } = parts;
  const [first, key = '', second, childKey = ''] = segments;
  if (segments.length === 0) return get(() => describeNode(store, nodeId, parts.dataDir));
  if (segments.length === 2 && first === 'plugins' && key === 'enabled') return get(enabledPlugins);
  if (segments.length === 1 && first === 'endpoints') return get(endpoints);
  if (segments.length === 1 && first === 'config') return { methods: [...READ_METHODS, 'POST'], answer: declarative };
  if (segments.length === 1 && first === 'tags') return get((query) => taggedEntities(store, query));
  if (segments.length === 2 && first === 'tags') return get((query) => taggedEntities(store, query, key));
  if (first === 'schemas') return schemaView(segments);
  if (first !== 'upstreams') return undefined;
  if (segments.length === 3 && second === 'health')
    return get((query) => upstreamHealth(store, runtime, nodeId, key, query));
  if (segments.length === 4 && second === 'targets' && childKey === 'all') {
    return get((query) => callEntity(store, childrenPlace(key), { method: 'GET', query, body: new Body({}, false) }));
  }
  const state = segments.at(-1);
  const isSettable = second === 'targets' && (state === 'healthy' || state === 'unhealthy');
  if (!isSettable || segments.length < 5 || segments.length > 6) return undefined;
  const address = segments.length === 6 ? segments[4] : undefined;
  return {
    methods: ['OPTIONS', 'PUT'],
    answer: () => setTargetHealth(store, runtime, key, childKey, state === 'healthy', address),
  };
}

/** Declarative configuration exists only in a Kong without a database. */
function declarative(): never {
  throw badRequest('this endpoint is only available when Kong is configured to not use a database');
}

function schemaView([, entity = '', name, ...rest]: readonly string[]): View | undefined {
  if (rest.length > 0 || entity === '') return undefined;
  if (name === 'validate')
    return { methods: ['OPTIONS', 'POST'], answer: (_query, body) => validateSchema(entity, body) };
  if (name !== undefined && entity !== 'plugins') return undefined;
  const answer = () => (name === undefined ? entitySchema(entity) : pluginSchema(name));
  return { methods: READ_METHODS, answer };
}

async function exposition({ metrics, store, runtime, connections, databaseReachable }: AdminParts): Promise<string> {
  const totals = { accepted: 0, active: 0, handled: 0 };
  for (const { accepted, active } of connections()) {
    totals.accepted += accepted;
    totals.handled += accepted;
    totals.active += active;
  }
  const showsTargets = store
    .all('plugins')
    .some(({ name, enabled, config }) => name === 'prometheus' && enabled && config.upstream_health_metrics === true);
  return metrics.text(totals, showsTargets ? allTargetHealth(store, runtime) : [], databaseReachable());
}

function childrenPlace(key: string) {
  return { type: 'children', kind: 'targets', field: 'upstream', parent: { kind: 'upstreams', key } } as const;
}

/** Logs each call that may change the configuration. */
function logChange(log: Logger, { method, url, socket }: IncomingMessage, status: number): void {
  const path = url?.split('?')[0]?.slice(0, MAX_LOGGED_PATH);
  log.info({ client: addressOf(socket), method, path, status }, 'Admin API call');
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

const JSON_TYPE = 'application/json; charset=utf-8';
const MAX_LOGGED_PATH = 1024;
const READ_METHODS = ['GET', 'HEAD', 'OPTIONS'];
const WITH_BODY = new Set(['POST', 'PUT', 'PATCH']);

/** nginx sends this page before Kong sees the call. */
const UNSUPPORTED_PAGE = [
  '<html>',
  '<head><title>415 Unsupported Media Type</title></head>',
  '<body>',
  '<center><h1>415 Unsupported Media Type</h1></center>',
  '<hr><center>openresty</center>',
  '</body>',
  '</html>',
  '',
].join('\r\n');
