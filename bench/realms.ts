/** The bare realms that are the baseline of hospitals: the same representation without anything else. */
import { randomUUID } from 'node:crypto';
import type { PlatformState } from '@hms/local';
import { HOSPITAL_ROLES } from '@hms/tenancy';
import KcAdminClient from '@keycloak/keycloak-admin-client';
import { realmRepresentation } from '../operator/src/backends/identity/realm.ts';

export async function keycloakAdmin({ keycloakUrl, keycloakAdmin: account }: PlatformState): Promise<KcAdminClient> {
  const admin = new KcAdminClient({ baseUrl: keycloakUrl });
  await admin.auth({ grantType: 'password', clientId: 'admin-cli', ...account });
  return admin;
}

/** Posts one realm. */
export async function createBareRealm(admin: KcAdminClient, name: string): Promise<void> {
  await admin.realms.create(
    realmRepresentation({
      name,
      id: randomUUID(),
      ownerUid: 'bench',
      displayName: name,
      enabled: true,
      secondFactor: 'None',
      roles: HOSPITAL_ROLES,
      claims: { hospital_id: randomUUID(), hospital_prefix: name },
      accessTokenSeconds: 300,
      impersonation: true,
      origins: [`http://${name}.localhost`],
      authJwksUrl: 'http://127.0.0.1/.well-known/jwks.json',
      smtp: { host: '127.0.0.1', port: 25, tls: 'none', from: 'no-reply@hms.example' },
    }),
  );
}
