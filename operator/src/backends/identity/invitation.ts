import { NetworkError } from '@keycloak/keycloak-admin-client';
import { BackendError } from '../errors.ts';
import type { Keycloak } from './client.ts';

export interface Invitee {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
}

/** Realm attribute with the address that was last invited, so that nobody is invited twice. */
const INVITED_ATTRIBUTE = 'hms.invitedOwner';
const DAY_S = 86_400;

/**
 * Makes the owner's account with the role OWNER, unless it is there, and mails an invitation to choose a password.
 * Done once for each address, also over restarts; a crash between mail and mark sends the mail again.
 *
 * @returns whether an invitation was sent now.
 * @throws BackendError Unavailable when the mail can't be sent.
 */
export function inviteOwner(keycloak: Keycloak, realm: string, owner: Invitee): Promise<boolean> {
  return keycloak.call('invite', async (admin) => {
    const { attributes } = (await admin.realms.findOne({ realm })) ?? {};
    if (attributes?.[INVITED_ATTRIBUTE] === owner.email) return false;
    const [existing] = await admin.users.find({ realm, email: owner.email, exact: true });
    const id = existing?.id ?? (await admin.users.create({ realm, ...account(owner) })).id;
    const role = await admin.roles.findOneByName({ realm, name: 'OWNER' });
    if (role?.id && role.name) {
      await admin.users.addRealmRoleMappings({ realm, id, roles: [{ id: role.id, name: role.name }] });
    }
    await admin.users.executeActionsEmail({ realm, id, lifespan: DAY_S, actions: ACTIONS }).catch(explain);
    await admin.realms.update({ realm }, { attributes: { ...attributes, [INVITED_ATTRIBUTE]: owner.email } });
    return true;
  });
}

function explain(cause: unknown): never {
  if (!(cause instanceof NetworkError) || cause.response.status < 500) throw cause;
  throw new BackendError('Unavailable', 'Keycloak could not send it: is the mail server there (SMTP_HOST)?', cause);
}

const ACTIONS = ['UPDATE_PASSWORD', 'VERIFY_EMAIL'];

function account({ email, firstName, lastName }: Invitee) {
  return { username: email, email, firstName, lastName, enabled: true, requiredActions: ACTIONS };
}
