import type { EntityCheck, Field, Fields } from '../schema/field.ts';

interface Schema {
  readonly fields: Fields;
  readonly checks: readonly EntityCheck[];
}

type Input = Readonly<Record<string, unknown>>;

/** The attributes that a route may and must have depend on its protocols. As in Kong, the first protocol decides. */
export function protocolVariant({ fields, checks }: Schema, protocols: unknown): Schema {
  const first = protocols === undefined || protocols === null ? 'https' : asList(protocols)[0];
  const family = FAMILIES.find(({ members }) => members.some((member) => member === first));
  if (!family) return { fields, checks };
  const message = (field: string) => `cannot set '${field}' when 'protocols' is ${family.description}`;
  const never = family.never.map((name) => [name, { ...fields[name], never: message(name) }]);
  return {
    fields: {
      ...fields,
      ...Object.fromEntries(never),
      ...(family.name === 'grpc' && { strip_path: unstripped(message) }),
    },
    checks: [...checks, { custom: family.matched }],
  };
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function isFilled(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function unstripped(message: (field: string) => string): Field {
  return {
    type: 'boolean',
    required: true,
    default: false,
    check: (strip: boolean) => (strip ? message('strip_path') : undefined),
  };
}

const FAMILIES = [
  {
    name: 'http',
    members: ['http', 'https'],
    description: "'http' or 'https'",
    never: ['sources', 'destinations'],
    matched: ({ protocols, ...route }: Input) =>
      asList(protocols).includes('https')
        ? requireOne(route, ['methods', 'hosts', 'headers', 'paths', 'snis'], "'https'")
        : requireOne(route, ['methods', 'hosts', 'headers', 'paths'], "'http'"),
  },
  {
    name: 'stream',
    members: ['tcp', 'tls', 'udp', 'tls_passthrough'],
    description: "'tcp', 'tls', 'tls_passthrough' or 'udp'",
    never: ['methods', 'hosts', 'paths', 'headers'],
    matched: ({ protocols, ...route }: Input) => {
      if (!asList(protocols).includes('tls_passthrough')) {
        return requireOne(route, ['sources', 'destinations', 'snis'], "'tcp', 'tls' or 'udp'");
      }
      return isFilled(route.snis) ? undefined : "must set snis when 'protocols' is 'tls_passthrough'";
    },
  },
  {
    name: 'grpc',
    members: ['grpc', 'grpcs'],
    description: "'grpc' or 'grpcs'",
    never: ['methods', 'sources', 'destinations'],
    matched: ({ protocols, ...route }: Input) =>
      asList(protocols).includes('grpcs')
        ? requireOne(route, ['hosts', 'headers', 'paths', 'snis'], "'grpcs'")
        : requireOne(route, ['hosts', 'headers', 'paths'], "'grpc'"),
  },
] as const;

function requireOne(route: Input, fields: readonly string[], protocol: string): string | undefined {
  if (fields.some((field) => isFilled(route[field]))) return undefined;
  return `must set one of ${fields.map((field) => `'${field}'`).join(', ')} when 'protocols' is ${protocol}`;
}
