/** The OpenAPI 3.1 document of a module, generated from the schemas of its routes. */
import { z } from 'zod';
import {
  DATABASE_BUSY,
  DATABASE_UNAVAILABLE,
  type ErrorKind,
  FORBIDDEN,
  HOSPITAL_NOT_READY,
  HOSPITAL_SUSPENDED,
  IDENTITY_UNAVAILABLE,
  INTERNAL_ERROR,
  INVALID_ID,
  INVALID_SORT,
  MALFORMED_JSON,
  MALFORMED_REQUEST,
  PAYLOAD_TOO_LARGE,
  UNAUTHENTICATED,
  UNSUPPORTED_MEDIA_TYPE,
  VALIDATION_FAILED,
} from './errors.ts';
import { IDEMPOTENCY_IN_PROGRESS, IDEMPOTENCY_KEY_REUSED } from './idempotency.ts';
import type { ModuleDefinition } from './module.ts';
import type { Route } from './route.ts';

type Json = Readonly<Record<string, unknown>>;

export function openApiDocument(module: Pick<ModuleDefinition, 'name' | 'version' | 'title' | 'routes'>): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of module.routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(module.name, route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: module.title, version: module.version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/', description: 'The gateway' }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        query: { type: 'apiKey', in: 'query', name: 'jwt', description: 'For clients that can not set a header' },
      },
      schemas: { Error: ERROR, PageMeta: PAGE_META },
    },
  };
}

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
        details: { type: 'object' },
        timestamp: { type: 'string', format: 'date-time' },
      },
    },
  },
};

const PAGE_META: Json = {
  type: 'object',
  required: ['page', 'limit', 'total'],
  properties: { page: { type: 'integer' }, limit: { type: 'integer' }, total: { type: 'integer' } },
};

function operation(module: string, route: Route): Json {
  const isOpen = route.roles === 'public';
  return {
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    tags: [module],
    security: isOpen ? [] : [{ bearer: [] }, { query: [] }],
    ...(Array.isArray(route.roles) ? { 'x-roles': route.roles } : {}),
    parameters: [...parameters(route.params, 'path'), ...parameters(route.query, 'query')],
    ...(route.body ? { requestBody: { content: json(schemaOf(route.body, 'input')) } } : {}),
    responses: { [route.status ?? 200]: success(route), ...failures(route) },
  };
}

function success(route: Route): Json {
  const data = schemaOf(route.response, 'output');
  if (route.bare) return { description: 'Done', content: json(data) };
  const envelope = {
    type: 'object',
    required: ['success', 'data', ...(route.paged ? ['meta'] : [])],
    properties: {
      success: { const: true },
      data,
      ...(route.paged ? { meta: { $ref: '#/components/schemas/PageMeta' } } : {}),
    },
  };
  return { description: 'Done', content: json(envelope) };
}

function failures(route: Route): Record<string, Json> {
  const kinds: ErrorKind[] = [...(route.errors ?? []), INTERNAL_ERROR, DATABASE_UNAVAILABLE, DATABASE_BUSY];
  if (route.roles !== 'public') {
    kinds.push(UNAUTHENTICATED, FORBIDDEN, HOSPITAL_SUSPENDED, HOSPITAL_NOT_READY, IDENTITY_UNAVAILABLE);
  }
  if (route.method === 'POST' && route.database !== 'none') {
    kinds.push(IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_PROGRESS);
  }
  if (route.params) kinds.push(INVALID_ID);
  if (route.query || route.body) kinds.push(VALIDATION_FAILED);
  if (route.paged) kinds.push(INVALID_SORT);
  if (route.body) kinds.push(MALFORMED_REQUEST, MALFORMED_JSON, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE);
  const unique = new Map(kinds.map((kind) => [kind.code, kind]));
  const byStatus = Map.groupBy(unique.values(), ({ status }) => status);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      {
        description: group.map(({ code, message }) => `\`${code}\`: ${message}`).join('\n\n'),
        content: json({ $ref: '#/components/schemas/Error' }),
      },
    ]),
  );
}

function parameters(schema: z.ZodType | undefined, place: 'path' | 'query'): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, Json>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }));
}

function json(schema: Json): Json {
  return { 'application/json': { schema } };
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' });
  return rest;
}
