/** For tests: signs tokens like Keycloak's realms, and serves their keys over HTTP at Keycloak's paths. */
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AUDIENCE, issuerOf } from '@hms/tenancy';
import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

export interface TokenChanges {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly algorithm?: string;
  /** Signs with this instead of the realm's key. */
  readonly key?: CryptoKey | Uint8Array;
  readonly kid?: string;
  readonly issuer?: string;
  readonly audience?: string;
  /** Seconds from now. */
  readonly expiresIn?: number;
}

interface RealmClaims {
  readonly roles: readonly string[];
  readonly hospital_id?: string;
  readonly hospital_prefix?: string;
}

export interface Issuer {
  readonly baseUrl: string;
  readonly keycloakUrl: string;
  /** Issuer of a realm. */
  address(realm: string): string;
  sign(realm: string, claims: RealmClaims, changes?: TokenChanges): Promise<string>;
  /** Replaces the key of a realm. */
  rotate(realm: string): Promise<void>;
  /** Serves this key under the `kid` of the realm's own, which goes on signing. */
  publish(realm: string, key: JWK): Promise<void>;
  /** Stops and starts serving keys, at the same address. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** How often a realm's keys were fetched. */
  fetches(realm: string): number;
  close(): Promise<void>;
}

interface RealmKey {
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
  readonly kid: string;
}

export async function createIssuer(): Promise<Issuer> {
  const keys = new Map<string, Promise<RealmKey>>();
  const fetches = new Map<string, number>();
  const server = createServer((request, response) => {
    const realm = /^\/auth\/realms\/([^/]+)\/protocol\/openid-connect\/certs$/.exec(request.url ?? '')?.[1] ?? '';
    fetches.set(realm, (fetches.get(realm) ?? 0) + 1);
    const key = keys.get(realm);
    if (!key) {
      response.writeHead(404).end('{"error":"Realm does not exist"}');
      return;
    }
    void key.then(({ jwk }) => {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ keys: [jwk] }));
    });
  });
  const port = await listen(server, 0);
  const baseUrl = `http://hms.test:${port}`;

  function keyOf(realm: string): Promise<RealmKey> {
    const key = keys.get(realm) ?? makeKey();
    keys.set(realm, key);
    return key;
  }

  return {
    baseUrl,
    keycloakUrl: `http://127.0.0.1:${port}/auth`,
    address: (realm) => issuerOf(baseUrl, realm),
    sign: async (realm, { roles, ...claims }, changes = {}) => {
      const { privateKey, kid } = await keyOf(realm);
      const now = Math.floor(Date.now() / 1000);
      return new SignJWT({
        typ: 'Bearer',
        azp: 'hms-auth',
        email: 'jane@example.org',
        name: 'Jane Doe',
        realm_access: { roles: [`default-roles-${realm}`, ...roles] },
        sub: randomUUID(),
        iss: changes.issuer ?? issuerOf(baseUrl, realm),
        aud: changes.audience ?? AUDIENCE,
        iat: now,
        exp: now + (changes.expiresIn ?? 300),
        ...claims,
        ...changes.claims,
      })
        .setProtectedHeader({ alg: changes.algorithm ?? 'RS256', typ: 'JWT', kid: changes.kid ?? kid })
        .sign(changes.key ?? privateKey);
    },
    rotate: async (realm) => {
      keys.set(realm, makeKey());
      await keyOf(realm);
    },
    publish: async (realm, jwk) => {
      const { privateKey, kid } = await keyOf(realm);
      keys.set(realm, Promise.resolve({ privateKey, kid, jwk: { ...jwk, kid, alg: 'RS256', use: 'sig' } }));
    },
    pause: () => close(server),
    resume: async () => {
      await listen(server, port);
    },
    fetches: (realm) => fetches.get(realm) ?? 0,
    close: () => close(server),
  };
}

async function makeKey(): Promise<RealmKey> {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const jwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(jwk);
  return { privateKey, kid, jwk: { ...jwk, kid, alg: 'RS256', use: 'sig' } };
}

async function listen(server: Server, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen(port, '127.0.0.1', resolve);
  await promise;
  return (server.address() as AddressInfo).port;
}

async function close(server: Server): Promise<void> {
  if (!server.listening) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  server.closeAllConnections();
  await promise;
}
