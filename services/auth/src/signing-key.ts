/** The key with which the auth module shows Keycloak who it is (private_key_jwt, RFC 7523). */
import { createPrivateKey, createPublicKey, type KeyObject, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { SettingsError } from '@hms/service';
import { calculateJwkThumbprint, exportJWK, type JWK, SignJWT } from 'jose';

export interface SigningKey {
  readonly publicJwk: JWK;
  /**
   * A client assertion for a realm. Keycloak takes each once, so every call needs its own.
   * @param audience the realm's issuer, which is the only audience that Keycloak takes however it is reached.
   */
  assertion(clientId: string, audience: string): Promise<string>;
}

/** @param file PKCS#8 PEM of an RSA key. @throws SettingsError when it is not that. */
export async function readSigningKey(file: string): Promise<SigningKey> {
  let pem: string;
  try {
    pem = await readFile(file, 'utf8');
  } catch (error) {
    throw problem(`can't be read (${(error as NodeJS.ErrnoException).code})`);
  }
  return createSigningKey(pem);
}

/** @throws SettingsError when it is no RSA key of at least 2048 bits. */
export async function createSigningKey(pem: string): Promise<SigningKey> {
  const privateKey = parse(pem);
  if (privateKey.asymmetricKeyType !== 'rsa' || (privateKey.asymmetricKeyDetails?.modulusLength ?? 0) < 2048) {
    throw problem('is not an RSA key of at least 2048 bits');
  }
  const jwk = await exportJWK(createPublicKey(privateKey));
  // The thumbprint: a kid must never come back with another key, as Keycloak would go on with the one it has.
  const kid = await calculateJwkThumbprint(jwk);
  return {
    publicJwk: { ...jwk, kid, alg: ALGORITHM, use: 'sig' },
    assertion: (clientId, audience) =>
      new SignJWT({ jti: randomUUID() })
        .setProtectedHeader({ alg: ALGORITHM, kid })
        .setIssuer(clientId)
        .setSubject(clientId)
        .setAudience(audience)
        .setIssuedAt()
        .setExpirationTime(`${LIFETIME} s`)
        .sign(privateKey),
  };
}

const ALGORITHM = 'RS256';
const LIFETIME = 60;

function parse(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw problem('has no private key in PKCS#8 PEM form');
  }
}

function problem(what: string): SettingsError {
  return new SettingsError([
    `The file of AUTH_SIGNING_KEY_FILE ${what}: make one with "openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048".`,
  ]);
}
