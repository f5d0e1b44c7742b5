import type { SecondFactor } from '@hms/database';
import type { MailHospital } from '@hms/mail';
import {
  type Caller,
  type ErrorKind,
  HOSPITAL_NOT_READY,
  HOSPITAL_SUSPENDED,
  Problem,
  type Registry,
} from '@hms/service';
import { CONSOLE_REALM, realmOfIssuer } from '@hms/tenancy';
import { decodeJwt } from 'jose';
import type { Logger } from 'pino';
import type { KeyWatch } from '../key-watch.ts';
import type { Keycloak } from '../keycloak.ts';
import { createRefusalTime } from '../refusal-time.ts';
import type { TokenAnswer } from '../token-answer.ts';
import { type Challenges, CODE_SECONDS, RESEND_SECONDS, type Waiting } from './challenges.ts';
import type { CodeMailer } from './code-mail.ts';
import { type CodeLimits, keyOf, type LoginLimits, tooMany } from './login-limits.ts';
import {
  ACCOUNT_DISABLED,
  ACCOUNT_NOT_READY,
  CHALLENGE_ENDED,
  CODE_SENT_RECENTLY,
  INVALID_CODE,
  INVALID_CREDENTIALS,
  INVALID_REFRESH_TOKEN,
  TOO_MANY_CODES,
} from './sessions.errors.ts';
import type { Challenge, Credentials, LoggedOut, LoginOutcome, Me, Session } from './sessions.schema.ts';

export interface SessionDependencies {
  readonly registry: Pick<Registry, 'byPrefix' | 'byIssuer'>;
  readonly keycloak: Keycloak;
  readonly limits: LoginLimits;
  readonly codeLimits: CodeLimits;
  readonly challenges: Challenges;
  readonly mailer: Pick<CodeMailer, 'send'>;
  readonly keys: Pick<KeyWatch, 'saw'>;
  readonly baseUrl: string;
  readonly log: Logger;
}

export type SessionService = ReturnType<typeof sessionService>;

/** Where somebody logs in. */
interface Place {
  readonly realm: string;
  readonly secondFactor: SecondFactor;
  /** As its mails show it. */
  readonly mail: MailHospital;
}

const CONSOLE: Place = {
  realm: CONSOLE_REALM,
  secondFactor: 'Email',
  mail: { displayName: 'Hospital platform', language: 'en', theme: {} },
};

export function sessionService(dependencies: SessionDependencies) {
  const { registry, keycloak, limits, codeLimits, challenges, mailer, keys, baseUrl, log } = dependencies;
  const refusalTime = createRefusalTime();

  /** The place that people may log in to, or undefined if there is no such hospital. */
  async function placeOf(prefix: string): Promise<Place | undefined> {
    if (prefix === CONSOLE_REALM) return CONSOLE;
    const hospital = await registry.byPrefix(prefix);
    const realm = openRealm(hospital);
    if (!hospital || realm === undefined) return undefined;
    const { displayName, theme, settings, secondFactor } = hospital;
    return { realm, secondFactor, mail: { displayName, theme, language: settings.language } };
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

  function sessionOf(realm: string, answer: TokenAnswer, refused: ErrorKind): Session {
    const session = toSession(answer, refused);
    keys.saw(realm, session.accessToken);
    return session;
  }

  /** Ends the session in Keycloak of a login that was not completed. It would end by itself after half an hour. */
  async function drop({ realm, refreshToken }: Pick<Waiting, 'realm' | 'refreshToken'>): Promise<void> {
    try {
      await keycloak.logout(realm, refreshToken, '');
    } catch (error) {
      log.warn({ err: error, realm }, 'could not end the session of a login that was not completed');
    }
  }

  /** Keeps the tokens, and sends a code. */
  async function challengeFor({ realm, mail }: Place, { accessToken, refreshToken }: Session): Promise<Challenge> {
    const { email, sub = '' } = decodeJwt<{ email?: string }>(accessToken);
    try {
      if (email === undefined) throw new Problem(ACCOUNT_NOT_READY);
      const accountKey = keyOf(realm, sub);
      await codeLimits.mailed(accountKey);
      const { challenge, code } = await challenges.open(realm, accountKey, { refreshToken, email });
      mailer.send({ hospital: mail, to: email, code, realm });
      return sentChallenge(challenge, email);
    } catch (error) {
      await drop({ realm, refreshToken });
      throw error;
    }
  }

  return {
    async login({ hospital, email, username, password }: Credentials, clientAddress: string): Promise<LoginOutcome> {
      const account = email ?? username ?? '';
      let place: Place | undefined;
      const answer = await limits.guard({ hospital, account, address: clientAddress }, async () => {
        place = await placeOf(hospital);
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
      return place?.secondFactor === 'Email' ? challengeFor(place, session) : session;
    },

    /** Completes a login with the code from the e-mail. */
    async verify({ challenge, code }: { challenge: string; code: string }, clientAddress: string): Promise<Session> {
      const attempt = await challenges.attempt(challenge, code, codeLimits.tried);
      if (attempt.kind === 'gone') throw new Problem(CHALLENGE_ENDED);
      if (attempt.kind === 'limited') throw attempt.error;
      if (attempt.kind === 'wrong') {
        if (attempt.ended) await drop(attempt.ended);
        const { attemptsLeft } = attempt;
        if (attemptsLeft === 0) throw new Problem(CHALLENGE_ENDED);
        throw new Problem(INVALID_CODE, { details: { attemptsLeft } });
      }
      const { realm, accountKey, waiting, finish, release } = attempt.claim;
      const answer = await completion(realm, waiting.refreshToken, clientAddress).catch(async (error: unknown) => {
        await release();
        throw error;
      });
      await Promise.all([finish(), codeLimits.succeeded(accountKey)]);
      return sessionOf(realm, answer, CHALLENGE_ENDED);
    },

    /** Sends another code for the same login. */
    async resend(challenge: string): Promise<Challenge> {
      const resend = await challenges.renew(challenge, codeLimits.mailed);
      if (resend.kind === 'gone') throw new Problem(CHALLENGE_ENDED);
      if (resend.kind === 'refused') {
        if (resend.seconds !== undefined) throw tooMany(CODE_SENT_RECENTLY, resend.seconds);
        throw tooMany(TOO_MANY_CODES, CODE_SECONDS);
      }
      const { realm, code, waiting } = resend;
      const place = await placeOf(realm);
      if (!place) throw new Problem(CHALLENGE_ENDED);
      mailer.send({ hospital: place.mail, to: waiting.email, code, realm });
      return sentChallenge(challenge, waiting.email);
    },

    /** Ends logins whose code was never entered. */
    async sweep(): Promise<void> {
      for (const waiting of await challenges.sweep()) await drop(waiting);
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

  /** The waiting tokens may have expired, so the session gets new ones. */
  async function completion(realm: string, refreshToken: string, clientAddress: string): Promise<TokenAnswer> {
    if (!(await placeOf(realm))) throw new Problem(CHALLENGE_ENDED);
    return keycloak.refresh(realm, refreshToken, clientAddress);
  }
}

function sentChallenge(challenge: string, email: string): Challenge {
  return { challenge, sentTo: hidden(email), expiresIn: CODE_SECONDS, resendIn: RESEND_SECONDS };
}

/** Enough to recognize one's own address: j•••@example.org */
function hidden(email: string): string {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, 1)}•••${email.slice(at)}`;
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
