import { setTimeout as sleep } from 'node:timers/promises';
import KeycloakAdminClient, { NetworkError } from '@keycloak/keycloak-admin-client';

const ATTEMPTS = 10;
const PAUSE_MS = 200;

/**
 * Keycloak's Admin API as the first administrator, only to set up this machine's platform and its demonstration users.
 * With brute-force detection, Keycloak refuses a login while another login of the same account is in progress. The
 * password is the platform's own, so such a refusal is retried.
 */
export async function keycloakAdmin(
  baseUrl: string,
  account: { username: string; password: string },
): Promise<KeycloakAdminClient> {
  const client = new KeycloakAdminClient({ baseUrl, realmName: 'master' });
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.auth({ grantType: 'password', clientId: 'admin-cli', ...account });
      return client;
    } catch (error) {
      const isRefused = error instanceof NetworkError && [400, 401].includes(error.response.status);
      if (!isRefused || attempt === ATTEMPTS) throw error;
      await sleep(PAUSE_MS * (attempt + Math.random()));
    }
  }
}
