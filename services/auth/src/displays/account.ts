/** The account of a display in Keycloak. It has no password and no session. Each step may be repeated. */
import { ASSERTION_PROVIDERS, HOSPITAL_ROLES, type HospitalRole } from '@hms/tenancy';
import type KeycloakAdminClient from '@keycloak/keycloak-admin-client';
import { matchRoles } from '../employees/match.ts';

const DISPLAY: HospitalRole = 'DISPLAY';
/** The identity provider through which the module vouches for a display. */
const PROVIDER = ASSERTION_PROVIDERS.displays.alias;

/** Makes a display's account, or completes one. The id of the display is its username. @returns the account's id. */
export async function makeDisplayAccount(admin: KeycloakAdminClient, displayId: string): Promise<string> {
  const { users } = admin;
  const [found] = await users.find({ username: displayId, exact: true });
  const id =
    found?.id ??
    (await users.create({ username: displayId, enabled: true, federatedIdentities: [LINK(displayId)] })).id;
  const links = found ? await users.listFederatedIdentities({ id }) : [LINK(displayId)];
  if (!links.some(({ identityProvider }) => identityProvider === PROVIDER)) {
    const federatedIdentity = LINK(displayId);
    await users.addToFederatedIdentity({ id, federatedIdentityId: PROVIDER, federatedIdentity });
  }
  if (found?.enabled === false) await users.update({ id }, { ...found, enabled: true });
  await matchRoles(admin, id, { decided: HOSPITAL_ROLES, roles: [DISPLAY] });
  return id;
}

/** Removes a display's account, if there is one. */
export async function removeDisplayAccount({ users }: KeycloakAdminClient, displayId: string): Promise<void> {
  const [found] = await users.find({ username: displayId, exact: true });
  if (found?.id !== undefined) await users.del({ id: found.id });
}

const LINK = (displayId: string) => ({ identityProvider: PROVIDER, userId: displayId, userName: displayId });
