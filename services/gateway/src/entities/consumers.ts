import { createPublicKey, randomBytes } from 'node:crypto';
import type { Row } from '../schema/field.ts';
import { createdAt, type EntitySchema, id, tags } from './common.ts';

const consumerFields = {
  id,
  created_at: createdAt,
  updated_at: createdAt,
  username: { type: 'string', unique: true },
  custom_id: { type: 'string', unique: true },
  tags,
} as const;

const jwtFields = {
  id,
  created_at: createdAt,
  consumer: { type: 'foreign', reference: 'consumers', required: true, onDelete: 'cascade' },
  key: { type: 'string', unique: true, auto: true },
  secret: { type: 'string', auto: true },
  rsa_public_key: { type: 'string' },
  algorithm: {
    type: 'string',
    required: true,
    default: 'HS256',
    oneOf: [
      'HS256',
      'HS384',
      'HS512',
      'RS256',
      'RS384',
      'RS512',
      'ES256',
      'ES384',
      'ES512',
      'PS256',
      'PS384',
      'PS512',
      'EdDSA',
    ],
  },
  tags,
} as const;

const aclFields = {
  id,
  created_at: createdAt,
  consumer: { type: 'foreign', reference: 'consumers', required: true, onDelete: 'cascade' },
  group: { type: 'string', required: true },
  tags,
} as const;

export type Consumer = Row<typeof consumerFields>;
export type JwtSecret = Row<typeof jwtFields>;
export type Acl = Row<typeof aclFields>;

/** The callers. */
export const consumers: EntitySchema = {
  name: 'consumers',
  path: 'consumers',
  key: 'username',
  nested: [],
  fields: consumerFields,
  checks: [{ atLeastOneOf: ['custom_id', 'username'] }],
  stamps: { created: 'created_at', updated: 'updated_at', unit: 's' },
};

/** The keys that verify a consumer's tokens. */
export const jwtSecrets: EntitySchema = {
  name: 'jwt_secrets',
  path: 'jwts',
  key: 'key',
  nested: [{ under: 'consumers', path: 'jwt', field: 'consumer' }],
  fields: jwtFields,
  checks: [
    {
      ifField: 'algorithm',
      ifMatch: (algorithm) => /^(RS|PS|EdDSA)/.test(String(algorithm)),
      thenField: 'rsa_public_key',
      thenMatch: publicKeyError,
    },
  ],
  stamps: { created: 'created_at', unit: 's' },
  adjust: (input) => ({ ...input, key: input.key ?? randomKey(), secret: input.secret ?? randomKey() }),
};

/** The groups that a consumer is in. */
export const acls: EntitySchema = {
  name: 'acls',
  path: 'acls',
  nested: [{ under: 'consumers', path: 'acls', field: 'consumer' }],
  key: 'group',
  fields: aclFields,
  checks: [],
  uniqueTogether: ['consumer', 'group'],
  stamps: { created: 'created_at', unit: 's' },
};

function publicKeyError(pem: unknown): string | undefined {
  if (typeof pem !== 'string') return 'required field missing';
  // Node reads certificates and private keys too. Neither is accepted here.
  if (!/-----BEGIN (RSA )?PUBLIC KEY-----/.test(pem)) return 'invalid key';
  try {
    createPublicKey(pem);
    return undefined;
  } catch {
    return 'invalid key';
  }
}

/** 32 letters and digits, as Kong generates keys and secrets. */
function randomKey(): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  return Array.from(randomBytes(64), (byte) => (byte < 248 ? letters[byte % 62] : ''))
    .join('')
    .slice(0, 32);
}
