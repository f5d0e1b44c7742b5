import { type Caller, type ErrorKind, HOSPITAL_SUSPENDED, Problem, type Registry } from '@hms/service';
import { CONSOLE_REALM, realmOfIssuer } from '@hms/tenancy';
import { decodeJwt } from 'jose';
import type { Logger } from 'pino';
import type { Ended } from '../challenges.ts';
import type { Codes, EnteredCode } from '../codes.ts';
import type { Arrivals } from '../employees/arrivals.ts';
import type { ImpersonationService } from '../impersonations/impersonations.service.ts';
import type { KeyWatch } from '../key-watch.ts';
import type { Keycloak } from '../keycloak.ts';
import { openRealm, type Place, placeOf } from '../places.ts';
import { createRefusalTime } from '../refusal-time.ts';
import type { TokenAnswer } from '../token-answer.ts';
import { keyOf, type LoginLimits } from './login-limits.ts';
import {
  ACCOUNT_DISABLED,
  ACCOUNT_NOT_READY,
  CHALLENGE_ENDED,
  INVALID_CREDENTIALS,
  INVALID_REFRESH_TOKEN,
} from './sessions.errors.ts';
import type { Challenge, Credentials, LoggedOut, LoginOutcome, Me, Session } from './sessions.schema.ts';

export interface SessionDependencies {
  readonly registry: Pick<Registry, 'byPrefix' | 'byIssuer'>;
  readonly keycloak: Keycloak;
  readonly limits: LoginLimits;
  readonly codes: Codes;
  readonly keys: Pick<KeyWatch, 'saw'>;
  readonly arrivals: Pick<Arrivals, 'note'>;
  readonly impersonations: Pick<ImpersonationService, 'loggedOut'>;
  readonly baseUrl: string;
  readonly log: Logger;
}

export type SessionService = ReturnType<typeof sessionService>;

export function sessionService(dependencies: SessionDependencies) {
  const { registry, keycloak, limits, codes, keys, arrivals, impersonations, baseUrl, log } = dependencies;
  const refusalTime = createRefusalTime();

  /** The realm in the unverified token. It only selects the realm, which then verifies the token. */
  async function realmOfToken(refreshToken: string): Promise<string> {
    const issuer = issuerIn(refreshToken) ?? '';
    const realm = realmOfIssuer(baseUrl, issuer);
    if (realm === CONSOLE_REALM) return realm;
    const open = realm === undefined ? undefined : openRealm(await registry.byIssuer(issuer));
    if (open === undefined) throw new Problem(INVALID_REFRESH_TOKEN);
    return open;
  }

  function sessionOf(realm: string, answer: TokenAnswer, refused: ErrorKind): Session {
    const session = toSession(answer, refused);
    keys.saw(realm, session.accessToken);
    return session;
  }

  /** The session of a completed login. */
  function loggedIn(realm: string, session: Session): Session {
    arrivals.note(realm, decodeJwt(session.accessToken).sub ?? '');
    return session;
  }

  /** Ends the session in Keycloak of a login that was not completed. It would end by itself after half an hour. */
  async function drop({ realm, waiting }: Pick<Ended<'login'>, 'realm' | 'waiting'>): Promise<void> {
    try {
      await keycloak.logout(realm, waiting.refreshToken, '');
    } catch (error) {
      log.warn({ err: error, realm }, 'could not end the session of a login that was not completed');
    }
  }

  /** Keeps the tokens, and sends a code. */
  async function challengeFor(place: Place, { accessToken, refreshToken }: Session): Promise<Challenge> {
    const { realm } = place;
    const { email = '', sub = '' } = decodeJwt<{ email?: string }>(accessToken);
    const waiting = { purpose: 'login', refreshToken, email } as const;
    try {
      if (email === '') throw new Problem(ACCOUNT_NOT_READY);
      return await codes.open(place, keyOf(realm, sub), waiting);
    } catch (error) {
      await drop({ realm, waiting });
      throw error;
    }
  }

  return {
    async login({ hospital, email, username, password }: Credentials, clientAddress: string): Promise<LoginOutcome> {
      const account = email ?? username ?? '';
      let place: Place | undefined;
      const answer = await limits.guard({ hospital, account, address: clientAddress }, async () => {
        place = await placeOf(registry, hospital);
        if (!place) {
          await refusalTime.wait();
          return { kind: 'refused' };
        }
        const started = performance.now();
        const grant = await keycloak.login(place.realm, account, password, clientAddress);
        if (grant.kind === 'refused') refusalTime.took(performance.now() - started);
        return grant;
      });
      // Only the requested realm issues the tokens, and it is named after the hospital.
      const session = sessionOf(hospital, answer, INVALID_CREDENTIALS);
      return place?.secondFactor === 'Email' ? challengeFor(place, session) : loggedIn(hospital, session);
    },

    /** Completes a login with the code from the e-mail. */
    async verify(entered: EnteredCode, clientAddress: string): Promise<Session> {
      const { realm, answer } = await codes.redeem(
        'login',
        entered,
        // The waiting tokens may have expired, so the session gets new ones.
        async ({ realm }, { refreshToken }) => ({
          realm,
          answer: await keycloak.refresh(realm, refreshToken, clientAddress),
        }),
        drop,
      );
      return loggedIn(realm, sessionOf(realm, answer, CHALLENGE_ENDED));
    },

    /** Ends logins whose code was never entered. */
    async sweep(): Promise<void> {
      for (const { realm, waiting } of await codes.sweep())
        if (waiting.purpose === 'login') await drop({ realm, waiting });
    },

    async refresh(refreshToken: string, clientAddress: string): Promise<Session> {
      const realm = await realmOfToken(refreshToken);
      return sessionOf(realm, await keycloak.refresh(realm, refreshToken, clientAddress), INVALID_REFRESH_TOKEN);
    },

    /** Ends the session, whatever its state. With the last session at the console, an impersonation ends too. */
    async logout(refreshToken: string, clientAddress: string): Promise<LoggedOut> {
      const realm = await realmOfToken(refreshToken);
      await keycloak.logout(realm, refreshToken, clientAddress);
      if (realm === CONSOLE_REALM) await impersonations.loggedOut(decodeJwt(refreshToken).sub ?? '');
      return { loggedOut: true };
    },
  };
}

function issuerIn(token: string): string | undefined {
  try {
    const { iss } = decodeJwt(token);
    return typeof iss === 'string' ? iss : undefined;
  } catch {
    return undefined;
  }
}

function toSession(answer: TokenAnswer, refused: ErrorKind): Session {
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

export function toMe({ sub, email, name, roles, permissions, hospital, impersonation, expiresAt }: Caller): Me {
  return {
    id: sub,
    email: email ?? null,
    name: name ?? null,
    role: roles[0] ?? null,
    roles: [...roles],
    permissions: [...permissions].sort(),
    hospitalId: hospital?.id ?? null,
    hospital: hospital
      ? {
          id: hospital.id,
          prefix: hospital.prefix,
          name: hospital.displayName,
          timezone: hospital.timezone,
          language: hospital.settings.language,
          currency: hospital.currency,
          cashRounding: hospital.settings.cashRounding,
          expiryWarningDays: hospital.settings.expiryWarningDays,
          country: hospital.settings.country ?? null,
        }
      : null,
    impersonation: impersonation
      ? {
          id: impersonation.id,
          actorEmail: impersonation.actorEmail,
          mode: impersonation.mode,
          endsAt: impersonation.endsAt.toISOString(),
        }
      : null,
    expiresAt: expiresAt.toISOString(),
  };
}
