import { NetworkError } from '@keycloak/keycloak-admin-client';
import { BackendError } from '../errors.ts';
import type { Keycloak } from './client.ts';
import { INVITED_ATTRIBUTE } from './realm.ts';

export interface Invitee {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
}

const DAY_S = 86_400;

/** Accounts whose people the hospital's list of employees has to show. */
export interface Appointment {
  readonly accountId: string;
  /** The account of the former owner. */
  readonly formerId?: string;
}

/** The outcome of a sent invitation. */
export interface Invited {
  /** Address of the former owner, whose role OWNER was revoked. */
  readonly former?: string;
}

/**
 * Creates the owner's account with the role OWNER, unless it exists, and mails an invitation to choose a password.
 * The previously invited owner loses the role and is logged out.
 * Done once for each address, even across restarts. A crash between mail and mark sends the mail again.
 *
 * @param appoint makes the owner an employee. It may be called again after a crash.
 * @returns undefined if the owner was invited before.
 * @throws BackendError Unavailable if the mail can't be sent.
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
    await admin.users.executeActionsEmail({ realm, id, lifespan: DAY_S, actions: ACTIONS }).catch(explain);
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

function explain(cause: unknown): never {
  if (!(cause instanceof NetworkError) || cause.response.status < 500) throw cause;
  throw new BackendError(
    'Unavailable',
    'Keycloak could not send it: check the mail server with hmsctl doctor, and that Keycloak trusts its certificate',
    cause,
  );
}

const ACTIONS = ['UPDATE_PASSWORD', 'VERIFY_EMAIL'];

/** The account of a new owner, who logs in with the address. */
export function ownerAccount({ email, firstName, lastName }: Invitee) {
  return { username: email, email, firstName, lastName, enabled: true, requiredActions: ACTIONS };
}
