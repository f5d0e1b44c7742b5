/** The OpenAPI 3.1 document of a module, generated from the schemas of its routes. */

import {
  BODY_ERRORS,
  type ErrorKind,
  EVERY_ERROR,
  IMPERSONATION_FORBIDDEN,
  IMPERSONATION_READ_ONLY,
  INVALID_ID,
  INVALID_SORT,
  TOKEN_ERRORS,
  VALIDATION_FAILED,
} from '../errors.ts';
import { IDEMPOTENCY_ERRORS, IDEMPOTENCY_KEY, IDEMPOTENCY_KEY_REQUIRED } from '../idempotency.ts';
import type { ModuleDefinition } from '../module.ts';
import { isKeyed, isVersioned, operationId, type Route } from '../route.ts';
import { checkBody } from '../validation.ts';
import { type Json, Schemas } from './schemas.ts';

export function openApiDocument(module: Pick<ModuleDefinition, 'name' | 'version' | 'title' | 'routes'>): Json {
  const schemas = new Schemas();
  const failures = new Failures(schemas);
  const paths: Record<string, Record<string, Json>> = {};
  const ids = new Set<string>();
  for (const route of module.routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    const id = operationId(route);
    if (ids.has(id)) throw new Error(`two operations of ${module.name} have the name ${id}`);
    ids.add(id);
    paths[path] = {
      ...paths[path],
      [route.method.toLowerCase()]: operation(module.name, id, route, { schemas, failures }),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: module.title,
      version: module.version,
      description: `The module ${module.name} of the hospital platform. The access token decides which hospital is meant.`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The gateway' }],
    tags: [{ name: module.name, description: module.title }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        query: { type: 'apiKey', in: 'query', name: 'jwt', description: 'For clients that can not set a header' },
      },
      headers: used('headers', HEADERS, { paths, failures: failures.components }),
      responses: failures.components,
      schemas: {
        ...schemas.components,
        ...used(
          'schemas',
          { Error: ERROR, GatewayError: GATEWAY_ERROR, PageMeta: PAGE_META },
          { paths, failures: failures.components },
        ),
      },
    },
  };
}

/** The components that other parts of the document refer to. */
function used(kind: string, components: Readonly<Record<string, Json>>, parts: Json): Json {
  const text = JSON.stringify(parts);
  return Object.fromEntries(
    Object.entries(components).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`)),
  );
}

const TEXT: Json = { type: 'string' };

const ERROR: Json = {
  type: 'object',
  required: ['success', 'error'],
  properties: {
    success: { const: false },
    error: {
      type: 'object',
      required: ['code', 'message', 'timestamp'],
      properties: {
        code: { type: 'string', description: 'Machine-readable, for decisions of clients' },
        message: { type: 'string', description: 'For a person' },
        details: { type: 'object', additionalProperties: true },
        timestamp: { type: 'string', format: 'date-time' },
      },
    },
  },
};

const GATEWAY_ERROR: Json = {
  type: 'object',
  description: 'An error of the gateway itself',
  required: ['message'],
  properties: { message: TEXT, request_id: TEXT },
};

const PAGE_META: Json = {
  type: 'object',
  required: ['page', 'limit', 'total'],
  properties: { page: { type: 'integer' }, limit: { type: 'integer' }, total: { type: 'integer' } },
};

const HEADERS: Readonly<Record<string, Json>> = {
  'X-Request-ID': { description: 'Names the request in all logs', schema: { type: 'string', format: 'uuid' } },
  ETag: { description: "The record's version, for If-Match", schema: TEXT },
  'Idempotency-Replayed': {
    description: 'Set if this is the stored response of an earlier request',
    schema: { const: 'true' },
  },
  'Retry-After': { description: 'Seconds until a retry may succeed', schema: { type: 'integer' } },
  'WWW-Authenticate': { description: 'How to authenticate', schema: TEXT },
};

function headers(...names: readonly (keyof typeof HEADERS)[]): Json {
  return {
    headers: Object.fromEntries(
      ['X-Request-ID', ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
    ),
  };
}

interface Components {
  readonly schemas: Schemas;
  readonly failures: Failures;
}

function operation(module: string, id: string, route: Route, { schemas, failures }: Components): Json {
  const { access } = route;
  const isOpen = access === 'public';
  return {
    operationId: id,
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    tags: [module],
    security: isOpen ? [] : [{ bearer: [] }, { query: [] }],
    ...(isOpen || access === 'authenticated' ? {} : { 'x-permission': access }),
    parameters: [
      ...parameters(schemas, route.params, 'path'),
      ...parameters(schemas, route.query, 'query'),
      ...requestHeaders(route),
    ],
    ...(route.body ? { requestBody: requestBody(schemas, route.body) } : {}),
    responses: { [route.status ?? 200]: success(schemas, route), ...failures.of(route) },
  };
}

function requestBody(schemas: Schemas, body: NonNullable<Route['body']>): Json {
  return { required: checkBody(body, {}).problems.length > 0, content: json(schemas.of(body, 'input')) };
}

/** As `expectedVersion` reads it. */
const VERSION_PATTERN = String.raw`^\s*(?:\*|(?:W/)?"?\d{1,9}"?)\s*$`;

function requestHeaders(route: Route): readonly Json[] {
  const header = (name: string, description: string, schema: Json) => ({ name, in: 'header', description, schema });
  return [
    ...(isKeyed(route)
      ? [
          header('Idempotency-Key', 'Makes the request safe to repeat: a repetition gets the first response', {
            ...TEXT,
            pattern: IDEMPOTENCY_KEY.source,
          }),
        ]
      : []),
    ...(isVersioned(route)
      ? [header('If-Match', 'The version that you have read, as its ETag', { ...TEXT, pattern: VERSION_PATTERN })]
      : []),
  ];
}

function success(schemas: Schemas, route: Route): Json {
  const sent = headers(
    ...(route.paged || route.bare || route.contentType ? [] : ['ETag' as const]),
    ...(isKeyed(route) ? ['Idempotency-Replayed' as const] : []),
  );
  if (route.contentType && !route.bare) {
    return { description: 'Done', ...sent, content: { [route.contentType]: { schema: TEXT } } };
  }
  const data = schemas.of(route.response, 'output');
  if (route.bare) return { description: 'Done', ...sent, content: content(data, route.contentType) };
  const envelope = {
    type: 'object',
    required: ['success', 'data', ...(route.paged ? ['meta'] : [])],
    properties: {
      success: { const: true },
      data,
      ...(route.paged ? { meta: { $ref: '#/components/schemas/PageMeta' } } : {}),
    },
  };
  const others = (route.alsoAs ?? []).map((type) => [type, { schema: TEXT }]);
  return { description: 'Done', ...sent, content: { ...json(envelope), ...Object.fromEntries(others) } };
}

/** Conditions in which the gateway answers itself, and their status. */
const GATEWAY_CONDITIONS: readonly (readonly [number, string])[] = [
  [401, 'The gateway refuses the token'],
  [429, 'More requests than the rate limit of the route allows'],
  [502, 'The module can not be reached'],
  [503, 'No process of the module is healthy'],
];

/** The responses of operations that fail. Operations that fail alike share a component, which is named by its codes. */
class Failures {
  readonly components: Record<string, Json> = {};
  readonly #schemas: Schemas;

  constructor(schemas: Schemas) {
    this.#schemas = schemas;
  }

  /** References by status. */
  of(route: Route): Record<string, Json> {
    const byStatus = Map.groupBy(errorsOf(route), ({ status }) => status);
    const statuses = new Set([...byStatus.keys(), ...GATEWAY_CONDITIONS.map(([status]) => status)]);
    return Object.fromEntries(
      [...statuses]
        .sort((a, b) => a - b)
        .map((status) => [status, this.#reference(route, status, byStatus.get(status) ?? [])]),
    );
  }

  #reference(route: Route, status: number, kinds: readonly ErrorKind[]): Json {
    const sorted = kinds.toSorted((a, b) => (a.code < b.code ? -1 : 1));
    const format = route.errorFormat ? [route.errorFormat.contentType.replaceAll(/[^a-z]/g, '-')] : [];
    const name = [status, ...(kinds.length === 0 ? ['gateway'] : sorted.map(({ code }) => code)), ...format].join('.');
    const described = failure(this.#schemas, route, status, sorted);
    const known = this.components[name];
    if (known && JSON.stringify(known) !== JSON.stringify(described))
      throw new Error(`an error of ${name} has two messages`);
    this.components[name] = described;
    return { $ref: `#/components/responses/${name}` };
  }
}

/** How an operation can fail. */
function errorsOf(route: Route): Iterable<ErrorKind> {
  const kinds: ErrorKind[] = [...(route.errors ?? []), ...EVERY_ERROR];
  if (route.access !== 'public') kinds.push(...TOKEN_ERRORS, ...impersonationErrors(route));
  if (isKeyed(route)) kinds.push(...IDEMPOTENCY_ERRORS);
  if (route.keyDemandable) kinds.push(IDEMPOTENCY_KEY_REQUIRED);
  if (route.params) kinds.push(INVALID_ID);
  if (route.query || route.body || isVersioned(route) || isKeyed(route)) kinds.push(VALIDATION_FAILED);
  if (route.paged) kinds.push(INVALID_SORT);
  if (route.body) kinds.push(...BODY_ERRORS);
  return new Map(kinds.map((kind) => [kind.code, kind])).values();
}

function impersonationErrors({ method, impersonation }: Route): readonly ErrorKind[] {
  if (impersonation === 'never') return [IMPERSONATION_FORBIDDEN];
  return method === 'GET' || impersonation === 'always' ? [] : [IMPERSONATION_READ_ONLY];
}

function failure(schemas: Schemas, { errorFormat }: Route, status: number, kinds: readonly ErrorKind[]): Json {
  const gateway = GATEWAY_CONDITIONS.filter(([own]) => own === status).map(([, condition]) => condition);
  const code = { enum: kinds.map((kind) => kind.code) };
  const ofModule = {
    allOf: [
      { $ref: '#/components/schemas/Error' },
      { type: 'object', properties: { error: { type: 'object', properties: { code } } } },
    ],
  };
  const ofGateway = { $ref: '#/components/schemas/GatewayError' };
  const both = [...(kinds.length === 0 || errorFormat ? [] : [ofModule]), ...(gateway.length === 0 ? [] : [ofGateway])];
  return {
    description: [...kinds.map((kind) => `\`${kind.code}\`: ${kind.message}`), ...gateway].join('\n\n'),
    ...headers(
      ...(status === 429 || kinds.some(({ retryAfter }) => retryAfter !== undefined) ? ['Retry-After' as const] : []),
      ...(status === 401 ? ['WWW-Authenticate' as const] : []),
    ),
    content: {
      ...(both.length === 0 ? {} : json(both.length === 1 ? (both[0] as Json) : { anyOf: both })),
      ...(errorFormat && kinds.length > 0
        ? content(schemas.of(errorFormat.schema, 'output'), errorFormat.contentType)
        : {}),
    },
  };
}

function parameters(schemas: Schemas, schema: Route['params'], place: 'path' | 'query'): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemas.of(schema, 'input') as {
    properties?: Record<string, Json>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, { description, ...property }]) => ({
    name,
    in: place,
    ...(description === undefined ? {} : { description }),
    required: place === 'path' || required.includes(name),
    schema: property,
  }));
}

function json(schema: Json): Json {
  return content(schema, 'application/json');
}

function content(schema: Json, contentType = 'application/json'): Json {
  return { [contentType]: { schema } };
}
