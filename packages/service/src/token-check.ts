/**
 * The second fence of tenant isolation: a module verifies the access token independently of the gateway.
 * The tenant is the hospital whose realm signed the token.
 */
import type { Hospital } from '@hms/database';
import { AUDIENCE, CONSOLE_REALM, IMPERSONATION_CLIENT, NEVER_IMPERSONATED, realmOfIssuer } from '@hms/tenancy';
import { createRemoteJWKSet, decodeJwt, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Caller, Impersonation } from './caller.ts';
import { HOSPITAL_NOT_READY, HOSPITAL_SUSPENDED, IDENTITY_UNAVAILABLE, Problem, UNAUTHENTICATED } from './errors.ts';
import type { Registry, Rights } from './registry.ts';

export interface TokenCheckOptions {
  readonly registry: Pick<Registry, 'byIssuer' | 'revokedBefore' | 'impersonationOf' | 'rights'>;
  /** Public address of the gateway. */
  readonly baseUrl: string;
  /** Internal address of Keycloak, with its relative path. Keys are fetched from here, never from a token's address. */
  readonly keycloakUrl: string;
}

/**
 * @returns a function that verifies an access token.
 * @throws Problem UNAUTHENTICATED, HOSPITAL_SUSPENDED, HOSPITAL_NOT_READY, IDENTITY_UNAVAILABLE (no keys to verify
 * with, which says nothing about the token), DATABASE_UNAVAILABLE.
 */
export function createTokenCheck({ registry, baseUrl, keycloakUrl }: TokenCheckOptions) {
  const keys = new Map<string, JWTVerifyGetKey>();
  const verified = new LRUCache<string, AccessClaims>({ max: MOST_VERIFIED, ttl: VERIFIED_MAX_AGE });

  /** The claims of a token whose signature, issuer and audience are right, and which has not expired. */
  async function claimsOf(token: string, issuer: string, realm: string): Promise<AccessClaims> {
    const known = verified.get(token);
    if (known) {
      if (known.exp * 1000 <= Date.now()) throw refused('it has expired');
      return known;
    }
    const claims = await verify(token, issuer, keysOf(realm));
    verified.set(token, claims);
    return claims;
  }

  function keysOf(realm: string): JWTVerifyGetKey {
    const known = keys.get(realm);
    if (known) return known;
    const created = realmKeys(keycloakUrl, realm);
    keys.set(realm, created);
    return created;
  }

  /**
   * Who really acts. Keycloak can't name a person in a token of this grant, so the registry has it.
   * @throws Problem UNAUTHENTICATED if the impersonation has ended, or the token belongs to none.
   */
  async function impersonationOf(claims: AccessClaims, hospital: Hospital): Promise<Impersonation | undefined> {
    if (claims.azp !== IMPERSONATION_CLIENT && claims.act === undefined) return undefined;
    const tokenId = typeof claims.jti === 'string' ? claims.jti : '';
    const found = await registry.impersonationOf(tokenId);
    if (!found || found.hospitalId !== hospital.id || found.subject !== claims.sub)
      throw refused('its impersonation has ended');
    if (rolesIn(claims).some((role) => NEVER_IMPERSONATED.includes(String(role))))
      throw refused('nobody may act as an OWNER or a DISPLAY');
    const { id, actor, actorEmail, mode, endsAt } = found;
    return { id, tokenId, actor, actorEmail, mode, endsAt };
  }

  /** Roles count only in their realm: a hospital's token can't carry a role of the platform, nor vice versa. */
  async function callerOf(claims: AccessClaims, hospital: Hospital | undefined): Promise<Caller> {
    const caller = toCaller(claims, hospital, await registry.rights(hospital, rolesIn(claims)));
    return hospital ? { ...caller, impersonation: await impersonationOf(claims, hospital) } : caller;
  }

  return async function check(token: string): Promise<Caller> {
    const issuer = issuerIn(token);
    const realm = realmOfIssuer(baseUrl, issuer);
    if (realm === CONSOLE_REALM) return callerOf(await claimsOf(token, issuer, realm), undefined);
    const hospital = realm === undefined ? undefined : await registry.byIssuer(issuer);
    if (!hospital || hospital.state === 'Retained' || hospital.state === 'Deleting')
      throw refused('it is from no hospital of this platform');
    const claims = await claimsOf(token, issuer, hospital.prefix);
    if (claims.hospital_id !== hospital.id || claims.hospital_prefix !== hospital.prefix) {
      throw refused('it does not name the hospital that signed it');
    }
    const issuedBefore = await registry.revokedBefore(hospital, claims.sub);
    if ((claims.iat ?? 0) < issuedBefore) throw refused('the account was suspended, or its rights have changed');
    if (hospital.state === 'Suspended') throw new Problem(HOSPITAL_SUSPENDED);
    if (hospital.state === 'Provisioning') throw new Problem(HOSPITAL_NOT_READY);
    return callerOf(claims, hospital);
  };
}

/**
 * Reads the token from the header or the query parameter `jwt`. The gateway counts requests by the raw header, so
 * a token has one spelling: `Bearer`, one space, and base64url in its canonical form.
 * @throws Problem UNAUTHENTICATED if there is none, or if two differ.
 */
export function tokenOf(authorization: string | undefined, query: unknown): string {
  const fromHeader = /^Bearer ([^ ]+)$/.exec(authorization ?? '')?.[1];
  if (authorization !== undefined && fromHeader === undefined) {
    throw refused('the header is not "Authorization: Bearer" and a token');
  }
  if (query !== undefined && typeof query !== 'string') throw refused('the parameter jwt is given more than once');
  if (fromHeader && query && fromHeader !== query) throw refused('the header and the parameter jwt differ');
  const token = fromHeader ?? query;
  if (!token) throw new Problem(UNAUTHENTICATED, { headers: { 'WWW-Authenticate': 'Bearer' } });
  if (!isCanonical(token)) throw refused('it is not written in canonical base64url (RFC 4648, 3.5)');
  return token;
}

/** Whether no other text decodes to the same bytes: no padding, and the unused bits of the last character are 0. */
function isCanonical(token: string): boolean {
  return token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
}

/** Keycloak may be slow while it starts, but a request must not wait for long. */
const FETCH_TIMEOUT = 3_000;
/**
 * After a key rotation, new tokens are refused for at most this long. It also limits the fetches for unknown `kid`s.
 */
const FETCH_PAUSE = 5_000;
/** A revoked key is trusted for at most this long: about the lifetime of an access token. */
const KEYS_MAX_AGE = 5 * 60_000;

/**
 * A client sends the same token many times, and each verification of its signature takes about as long as the rest of a
 * small request. A revoked key is trusted for at most this much longer.
 */
const VERIFIED_MAX_AGE = 60_000;
const MOST_VERIFIED = 5_000;

function realmKeys(keycloakUrl: string, realm: string): JWTVerifyGetKey {
  const url = new URL(`${keycloakUrl}/realms/${realm}/protocol/openid-connect/certs`);
  const fetched = createRemoteJWKSet(url, {
    timeoutDuration: FETCH_TIMEOUT,
    cooldownDuration: FETCH_PAUSE,
    cacheMaxAge: KEYS_MAX_AGE,
  });
  return async (header, token) => {
    try {
      return await fetched(header, token);
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) throw error;
      throw new Problem(IDENTITY_UNAVAILABLE, { cause: error });
    }
  };
}

interface AccessClaims extends JWTPayload {
  readonly sub: string;
  readonly exp: number;
  readonly email?: unknown;
  readonly name?: unknown;
  readonly sid?: unknown;
  /** The client that got the token. */
  readonly azp?: unknown;
  /** Who acts as the user (RFC 8693). */
  readonly act?: unknown;
  readonly realm_access?: unknown;
  readonly hospital_id?: unknown;
  readonly hospital_prefix?: unknown;
}

async function verify(token: string, issuer: string, key: JWTVerifyGetKey): Promise<AccessClaims> {
  try {
    const { payload } = await jwtVerify(token, key, {
      issuer,
      audience: AUDIENCE,
      algorithms: ['RS256'],
      requiredClaims: ['exp', 'sub'],
    });
    if (typeof payload.sub !== 'string' || payload.exp === undefined) throw refused('it has no user');
    return { ...payload, sub: payload.sub, exp: payload.exp };
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw refused('it has expired', error);
    // jose's error for a key that is too short, or of the wrong kind.
    if (error instanceof errors.JOSEError || error instanceof TypeError) throw refused('it can not be verified', error);
    throw error;
  }
}

function issuerIn(token: string): string {
  try {
    const { iss } = decodeJwt(token);
    if (typeof iss === 'string') return iss;
  } catch (error) {
    throw refused('it is not a JSON Web Token', error);
  }
  throw refused('it names no issuer');
}

function toCaller(claims: AccessClaims, hospital: Hospital | undefined, rights: Rights): Caller {
  return {
    sub: claims.sub,
    email: typeof claims.email === 'string' ? claims.email : undefined,
    name: typeof claims.name === 'string' ? claims.name : undefined,
    ...rights,
    hospital,
    session: typeof claims.sid === 'string' ? claims.sid : undefined,
    issuedAt: new Date((claims.iat ?? 0) * 1000),
    expiresAt: new Date(claims.exp * 1000),
  };
}

function rolesIn({ realm_access }: AccessClaims): readonly unknown[] {
  const access = realm_access as { roles?: unknown } | null | undefined;
  return Array.isArray(access?.roles) ? access.roles : [];
}

function refused(why: string, cause?: unknown): Problem {
  return new Problem(UNAUTHENTICATED, {
    message: `The access token is refused: ${why}. Log in again`,
    cause,
    headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
  });
}
