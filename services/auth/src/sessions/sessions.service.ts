import { type Caller, HOSPITAL_NOT_READY, HOSPITAL_SUSPENDED, Problem, type Registry } from '@hms/service';
import { CONSOLE_REALM, realmOfIssuer } from '@hms/tenancy';
import { decodeJwt } from 'jose';
import type { KeyWatch } from '../key-watch.ts';
import type { Keycloak } from '../keycloak.ts';
import { createRefusalTime } from '../refusal-time.ts';
import type { TokenAnswer } from '../token-answer.ts';
import type { LoginLimits } from './login-limits.ts';
import { ACCOUNT_DISABLED, ACCOUNT_NOT_READY, INVALID_CREDENTIALS, INVALID_REFRESH_TOKEN } from './sessions.errors.ts';
import type { Credentials, LoggedOut, Me, Session } from './sessions.schema.ts';

export interface SessionDependencies {
  readonly registry: Pick<Registry, 'byPrefix' | 'byIssuer'>;
  readonly keycloak: Keycloak;
  readonly limits: LoginLimits;
  readonly keys: Pick<KeyWatch, 'saw'>;
  readonly baseUrl: string;
}

export type SessionService = ReturnType<typeof sessionService>;

export function sessionService({ registry, keycloak, limits, keys, baseUrl }: SessionDependencies) {
  const refusalTime = createRefusalTime();

  /** Realm of a hospital that people may log in to, or undefined if there is no such hospital. */
  async function realmOf(hospital: string): Promise<string | undefined> {
    if (hospital === CONSOLE_REALM) return CONSOLE_REALM;
    return openRealm(await registry.byPrefix(hospital));
  }

  /** The realm in the unverified token. It only selects the realm, which then verifies the token. */
  async function realmOfToken(refreshToken: string): Promise<string> {
    const issuer = issuerIn(refreshToken) ?? '';
    const realm = realmOfIssuer(baseUrl, issuer);
    if (realm === CONSOLE_REALM) return realm;
    const open = realm === undefined ? undefined : openRealm(await registry.byIssuer(issuer));
    if (open === undefined) throw new Problem(INVALID_REFRESH_TOKEN);
    return open;
  }

  function sessionOf(realm: string, answer: TokenAnswer, refused: typeof INVALID_CREDENTIALS): Session {
    const session = toSession(answer, refused);
    keys.saw(realm, session.accessToken);
    return session;
  }

  return {
    async login({ hospital, email, password }: Credentials, clientAddress: string): Promise<Session> {
      const attempt = { hospital, account: email, address: clientAddress };
      const answer = await limits.guard(attempt, async () => {
        const realm = await realmOf(hospital);
        if (realm === undefined) {
          await refusalTime.wait();
          return { kind: 'refused' };
        }
        const started = performance.now();
        const grant = await keycloak.login(realm, email, password, clientAddress);
        if (grant.kind === 'refused') refusalTime.took(performance.now() - started);
        return grant;
      });
      // Only the requested realm issues the tokens, and it is named after the hospital.
      return sessionOf(hospital, answer, INVALID_CREDENTIALS);
    },

    async refresh(refreshToken: string, clientAddress: string): Promise<Session> {
      const realm = await realmOfToken(refreshToken);
      return sessionOf(realm, await keycloak.refresh(realm, refreshToken, clientAddress), INVALID_REFRESH_TOKEN);
    },

    /** Ends the session, whatever its state. */
    async logout(refreshToken: string, clientAddress: string): Promise<LoggedOut> {
      await keycloak.logout(await realmOfToken(refreshToken), refreshToken, clientAddress);
      return { loggedOut: true };
    },
  };
}

function openRealm(hospital: Awaited<ReturnType<Registry['byPrefix']>>): string | undefined {
  switch (hospital?.state) {
    case undefined:
    case 'Deleting':
    case 'Retained':
      return undefined;
    case 'Suspended':
      throw new Problem(HOSPITAL_SUSPENDED);
    case 'Provisioning':
      throw new Problem(HOSPITAL_NOT_READY);
    case 'Active':
      return hospital.prefix;
  }
}

function issuerIn(token: string): string | undefined {
  try {
    const { iss } = decodeJwt(token);
    return typeof iss === 'string' ? iss : undefined;
  } catch {
    return undefined;
  }
}

function toSession(answer: TokenAnswer, refused: typeof INVALID_CREDENTIALS): Session {
  switch (answer.kind) {
    case 'tokens':
      return { ...answer.tokens, tokenType: 'Bearer' };
    case 'refused':
      throw new Problem(refused);
    case 'account-disabled':
      throw new Problem(ACCOUNT_DISABLED);
    case 'account-not-ready':
      throw new Problem(ACCOUNT_NOT_READY);
    case 'realm-disabled':
      throw new Problem(HOSPITAL_SUSPENDED);
    case 'done':
    case 'unusable':
      throw new Error('Keycloak answered a grant with something else than tokens or a refusal');
  }
}

export function toMe({ sub, email, roles, hospital, expiresAt }: Caller): Me {
  return {
    id: sub,
    email: email ?? null,
    role: roles[0] ?? null,
    roles: [...roles],
    hospitalId: hospital?.id ?? null,
    hospital: hospital
      ? {
          id: hospital.id,
          prefix: hospital.prefix,
          name: hospital.displayName,
          timezone: hospital.timezone,
          currency: hospital.currency,
        }
      : null,
    expiresAt: expiresAt.toISOString(),
  };
}
