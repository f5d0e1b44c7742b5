import { constants, createHmac, type KeyObject, timingSafeEqual, verify } from 'node:crypto';

export interface Token {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly algorithm: Algorithm;
  /** Header and claims in their signed form. */
  readonly signed: string;
  readonly signature: Buffer;
}

/** Decodes a token (RFC 7515), or returns Kong's error message. */
export function decodeToken(
  text: string,
): Token | 'invalid JSON' | 'invalid alg' | 'invalid claims' | 'invalid signature' {
  const first = text.indexOf('.');
  const second = text.indexOf('.', first + 1);
  if (first < 0 || second < 0) return 'invalid JSON';
  const header = parse(text.slice(0, first));
  const claims = parse(text.slice(first + 1, second));
  if (header === undefined || claims === undefined || !isObject(header)) return 'invalid JSON';
  const algorithm = header.alg;
  if (typeof algorithm !== 'string' || !Object.hasOwn(ALGORITHMS, algorithm)) return 'invalid alg';
  if (!isObject(claims)) return 'invalid claims';
  const signature = text.slice(second + 1);
  if (!/^[\w-]+=*$/.test(signature)) return 'invalid signature';
  return {
    header,
    claims,
    algorithm: algorithm as Algorithm,
    signed: text.slice(0, second),
    signature: Buffer.from(signature, 'base64url'),
  };
}

/** A key of the wrong type for the algorithm verifies nothing. */
export function verifySignature({ algorithm, signed, signature }: Token, key: KeyObject): boolean {
  const { digest, keyType, ...options } = ALGORITHMS[algorithm];
  if (keyType === 'secret') {
    if (key.type !== 'secret' || digest === null) return false;
    const expected = createHmac(digest, key).update(signed).digest();
    return expected.length === signature.length && timingSafeEqual(expected, signature);
  }
  if (key.type !== 'public' || !keyType.some((type) => type === key.asymmetricKeyType)) return false;
  try {
    return verify(digest, Buffer.from(signed), { key, ...options }, signature);
  } catch {
    return false;
  }
}

function parse(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString());
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const hmac = (digest: string) => ({ digest, keyType: 'secret' }) as const;
const rsa = (digest: string) => ({ digest, keyType: ['rsa'], padding: constants.RSA_PKCS1_PADDING }) as const;
const pss = (digest: string) =>
  ({
    digest,
    keyType: ['rsa', 'rsa-pss'],
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
  }) as const;
const ecdsa = (digest: string) => ({ digest, keyType: ['ec'], dsaEncoding: 'ieee-p1363' }) as const;

/** RFC 7518, section 3.1, and RFC 8037; `none` is not among them. */
const ALGORITHMS = {
  HS256: hmac('sha256'),
  HS384: hmac('sha384'),
  HS512: hmac('sha512'),
  RS256: rsa('sha256'),
  RS384: rsa('sha384'),
  RS512: rsa('sha512'),
  ES256: ecdsa('sha256'),
  ES384: ecdsa('sha384'),
  ES512: ecdsa('sha512'),
  PS256: pss('sha256'),
  PS384: pss('sha384'),
  PS512: pss('sha512'),
  EdDSA: { digest: null, keyType: ['ed25519', 'ed448'] },
} as const;

type Algorithm = keyof typeof ALGORITHMS;
