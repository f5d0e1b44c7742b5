import type { Keycloak } from './client.ts';
import { INVITED_ATTRIBUTE } from './realm.ts';

export interface Invitee {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
}

/** Accounts whose people the hospital's list of employees has to show. */
export interface Appointment {
  readonly accountId: string;
  /** The account of the former owner. */
  readonly formerId?: string;
}

/** The outcome of an invitation. */
export interface Invited {
  /** Address of the former owner, whose role OWNER was revoked. */
  readonly former?: string;
}

/**
 * Creates the owner's account with the role OWNER, unless it exists, and has an invitation to choose a password mailed.
 * The previously invited owner loses the role and is logged out.
 * Done once for each address, even across restarts. After a crash between request and mark, the same mail is sent again.
 *
 * @param appoint makes the owner an employee and mails the invitation, like to every employee.
 * @returns undefined if the owner was invited before.
 */
export function inviteOwner(
  keycloak: Keycloak,
  realm: string,
  owner: Invitee,
  appoint: (appointment: Appointment) => Promise<void>,
): Promise<Invited | undefined> {
  return keycloak.call('invite', async (admin) => {
    const { attributes } = (await admin.realms.findOne({ realm })) ?? {};
    const former: string | undefined = attributes?.[INVITED_ATTRIBUTE];
    if (former === owner.email) return undefined;
    const [existing] = await admin.users.find({ realm, email: owner.email, exact: true });
    const id = existing?.id ?? (await admin.users.create({ realm, ...ownerAccount(owner) })).id;
    // An owner who comes back. Somebody else may have used the address meanwhile.
    if (existing && !existing.enabled) {
      for (const { id: credentialId = '' } of await admin.users.getCredentials({ realm, id }))
        await admin.users.deleteCredential({ realm, id, credentialId });
      await admin.users.update({ realm, id }, { enabled: true });
    }
    const role = await admin.roles.findOneByName({ realm, name: 'OWNER' });
    const roles = role?.id && role.name ? [{ id: role.id, name: role.name }] : [];
    await admin.users.addRealmRoleMappings({ realm, id, roles });
    const [before] = former ? await admin.users.find({ realm, email: former, exact: true }) : [];
    const formerId = before?.id === id ? undefined : before?.id;
    if (formerId) {
      await admin.users.delRealmRoleMappings({ realm, id: formerId, roles });
      await admin.users.logout({ realm, id: formerId });
    }
    await appoint({ accountId: id, ...(formerId ? { formerId } : {}) });
    await admin.realms.update({ realm }, { attributes: { ...attributes, [INVITED_ATTRIBUTE]: owner.email } });
    return former ? { former } : {};
  });
}

/** The account of a new owner, who logs in with the address. */
export function ownerAccount({ email, firstName, lastName }: Invitee) {
  const requiredActions = ['UPDATE_PASSWORD', 'VERIFY_EMAIL'];
  return { username: email, email, firstName, lastName, enabled: true, requiredActions };
}
