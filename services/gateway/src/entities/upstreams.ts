import { isIP } from 'node:net';
import type { Row } from '../schema/field.ts';
import {
  cookieName,
  createdAt,
  type EntitySchema,
  headerName,
  id,
  isHostname,
  parseHostPort,
  pathError,
  tags,
} from './common.ts';

const HASH_INPUTS = ['none', 'consumer', 'ip', 'header', 'cookie', 'path', 'query_arg', 'uri_capture'] as const;
const hashOn = { type: 'string', required: true, default: 'none', oneOf: HASH_INPUTS } as const;
const seconds = { type: 'number', required: true, default: 0, between: [0, 65535] } as const;
const count = { type: 'integer', required: true, default: 0, between: [0, 255] } as const;
const statuses = (list: readonly number[]) =>
  ({
    type: 'array',
    required: true,
    default: list,
    elements: { type: 'integer', between: [100, 999] },
  }) as const;
const checkType = {
  type: 'string',
  required: true,
  default: 'http',
  oneOf: ['tcp', 'http', 'https', 'grpc', 'grpcs'],
} as const;

const active = {
  type: 'record',
  required: true,
  fields: {
    type: checkType,
    timeout: { ...seconds, default: 1 },
    concurrency: { type: 'integer', required: true, default: 10, between: [1, 2 ** 31] },
    http_path: { type: 'string', required: true, default: '/', startsWith: '/', check: pathError },
    https_sni: { type: 'string' },
    https_verify_certificate: { type: 'boolean', required: true, default: true },
    headers: { type: 'map', keys: headerName, values: { type: 'array', elements: { type: 'string' } } },
    healthy: {
      type: 'record',
      required: true,
      fields: { interval: seconds, successes: count, http_statuses: statuses([200, 302]) },
    },
    unhealthy: {
      type: 'record',
      required: true,
      fields: {
        interval: seconds,
        http_failures: count,
        tcp_failures: count,
        timeouts: count,
        http_statuses: statuses([429, 404, 500, 501, 502, 503, 504, 505]),
      },
    },
  },
} as const;

const passive = {
  type: 'record',
  required: true,
  fields: {
    type: checkType,
    healthy: {
      type: 'record',
      required: true,
      fields: {
        successes: count,
        http_statuses: statuses([
          200, 201, 202, 203, 204, 205, 206, 207, 208, 226, 300, 301, 302, 303, 304, 305, 306, 307, 308,
        ]),
      },
    },
    unhealthy: {
      type: 'record',
      required: true,
      fields: { http_failures: count, tcp_failures: count, timeouts: count, http_statuses: statuses([429, 500, 503]) },
    },
  },
} as const;

const upstreamFields = {
  id,
  created_at: createdAt,
  updated_at: createdAt,
  name: { type: 'string', required: true, unique: true, check: upstreamNameError },
  algorithm: {
    type: 'string',
    required: true,
    default: 'round-robin',
    oneOf: ['consistent-hashing', 'least-connections', 'round-robin', 'latency'],
  },
  hash_on: hashOn,
  hash_fallback: hashOn,
  hash_on_header: headerName,
  hash_fallback_header: headerName,
  hash_on_cookie: cookieName,
  hash_on_cookie_path: { type: 'string', required: true, default: '/', startsWith: '/', check: pathError },
  hash_on_query_arg: { type: 'string' },
  hash_fallback_query_arg: { type: 'string' },
  hash_on_uri_capture: { type: 'string' },
  hash_fallback_uri_capture: { type: 'string' },
  slots: { type: 'integer', required: true, default: 10000, between: [10, 65536] },
  healthchecks: {
    type: 'record',
    required: true,
    fields: { active, passive, threshold: { type: 'number', required: true, default: 0, between: [0, 100] } },
  },
  tags,
  host_header: { type: 'string', check: hostHeaderError },
  client_certificate: { type: 'foreign', reference: 'certificates' },
  use_srv_name: { type: 'boolean', required: true, default: false },
} as const;

const targetFields = {
  id,
  created_at: { type: 'number', auto: true },
  updated_at: { type: 'number', auto: true },
  upstream: { type: 'foreign', reference: 'upstreams', required: true, onDelete: 'cascade' },
  target: { type: 'string', required: true, check: targetError },
  weight: { type: 'integer', required: true, default: 100, between: [0, 65535] },
  tags,
} as const;

export type Upstream = Row<typeof upstreamFields>;
export type Target = Row<typeof targetFields>;

const needs = (on: string, value: string, field: string) => ({
  ifField: on,
  ifMatch: (given: unknown) => given === value,
  thenField: field,
  thenMatch: (given: unknown) => (given === null ? 'required field missing' : undefined),
});

/** The fallback must be another input, except that headers, arguments and captures may differ by name. */
const notTwice = (input: string) => ({
  ifField: 'hash_on',
  ifMatch: (given: unknown) => given === input,
  thenField: 'hash_fallback',
  thenMatch: (given: unknown) =>
    given === input ? `expected one of: ${HASH_INPUTS.filter((other) => other !== input).join(', ')}` : undefined,
});

/** A name that services use as host, and whose targets serve the requests. */
export const upstreams: EntitySchema = {
  name: 'upstreams',
  path: 'upstreams',
  key: 'name',
  nested: [{ under: 'certificates', path: 'upstreams', field: 'client_certificate' }],
  fields: upstreamFields,
  checks: [
    needs('hash_on', 'header', 'hash_on_header'),
    needs('hash_fallback', 'header', 'hash_fallback_header'),
    needs('hash_on', 'cookie', 'hash_on_cookie'),
    needs('hash_fallback', 'cookie', 'hash_on_cookie'),
    needs('hash_on', 'query_arg', 'hash_on_query_arg'),
    needs('hash_fallback', 'query_arg', 'hash_fallback_query_arg'),
    needs('hash_on', 'uri_capture', 'hash_on_uri_capture'),
    needs('hash_fallback', 'uri_capture', 'hash_fallback_uri_capture'),
    {
      ifField: 'hash_on',
      ifMatch: (given) => given === 'none' || given === 'cookie',
      thenField: 'hash_fallback',
      thenMatch: (given) => (given === 'none' ? undefined : 'expected one of: none'),
    },
    ...['consumer', 'ip', 'path'].map(notTwice),
    { distinct: ['hash_on_header', 'hash_fallback_header'] },
    { distinct: ['hash_on_query_arg', 'hash_fallback_query_arg'] },
    { distinct: ['hash_on_uri_capture', 'hash_fallback_uri_capture'] },
  ],
  stamps: { created: 'created_at', updated: 'updated_at', unit: 's' },
  adjust: (input) => {
    const hashed = typeof input.hash_on === 'string' && input.hash_on !== 'none';
    return hashed ? { ...input, algorithm: 'consistent-hashing' } : input;
  },
};

/** An address of an upstream. The default port is 8000. */
export const targets: EntitySchema = {
  name: 'targets',
  key: 'target',
  nested: [{ under: 'upstreams', path: 'targets', field: 'upstream' }],
  fields: targetFields,
  checks: [],
  uniqueTogether: ['target', 'upstream'],
  stamps: { created: 'created_at', updated: 'updated_at', unit: 'ms' },
  adjust: (input) => {
    const parsed = typeof input.target === 'string' ? parseHostPort(input.target) : undefined;
    return parsed ? { ...input, target: `${parsed.host}:${parsed.port ?? 8000}` } : input;
  },
};

function upstreamNameError(name: string): string | undefined {
  const parsed = parseHostPort(name);
  if (!parsed) return 'Invalid name; must be a valid hostname';
  if (isIP(parsed.host.replace(/^\[|\]$/g, '')) !== 0) return 'Invalid name; no ip addresses allowed';
  return parsed.port === undefined ? undefined : 'Invalid name; no port allowed';
}

function hostHeaderError(host: string): string | undefined {
  const parsed = parseHostPort(host);
  return parsed && (isHostname(parsed.host) || isIP(parsed.host) !== 0) ? undefined : `invalid value: ${host}`;
}

function targetError(target: string): string | undefined {
  return parseHostPort(target) ? undefined : 'Invalid target; not a valid hostname or ip address';
}
