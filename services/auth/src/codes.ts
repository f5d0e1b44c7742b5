/** One-time codes by e-mail: sending, entering and renewing them, for every purpose. */
import { Problem, type Registry } from '@hms/service';
import type { Accounts } from './accounts.ts';
import {
  type Challenges,
  CODE_SECONDS,
  type Ended,
  type Purpose,
  RESEND_SECONDS,
  type Waiting,
  type WaitingFor,
} from './challenges.ts';
import type { MailQueue } from './outgoing-mail.ts';
import { type Place, placeOf } from './places.ts';
import { type CodeLimits, tooMany } from './sessions/login-limits.ts';
import { CHALLENGE_ENDED, CODE_SENT_RECENTLY, INVALID_CODE, TOO_MANY_CODES } from './sessions/sessions.errors.ts';
import type { Challenge } from './sessions/sessions.schema.ts';

export interface CodeDependencies {
  readonly registry: Pick<Registry, 'byPrefix'>;
  readonly challenges: Challenges;
  readonly limits: CodeLimits;
  readonly accounts: Pick<Accounts, 'byEmail'>;
  readonly mails: Pick<MailQueue, 'send'>;
}

export interface EnteredCode {
  readonly challenge: string;
  readonly code: string;
}

export type Codes = ReturnType<typeof codeService>;

export function codeService({ registry, challenges, limits, accounts, mails }: CodeDependencies) {
  function send(place: Place, { purpose, email }: Waiting, code: string): void {
    const values = { code, minutes: CODE_SECONDS / 60 };
    if (purpose === 'login') {
      mails.send({ place, to: email, template: 'login-code', values });
      return;
    }
    // Looked up after the response, whose time would otherwise reveal whether the account exists.
    mails.send(async () => {
      const account = await accounts.byEmail(place.realm, email);
      // Never to the address of the request, which may be another mailbox that Keycloak takes for the same.
      return account?.email === undefined ? undefined : { place, to: account.email, template: 'password-code', values };
    });
  }

  /** The place of a challenge, which may have been closed since. */
  async function stillOpen(realm: string): Promise<Place> {
    const place = await placeOf(registry, realm);
    if (!place) throw new Problem(CHALLENGE_ENDED);
    return place;
  }

  return {
    /** Sends a code. @param accountKey for limits. @throws Problem TOO_MANY_CODES. */
    async open(place: Place, accountKey: string, waiting: Waiting): Promise<Challenge> {
      await limits.mailed(accountKey);
      const { challenge, code } = await challenges.open(place.realm, accountKey, waiting);
      send(place, waiting, code);
      return sentChallenge(challenge, waiting.email);
    },

    /**
     * Does what the code was for. If `work` fails, the code stays valid.
     * @param onEnded called when the last attempt was wrong.
     * @throws Problem INVALID_CODE, CHALLENGE_ENDED or TOO_MANY_CODES.
     */
    async redeem<P extends Purpose, Result>(
      purpose: P,
      { challenge, code }: EnteredCode,
      work: (place: Place, waiting: WaitingFor<P>) => Promise<Result>,
      onEnded: (ended: Ended<P>) => Promise<void> = async () => undefined,
    ): Promise<Result> {
      const attempt = await challenges.attempt(purpose, challenge, code, limits.tried);
      if (attempt.kind === 'gone') throw new Problem(CHALLENGE_ENDED);
      if (attempt.kind === 'limited') throw attempt.error;
      if (attempt.kind === 'wrong') {
        const { attemptsLeft, ended } = attempt;
        if (!ended) throw new Problem(INVALID_CODE, { details: { attemptsLeft } });
        await onEnded(ended);
        throw new Problem(CHALLENGE_ENDED);
      }
      const { realm, accountKey, waiting, finish, release } = attempt.claim;
      try {
        const result = await work(await stillOpen(realm), waiting);
        await Promise.all([finish(), limits.succeeded(accountKey)]);
        return result;
      } catch (error) {
        await release();
        throw error;
      }
    },

    /** Sends another code for the same purpose. */
    async resend(challenge: string): Promise<Challenge> {
      const resend = await challenges.renew(challenge, limits.mailed);
      if (resend.kind === 'gone') throw new Problem(CHALLENGE_ENDED);
      if (resend.kind === 'refused') {
        if (resend.seconds !== undefined) throw tooMany(CODE_SENT_RECENTLY, resend.seconds);
        throw tooMany(TOO_MANY_CODES, CODE_SECONDS);
      }
      const { realm, code, waiting } = resend;
      send(await stillOpen(realm), waiting, code);
      return sentChallenge(challenge, waiting.email);
    },

    sweep: (): Promise<readonly Ended[]> => challenges.sweep(),
  };
}

function sentChallenge(challenge: string, email: string): Challenge {
  return { challenge, sentTo: hidden(email), expiresIn: CODE_SECONDS, resendIn: RESEND_SECONDS };
}

/** Enough to recognize one's own address: j•••@example.org */
function hidden(email: string): string {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, 1)}•••${email.slice(at)}`;
}
