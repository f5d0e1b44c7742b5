import { keycloakAdmin } from '@hms/local';
import type KeycloakAdminClient from '@keycloak/keycloak-admin-client';
import { platform } from '../platform.ts';

/** Keycloak's Admin API as its first administrator. Suites that log in at the same time retry. */
export function asKeycloakAdmin(): Promise<KeycloakAdminClient> {
  const { keycloakUrl, keycloakAdmin: account } = platform();
  return keycloakAdmin(keycloakUrl, account);
}
