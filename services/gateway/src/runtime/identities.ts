import { createPublicKey, createSecretKey, type KeyObject } from 'node:crypto';
import type { Consumer, JwtSecret } from '../entities/consumers.ts';
import type { Store } from '../store/store.ts';

/** A jwt credential with its key parsed. */
export interface Credential {
  readonly id: string;
  /** The credential's key: the token's issuer. */
  readonly name: string;
  readonly algorithm: string;
  readonly key: KeyObject | undefined;
  /** As `key`, where secrets are kept in base64. */
  readonly decodedKey: KeyObject | undefined;
  readonly consumer: Consumer | undefined;
}

export interface Identities {
  readonly credentials: ReadonlyMap<string, Credential>;
  readonly groups: ReadonlyMap<string, readonly string[]>;
}

/** Parses all credentials; keys that have not changed are not parsed again. */
export function prepareIdentities(store: Store, parsed: WeakMap<JwtSecret, Credential>): Identities {
  const credentials = new Map<string, Credential>();
  for (const secret of store.all('jwt_secrets')) {
    const consumer = store.get('consumers', secret.consumer.id);
    const known = parsed.get(secret);
    const credential = known ? { ...known, consumer } : parseCredential(secret, consumer);
    parsed.set(secret, credential);
    credentials.set(secret.key, credential);
  }
  const groups = new Map<string, string[]>();
  for (const { consumer, group } of store.all('acls')) {
    groups.set(consumer.id, [...(groups.get(consumer.id) ?? []), group]);
  }
  return { credentials, groups };
}

function parseCredential(secret: JwtSecret, consumer: Consumer | undefined): Credential {
  const common = { id: secret.id, name: secret.key, algorithm: secret.algorithm, consumer };
  if (!secret.algorithm.startsWith('HS')) {
    const key = publicKey(secret.rsa_public_key);
    return { ...common, key, decodedKey: key };
  }
  return {
    ...common,
    key: createSecretKey(Buffer.from(secret.secret)),
    decodedKey: createSecretKey(Buffer.from(secret.secret, 'base64url')),
  };
}

function publicKey(pem: string | null): KeyObject | undefined {
  try {
    return pem === null ? undefined : createPublicKey(pem);
  } catch {
    return undefined;
  }
}
