import { CONSOLE_REALM, CONSOLE_ROLES, gatewayId } from '@hms/tenancy';
import type { Change } from '../backends/backend.ts';
import type { IdentitySettings } from '../backends/identity/backend.ts';
import type { Keycloak } from '../backends/identity/client.ts';
import { realmChanges } from '../backends/identity/diff.ts';
import { realmRepresentation } from '../backends/identity/realm.ts';
import { changeRealm, readRealm } from '../backends/identity/realms.ts';

/** Makes the realm of the platform's own users, or puts it right. @returns what was done. */
export async function ensureConsoleRealm(
  keycloak: Keycloak,
  settings: IdentitySettings & { readonly consoleOrigin: string },
): Promise<readonly Change[]> {
  const wanted = realmRepresentation({
    name: CONSOLE_REALM,
    id: gatewayId('realms', CONSOLE_REALM),
    ownerUid: 'platform',
    displayName: 'Platform console',
    enabled: true,
    roles: CONSOLE_ROLES,
    claims: {},
    accessTokenSeconds: 300,
    origins: [settings.consoleOrigin],
    authJwksUrl: settings.authJwksUrl,
    smtp: settings.smtp,
  });
  const changes = realmChanges(wanted, await readRealm(keycloak, CONSOLE_REALM, wanted.id));
  if (changes.length > 0) await changeRealm(keycloak, CONSOLE_REALM, changes);
  return changes;
}
