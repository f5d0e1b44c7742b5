import { rangeError } from '../proxy/ip-ranges.ts';
import { normalizePath } from '../proxy/path.ts';
import { compile, TOO_LARGE } from '../proxy/patterns.ts';
import type { EntityCheck, Row } from '../schema/field.ts';
import {
  createdAt,
  type EntitySchema,
  hostPatternError,
  id,
  name,
  parseHostPort,
  pathError,
  port,
  tags,
} from './common.ts';
import { asList, isFilled, protocolVariant } from './route-protocols.ts';

const protocols = ['grpc', 'grpcs', 'http', 'https', 'tcp', 'tls', 'tls_passthrough', 'udp'] as const;

const endpoint = {
  type: 'set',
  elements: {
    type: 'record',
    fields: { ip: { type: 'string', check: rangeError }, port },
    check: ({ ip, port }: Readonly<Record<string, unknown>>) =>
      ip === null && port === null ? "at least one of these fields must be non-empty: 'ip', 'port'" : undefined,
  },
} as const;

const fields = {
  id,
  created_at: createdAt,
  updated_at: createdAt,
  name,
  protocols: {
    type: 'set',
    required: true,
    lenMin: 1,
    default: ['http', 'https'],
    elements: { type: 'string', oneOf: protocols },
  },
  https_redirect_status_code: { type: 'integer', required: true, default: 426, oneOf: [426, 301, 302, 307, 308] },
  strip_path: { type: 'boolean', required: true, default: true },
  preserve_host: { type: 'boolean', required: true, default: false },
  request_buffering: { type: 'boolean', required: true, default: true },
  response_buffering: { type: 'boolean', required: true, default: true },
  tags,
  service: { type: 'foreign', reference: 'services' },
  snis: { type: 'set', elements: { type: 'string', check: sniError } },
  sources: endpoint,
  destinations: endpoint,
  methods: { type: 'set', elements: { type: 'string', check: methodError } },
  hosts: { type: 'array', elements: { type: 'string', check: hostPatternError } },
  paths: { type: 'array', elements: { type: 'string', check: routePathError } },
  headers: {
    type: 'map',
    keys: { type: 'string', check: matchedHeaderError },
    values: { type: 'array', elements: { type: 'string', check: headerValueError } },
  },
  regex_priority: { type: 'integer', required: true, default: 0 },
  path_handling: { type: 'string', required: true, default: 'v0', oneOf: ['v0', 'v1'] },
} as const;

export type Route = Row<typeof fields>;

const checks: readonly EntityCheck[] = [{ custom: protocolsTogether }, { custom: snisNeedTls }];

/** The attributes that match requests to services. */
export const routes: EntitySchema = {
  name: 'routes',
  path: 'routes',
  key: 'name',
  nested: [{ under: 'services', path: 'routes', field: 'service' }],
  fields,
  checks,
  stamps: { created: 'created_at', updated: 'updated_at', unit: 's' },
  variant: ({ protocols }) => protocolVariant({ fields, checks }, protocols),
};

function methodError(method: string): string | undefined {
  return /^[A-Z]+$/.test(method) ? undefined : `invalid value: ${method}`;
}

function sniError(sni: string): string | undefined {
  return parseHostPort(sni)?.port === undefined && parseHostPort(sni) ? undefined : `invalid value: ${sni}`;
}

function routePathError(path: string): string | undefined {
  if (path.startsWith('~/')) {
    return regexError(path.slice(1));
  }
  if (!path.startsWith('/')) return 'should start with: / (fixed path) or ~/ (regex path)';
  const error = pathError(path);
  if (error !== undefined) return error;
  const normalized = Buffer.from(normalizePath(Buffer.from(path).toString('latin1')), 'latin1').toString();
  return normalized === path ? undefined : `non-normalized path, consider use '${normalized}' instead`;
}

function matchedHeaderError(header: string): string | undefined {
  return header.toLowerCase() === 'host'
    ? "cannot contain 'host' header, which must be specified in the 'hosts' attribute"
    : undefined;
}

function headerValueError(value: string): string | undefined {
  return value.startsWith('~*') ? regexError(value.slice(2)) : undefined;
}

function regexError(source: string): string | undefined {
  const { error } = compile(source);
  if (error === TOO_LARGE) return `invalid regex: ${error}`;
  return error === undefined ? undefined : `invalid regex: '${source}' (${error})`;
}

function protocolsTogether(route: Readonly<Record<string, unknown>>): string | undefined {
  const protocols = asList(route.protocols);
  const sets = [['http', 'https'], ['tcp', 'tls', 'udp'], ['tls_passthrough'], ['grpc', 'grpcs']];
  return sets.filter((set) => set.some((protocol) => protocols.includes(protocol))).length > 1
    ? "these sets are mutually exclusive: ('http', 'https'), ('tcp', 'tls', 'udp'), ('tls_passthrough'), ('grpc', 'grpcs')"
    : undefined;
}

function snisNeedTls(route: Readonly<Record<string, unknown>>): string | undefined {
  const protocols = asList(route.protocols);
  return isFilled(route.snis) && !protocols.some((protocol) => /^(grpcs|https|tls)/.test(String(protocol)))
    ? "'snis' can only be set when 'protocols' is 'grpcs', 'https', 'tls' or 'tls_passthrough'"
    : undefined;
}
