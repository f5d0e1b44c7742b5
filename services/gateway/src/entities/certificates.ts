import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { Row } from '../schema/field.ts';
import { createdAt, type EntitySchema, hostPatternError, id, tags } from './common.ts';

const certificate = { type: 'string', check: certificateError } as const;
const key = { type: 'string', check: keyError } as const;

const certificateFields = {
  id,
  created_at: createdAt,
  updated_at: createdAt,
  cert: { ...certificate, required: true },
  key: { ...key, required: true },
  cert_alt: certificate,
  key_alt: key,
  tags,
} as const;

const sniFields = {
  id,
  created_at: createdAt,
  updated_at: createdAt,
  name: { type: 'string', required: true, unique: true, check: sniError },
  certificate: { type: 'foreign', reference: 'certificates', required: true, onDelete: 'cascade' },
  tags,
} as const;

const caCertificateFields = {
  id,
  created_at: createdAt,
  updated_at: createdAt,
  cert: { ...certificate, required: true },
  cert_digest: { type: 'string', unique: true },
  tags,
} as const;

export type Certificate = Row<typeof certificateFields>;
export type Sni = Row<typeof sniFields>;
export type CaCertificate = Row<typeof caCertificateFields>;

/** What the gateway identifies itself with: to clients by the names in `snis`, to services as their client. */
export const certificates: EntitySchema = {
  name: 'certificates',
  path: 'certificates',
  alias: { kind: 'snis', link: 'certificate' },
  nested: [],
  fields: certificateFields,
  checks: [{ custom: pairError('cert', 'key') }, { custom: pairError('cert_alt', 'key_alt') }],
  stamps: { created: 'created_at', updated: 'updated_at', unit: 's' },
};

/** The names that select a certificate. */
export const snis: EntitySchema = {
  name: 'snis',
  path: 'snis',
  key: 'name',
  nested: [{ under: 'certificates', path: 'snis', field: 'certificate' }],
  fields: sniFields,
  checks: [],
  stamps: { created: 'created_at', updated: 'updated_at', unit: 's' },
};

/** The authorities that may sign the certificates of services. */
export const caCertificates: EntitySchema = {
  name: 'ca_certificates',
  path: 'ca_certificates',
  nested: [],
  fields: caCertificateFields,
  checks: [{ custom: authorityError }],
  stamps: { created: 'created_at', updated: 'updated_at', unit: 's' },
  adjust: (input) => {
    const parsed = typeof input.cert === 'string' ? parse(input.cert) : undefined;
    return parsed ? { ...input, cert_digest: parsed.fingerprint256.replaceAll(':', '').toLowerCase() } : input;
  },
};

function sniError(name: string): string | undefined {
  if (name === '*') return undefined;
  return /:\d+$/.test(name) ? 'must not have a port' : hostPatternError(name);
}

function certificateError(pem: string): string | undefined {
  return parse(pem) ? undefined : 'invalid certificate: expected a certificate in PEM';
}

function keyError(pem: string): string | undefined {
  try {
    createPrivateKey(pem);
    return undefined;
  } catch {
    return 'invalid key: expected a private key in PEM';
  }
}

function pairError(certField: string, keyField: string) {
  return ({ [certField]: cert, [keyField]: key }: Readonly<Record<string, unknown>>): string | undefined => {
    if (typeof cert !== 'string' && typeof key !== 'string') return undefined;
    if (typeof cert !== 'string' || typeof key !== 'string') {
      return `all or none of these fields must be set: '${certField}', '${keyField}'`;
    }
    const parsed = parse(cert);
    if (!parsed || keyError(key) !== undefined) return undefined;
    return parsed.checkPrivateKey(createPrivateKey(key)) ? undefined : 'certificate does not match key';
  };
}

function authorityError({ cert }: Readonly<Record<string, unknown>>): string | undefined {
  const parsed = typeof cert === 'string' ? parse(cert) : undefined;
  if (!parsed) return undefined;
  if (String(cert).split('-----BEGIN CERTIFICATE-----').length > 2)
    return 'please submit only one certificate at a time';
  if (Date.parse(parsed.validTo) < Date.now()) return 'certificate expired, "Not After" time is in the past';
  return parsed.ca
    ? undefined
    : 'certificate does not appear to be a CA because it is missing the "CA" basic constraint';
}

function parse(pem: string): X509Certificate | undefined {
  try {
    return pem.includes('-----BEGIN') ? new X509Certificate(pem) : undefined;
  } catch {
    return undefined;
  }
}
