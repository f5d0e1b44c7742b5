import { createPublicKey, createSecretKey, type KeyObject } from 'node:crypto';
import type { Consumer, JwtSecret } from '../entities/consumers.ts';
import type { Credential } from '../plugins/plugin.ts';
import type { Store } from '../store/store.ts';

export interface Identities {
  readonly credentials: ReadonlyMap<string, Credential>;
  readonly groups: ReadonlyMap<string, readonly string[]>;
}

/** Parses all credentials. Unchanged keys are not parsed again. */
export function prepareIdentities(store: Store, parsed: WeakMap<JwtSecret, Credential>): Identities {
  const credentials = new Map<string, Credential>();
  for (const secret of store.all('jwt_secrets')) {
    const consumer = store.get('consumers', secret.consumer.id);
    const cached = parsed.get(secret);
    const credential = cached ? { ...cached, consumer } : parseCredential(secret, consumer);
    parsed.set(secret, credential);
    credentials.set(secret.key, credential);
  }
  const groups = new Map<string, string[]>();
  for (const { consumer, group } of store.all('acls')) {
    const consumerGroups = groups.get(consumer.id);
    if (consumerGroups) consumerGroups.push(group);
    else groups.set(consumer.id, [group]);
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
    key: secretKey(Buffer.from(secret.secret)),
    decodedKey: secretKey(fromBase64(secret.secret)),
  };
}

/** An empty secret is none: anybody could sign with it. */
function secretKey(bytes: Buffer): KeyObject | undefined {
  return bytes.length > 0 ? createSecretKey(bytes) : undefined;
}

/** Accepts both alphabets, padded or not. Empty for invalid text, which Buffer would decode up to its first error. */
function fromBase64(text: string): Buffer {
  const isBase64 = /^[\w+/-]*=*$/.test(text) && text.replace(/=+$/, '').length % 4 !== 1;
  return Buffer.from(isBase64 ? text : '', 'base64');
}

function publicKey(pem: string | null): KeyObject | undefined {
  try {
    return pem === null ? undefined : createPublicKey(pem);
  } catch {
    return undefined;
  }
}
