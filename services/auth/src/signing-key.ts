/** The key with which the auth module authenticates to Keycloak (private_key_jwt, RFC 7523). */
import { createPrivateKey, createPublicKey, type KeyObject, randomUUID, sign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { signedText } from '@hms/database';
import { SettingsError } from '@hms/service';
import { ASSERTION_PROVIDERS } from '@hms/tenancy';
import { calculateJwkThumbprint, exportJWK, type JWK, SignJWT } from 'jose';
import { deriveSecrets, type Secrets } from './secrets.ts';

export interface SigningKey {
  readonly publicJwk: JWK;
  readonly secrets: Secrets;
  /**
   * An assertion for a realm. Keycloak accepts each only once, so every call needs a new one.
   * @param issuer a client, or who vouches for somebody.
   * @param audience the realm's issuer, which is the only audience that Keycloak accepts, whatever its address.
   * @param subject default: the issuer itself, as for a client.
   */
  assertion(issuer: string, audience: string, subject?: string): Promise<string>;
  /**
   * Says to a realm as whom somebody acts. Good for one use.
   * @param subject id of the account. @param expiresAt the access token expires with it.
   */
  assertionAbout(subject: string, audience: string, expiresAt: Date): Promise<string>;
  /** Signs the summary of a removed part of an audit chain. @returns base64url. */
  sign(summary: string): string;
}

/** @param file PKCS#8 PEM of an RSA key. @throws SettingsError if it is not. */
export async function readSigningKey(file: string): Promise<SigningKey> {
  let pem: string;
  try {
    pem = await readFile(file, 'utf8');
  } catch (error) {
    throw problem(`can't be read (${(error as NodeJS.ErrnoException).code})`);
  }
  return createSigningKey(pem);
}

/** @throws SettingsError if it is not an RSA key of at least 2048 bits. */
export async function createSigningKey(pem: string): Promise<SigningKey> {
  const privateKey = parse(pem);
  if (privateKey.asymmetricKeyType !== 'rsa' || (privateKey.asymmetricKeyDetails?.modulusLength ?? 0) < 2048) {
    throw problem('is not an RSA key of at least 2048 bits');
  }
  const jwk = await exportJWK(createPublicKey(privateKey));
  // The thumbprint: a kid must never be reused for another key, because Keycloak would continue with the cached one.
  const kid = await calculateJwkThumbprint(jwk);
  const signed = (issuer: string, subject: string, audience: string, end: string | Date) =>
    new SignJWT({ jti: randomUUID() })
      .setProtectedHeader({ alg: ALGORITHM, kid })
      .setIssuer(issuer)
      .setSubject(subject)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime(end)
      .sign(privateKey);
  return {
    secrets: deriveSecrets(privateKey),
    publicJwk: { ...jwk, kid, alg: ALGORITHM, use: 'sig' },
    sign: (summary) => sign('sha256', signedText(summary), privateKey).toString('base64url'),
    assertion: (issuer, audience, subject = issuer) => signed(issuer, subject, audience, `${LIFETIME} s`),
    assertionAbout: (subject, audience, expiresAt) =>
      signed(ASSERTION_PROVIDERS.impersonations.issuer, subject, audience, expiresAt),
  };
}

const ALGORITHM = 'RS256';
const LIFETIME = 60;

function parse(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw problem('does not contain a private key as PKCS#8 PEM');
  }
}

function problem(what: string): SettingsError {
  return new SettingsError([
    `The file of AUTH_SIGNING_KEY_FILE ${what}: create one with "openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048".`,
  ]);
}
