import { type Caller, Problem, type Registry } from '@hms/service';
import { CONSOLE_REALM } from '@hms/tenancy';
import type { Account, Accounts } from '../accounts.ts';
import type { Codes } from '../codes.ts';
import type { Arrivals } from '../employees/arrivals.ts';
import { HOSPITAL_UNKNOWN } from '../hospital.ts';
import type { Keycloak } from '../keycloak.ts';
import type { MailQueue } from '../outgoing-mail.ts';
import { type Place, placeOf } from '../places.ts';
import { type CodeLimits, keyOf, type LoginLimits } from '../sessions/login-limits.ts';
import { CHALLENGE_ENDED } from '../sessions/sessions.errors.ts';
import type { Challenge } from '../sessions/sessions.schema.ts';
import { WEAK_PASSWORD, WRONG_PASSWORD } from './passwords.errors.ts';
import type { ForgottenPassword, PasswordChange, PasswordChanged, PasswordReset } from './passwords.schema.ts';

export interface PasswordDependencies {
  readonly registry: Pick<Registry, 'byPrefix'>;
  readonly keycloak: Pick<Keycloak, 'login' | 'logout'>;
  readonly accounts: Accounts;
  readonly limits: LoginLimits;
  readonly codeLimits: Pick<CodeLimits, 'requested'>;
  readonly codes: Codes;
  readonly mails: Pick<MailQueue, 'send'>;
  readonly arrivals: Pick<Arrivals, 'note'>;
}

export type PasswordService = ReturnType<typeof passwordService>;

export function passwordService(dependencies: PasswordDependencies) {
  const { registry, keycloak, accounts, limits, codeLimits, codes, mails, arrivals } = dependencies;

  /** @param session that stays. All others end, because somebody else may have the former password. */
  async function replace(place: Place, account: Account, password: string, session?: string): Promise<PasswordChanged> {
    const reason = await accounts.setPassword(place.realm, account.id, password);
    if (reason !== undefined) throw new Problem(WEAK_PASSWORD, { message: `newPassword is refused: ${reason}` });
    await accounts.endSessions(place.realm, account.id, session);
    if (account.email) mails.send({ place, to: account.email, template: 'password-changed', values: {} });
    return { changed: true };
  }

  return {
    /** Changes the caller's own password. */
    async change(
      { currentPassword, newPassword }: PasswordChange,
      { sub, hospital, session }: Caller,
      clientAddress: string,
    ): Promise<PasswordChanged> {
      const place = await placeOf(registry, hospital?.prefix ?? CONSOLE_REALM);
      const account = place && (await accounts.byId(place.realm, sub));
      if (!place || !account) throw new Error('a token was accepted whose account does not exist');
      // A stolen token must not allow to guess the password.
      const attempt = { hospital: place.realm, account: account.email ?? account.username, address: clientAddress };
      const grant = await limits.guard(attempt, () =>
        keycloak.login(place.realm, account.username, currentPassword, clientAddress),
      );
      if (grant.kind !== 'tokens') throw new Problem(WRONG_PASSWORD);
      // The login was only a check. If the new password is refused, no other session ends.
      await keycloak.logout(place.realm, grant.tokens.refreshToken, clientAddress);
      return replace(place, account, newPassword, session);
    },

    /** Answers the same, whether the account exists or not. */
    async forgotten({ hospital, email }: ForgottenPassword, clientAddress: string): Promise<Challenge> {
      await codeLimits.requested(clientAddress);
      const place = await placeOf(registry, hospital);
      if (!place) throw new Problem(HOSPITAL_UNKNOWN);
      // A key of its own: whoever asks for codes does not need to know the password, and must not block logins.
      return codes.open(place, keyOf(`${place.realm} password`, email), { purpose: 'password', email });
    },

    async reset({ newPassword, ...entered }: PasswordReset): Promise<PasswordChanged> {
      return codes.redeem('password', entered, async (place, { email }) => {
        const account = await accounts.byEmail(place.realm, email);
        if (!account) throw new Problem(CHALLENGE_ENDED);
        const changed = await replace(place, account, newPassword);
        arrivals.note(place.realm, account.id);
        await limits.forgive(place.realm, [account.username, account.email ?? email]);
        return changed;
      });
    },
  };
}
