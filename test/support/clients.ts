/** Clients of a realm that give tokens to somebody who sees no page of Keycloak. */
import type KeycloakAdminClient from '@keycloak/keycloak-admin-client';

type Client = Awaited<ReturnType<KeycloakAdminClient['clients']['find']>>[number];

/** Attributes that turn on a grant. */
const GRANTS = ['oauth2.device.authorization.grant.enabled', 'oidc.ciba.grant.enabled'];

/** The ids of those with a grant for a password, of an implicit flow, for a device, or by a channel beside the browser. */
export function clientsWithoutPage(clients: readonly Client[]): readonly (string | undefined)[] {
  return clients
    .filter(({ enabled }) => enabled !== false)
    .filter(({ directAccessGrantsEnabled, implicitFlowEnabled, attributes = {} }) => {
      return directAccessGrantsEnabled || implicitFlowEnabled || GRANTS.some((name) => attributes[name] === 'true');
    })
    .map(({ clientId }) => clientId);
}
