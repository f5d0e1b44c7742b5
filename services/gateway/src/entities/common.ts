import { isIPv4, isIPv6 } from 'node:net';
import type { EntityCheck, Fields } from '../schema/field.ts';

/** How an entity is stored and addressed: everything that the store and the Admin API must know about it. */
export interface EntitySchema {
  readonly name: string;
  /** Its path in the Admin API. Absent if it is reachable only through its parent. */
  readonly path?: string;
  /** The field that stands for the id in paths: `/services/{name}`. */
  readonly key?: string;
  /** Another kind whose keys also name it: a certificate by one of its SNIs. */
  readonly alias?: { readonly kind: string; readonly link: string };
  /** The parents that it is nested below: `/services/{s}/routes` by the field `service`. */
  readonly nested: readonly { readonly under: string; readonly path: string; readonly field: string }[];
  readonly fields: Fields;
  readonly checks: readonly EntityCheck[];
  /** Fields that are unique together. */
  readonly uniqueTogether?: readonly string[];
  /** Fields set at creation and at every change. */
  readonly stamps: { readonly created?: string; readonly updated?: string; readonly unit: 's' | 'ms' };
  /** Rewrites the input before validation: shorthands, implied values. */
  readonly adjust?: (input: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** The schema for this input if it depends on the input, or the errors of the fields that select it. */
  readonly variant?: (
    input: Readonly<Record<string, unknown>>,
  ) => { fields: Fields; checks: readonly EntityCheck[] } | { errors: Record<string, string> };
}

/** Kong's message for a field that must not be set. */
export const NEVER = 'value must be null';

export const id = { type: 'string', uuid: true, auto: true } as const;
export const createdAt = { type: 'integer', auto: true } as const;
export const tags = {
  type: 'set',
  elements: {
    type: 'string',
    required: true,
    check: (tag: string) =>
      tag.isWellFormed() && !/[,/]/.test(tag)
        ? undefined
        : `invalid tag '${tag}': expected printable ascii (except \`,\` and \`/\`) or valid utf-8 sequences`,
  },
} as const;

export const name = {
  type: 'string',
  unique: true,
  check: (value: string) =>
    /^[\w.\-~\u0080-\u{10ffff}]+$/u.test(value)
      ? undefined
      : `invalid value '${value}': the only accepted ascii characters are alphanumerics or ., -, _, and ~`,
} as const;

export const port = { type: 'integer', between: [0, 65535] } as const;
export const timeout = { type: 'integer', required: true, default: 60000, between: [1, 2 ** 31 - 2] } as const;

export const httpProtocols = {
  type: 'set',
  required: true,
  default: ['grpc', 'grpcs', 'http', 'https'],
  elements: { type: 'string', oneOf: ['grpc', 'grpcs', 'http', 'https'] },
} as const;

export const headerName = {
  type: 'string',
  check: (value: string) =>
    TOKEN.test(value) ? undefined : `bad header name '${value}', allowed characters are A-Z, a-z, 0-9, '_', and '-'`,
} as const;

export const cookieName = {
  type: 'string',
  check: (value: string) =>
    TOKEN.test(value) ? undefined : `bad cookie name '${value}', allowed characters are A-Z, a-z, 0-9, '_', and '-'`,
} as const;

/** The names that Kong accepts for headers and cookies, which are fewer than HTTP allows. */
const TOKEN = /^[\w-]+$/;

/** Accepts a hostname or an address without a port. */
export function hostError(host: string): string | undefined {
  if (isIPv4(host) || isIPv6(host.replace(/^\[(.*)\]$/, '$1'))) return undefined;
  if (/^[^:]+:\d+$/.test(host)) return 'must not have a port';
  return isHostname(host) ? undefined : `invalid value: ${host}`;
}

export function isHostname(host: string): boolean {
  return host.length <= 253 && /^[A-Za-z0-9_]([\w-]*)(\.[A-Za-z0-9_][\w-]*)*\.?$/.test(host);
}

/** Accepts a hostname with at most one wildcard, for its first or its last label. */
export function hostPatternError(host: string): string | undefined {
  const stars = host.split('*').length - 1;
  if (stars > 1) return 'invalid wildcard: must have at most one wildcard';
  if (stars === 1 && !/^\*\./.test(host) && !/\.\*(:\d+)?$/.test(host)) {
    return 'invalid wildcard: must be placed at leftmost or rightmost label';
  }
  return parseHostPort(host.replace('*', 'wildcard')) ? undefined : `invalid hostname: ${host}`;
}

/** Accepts a fixed path that requests are sent to or matched by. */
export function pathError(path: string): string | undefined {
  if (path.includes('//')) return 'must not have empty segments';
  if (!/^[\w.\-~/%!$&'()*+,;=:@\u0080-\u{10ffff}]*$/u.test(path)) {
    return `invalid path: '${path}' (characters outside of the reserved list of RFC 3986 found)`;
  }
  const broken = /%(?![0-9A-Fa-f]{2}).{0,2}/.exec(path);
  return broken ? `invalid url-encoded value: '${broken[0]}'` : undefined;
}

/** `host:port`, `[v6]:port`, or a host or address alone. `undefined` for anything else. */
export function parseHostPort(text: string): { host: string; port: number | undefined } | undefined {
  const match = /^(\[[0-9A-Fa-f:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(text);
  if (!match) return isIPv6(text) ? { host: `[${text}]`, port: undefined } : undefined;
  const host = match[1] ?? '';
  const number = match[2] === undefined ? undefined : Number(match[2]);
  if (number !== undefined && number > 65535) return undefined;
  const valid = host.startsWith('[') ? isIPv6(host.slice(1, -1)) : isIPv4(host) || isHostname(host);
  return valid ? { host, port: number } : undefined;
}
