import type { Row } from '../schema/field.ts';
import { createdAt, type EntitySchema, hostError, id, name, pathError, port, tags, timeout } from './common.ts';

const fields = {
  id,
  created_at: createdAt,
  updated_at: createdAt,
  name,
  retries: { type: 'integer', required: true, default: 5, between: [0, 32767] },
  protocol: {
    type: 'string',
    required: true,
    default: 'http',
    oneOf: ['grpc', 'grpcs', 'http', 'https', 'tcp', 'tls', 'tls_passthrough', 'udp'],
  },
  host: { type: 'string', required: true, check: hostError },
  port: { ...port, required: true, default: 80 },
  path: { type: 'string', startsWith: '/', check: pathError },
  connect_timeout: timeout,
  write_timeout: timeout,
  read_timeout: timeout,
  tags,
  client_certificate: { type: 'foreign', reference: 'certificates' },
  tls_verify: { type: 'boolean' },
  tls_verify_depth: { type: 'integer', between: [0, 64] },
  ca_certificates: { type: 'array', elements: { type: 'string', uuid: true, lists: 'ca_certificates' } },
  enabled: { type: 'boolean', required: true, default: true },
} as const;

export type Service = Row<typeof fields>;

const tlsOnly = (field: string) => ({
  ifField: 'protocol',
  ifMatch: (protocol: unknown) => protocol !== 'https' && protocol !== 'tls',
  thenField: field,
  thenMatch: (value: unknown) => (value === null ? undefined : 'value must be null'),
});

/** Where requests go. `url` is a shorthand for protocol, host, port and path. */
export const services: EntitySchema = {
  name: 'services',
  path: 'services',
  key: 'name',
  nested: [{ under: 'certificates', path: 'services', field: 'client_certificate' }],
  fields,
  checks: ['client_certificate', 'tls_verify', 'tls_verify_depth', 'ca_certificates'].map(tlsOnly),
  stamps: { created: 'created_at', updated: 'updated_at', unit: 's' },
  adjust: ({ url, ...input }) =>
    typeof url === 'string'
      ? { ...input, ...fromUrl(url) }
      : url === undefined || url === null
        ? input
        : { ...input, url },
};

function fromUrl(text: string): Record<string, unknown> {
  const match = /^(\w+):\/\/(\[[^\]]+\]|[^/:?#]+)(?::(\d+))?(\/[^?#]*)?$/.exec(text);
  if (!match) return { url: text };
  const [, protocol, host, portText, path] = match;
  const implied = protocol === 'https' ? 443 : 80;
  return { protocol, host, port: portText === undefined ? implied : Number(portText), path: path ?? null };
}
