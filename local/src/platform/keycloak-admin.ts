import KeycloakAdminClient from '@keycloak/keycloak-admin-client';

/** Keycloak's Admin API as the first administrator; for setting up this machine's platform and its demonstration users only. */
export async function keycloakAdmin(
  baseUrl: string,
  account: { username: string; password: string },
): Promise<KeycloakAdminClient> {
  const client = new KeycloakAdminClient({ baseUrl, realmName: 'master' });
  await client.auth({ grantType: 'password', clientId: 'admin-cli', ...account });
  return client;
}
