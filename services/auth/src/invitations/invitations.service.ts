/** People who choose their first password with the link of their invitation. */
import type { Hospital } from '@hms/database';
import { acceptInvitation, type Invited, invitationEnded, openInvitation } from '@hms/domain/employees';
import { admitted, type Platform, Problem, type Work, workFor } from '@hms/service';
import type { Accounts } from '../accounts.ts';
import { openHospitalNamed } from '../hospital.ts';
import { WEAK_PASSWORD } from '../passwords/passwords.errors.ts';
import type { PasswordChanged } from '../passwords/passwords.schema.ts';
import type { LoginLimits } from '../sessions/login-limits.ts';

export interface InvitationDependencies {
  readonly platform: Pick<Platform, 'registry' | 'tenants' | 'sealer'>;
  readonly accounts: Pick<Accounts, 'hasPassword' | 'setPassword'>;
  readonly limits: Pick<LoginLimits, 'forgive'>;
}

/** A hospital's name, and the part of the link behind #. */
interface Link {
  readonly hospital: string;
  readonly invitation: string;
}

export type InvitationService = ReturnType<typeof invitationService>;

/** @throws Problem INVITATION_ENDED, HOSPITAL_UNKNOWN, HOSPITAL_SUSPENDED, HOSPITAL_NOT_READY, IDENTITY_UNAVAILABLE */
export function invitationService({ platform, accounts, limits }: InvitationDependencies) {
  /** Does something while the employee is locked: nobody can suspend them or use the link again meanwhile. */
  async function withInvited<T>(
    { hospital: name, invitation }: Link,
    clientAddress: string,
    work: (work: Work, invited: Invited, hospital: Hospital) => Promise<T>,
  ): Promise<T> {
    const hospital = await openHospitalNamed(platform.registry, name);
    const open = async (opened: Work) => {
      const invited = await openInvitation(opened, invitation);
      // Chosen with a code, or by a request whose transaction then failed.
      if (await accounts.hasPassword(hospital.prefix, invited.accountId)) throw invitationEnded(invited.email);
      return work(opened, invited, hospital);
    };
    return admitted(platform, hospital, () => workFor(platform, hospital, 'invitation', open, { clientAddress }));
  }

  return {
    /** Whom a link is for. */
    read: (link: Link, clientAddress: string) =>
      withInvited(link, clientAddress, async (_, { email, until }) => ({ email, until: until.toISOString() })),

    /** @throws Problem WEAK_PASSWORD. The link stays valid. */
    async accept(
      { newPassword, ...link }: Link & { readonly newPassword: string },
      clientAddress: string,
    ): Promise<PasswordChanged> {
      return withInvited(link, clientAddress, async (work, { accountId, email, employeeCode }, { prefix }) => {
        const reason = await accounts.setPassword(prefix, accountId, newPassword);
        if (reason !== undefined) throw new Problem(WEAK_PASSWORD, { message: `newPassword is refused: ${reason}` });
        await acceptInvitation(work, accountId);
        await limits.forgive(prefix, [employeeCode, email]);
        return { changed: true };
      });
    },
  };
}
