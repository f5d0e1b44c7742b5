import { CONSOLE_REALM, CONSOLE_ROLES, gatewayId } from '@hms/tenancy';
import type { Change } from '../backends/backend.ts';
import type { IdentitySettings } from '../backends/identity/backend.ts';
import { realmChanges } from '../backends/identity/diff.ts';
import { realmRepresentation } from '../backends/identity/realm.ts';
import type { Realms } from '../backends/identity/realms.ts';

/** Creates or restores the realm of the platform's own users. @returns the changes. */
export async function ensureConsoleRealm(
  realms: Realms,
  settings: IdentitySettings & { readonly consoleOrigin: string },
): Promise<readonly Change[]> {
  const wanted = realmRepresentation({
    name: CONSOLE_REALM,
    id: gatewayId('realms', CONSOLE_REALM),
    ownerUid: 'platform',
    displayName: 'Platform console',
    enabled: true,
    // Nothing else keeps a stolen password from every hospital's settings.
    secondFactor: 'Email',
    roles: CONSOLE_ROLES,
    claims: {},
    accessTokenSeconds: 300,
    impersonation: false,
    origins: [settings.consoleOrigin],
    authJwksUrl: settings.authJwksUrl,
    smtp: settings.smtp,
  });
  const changes = realmChanges(wanted, await realms.observe(wanted));
  if (changes.length > 0) await realms.apply(wanted, changes);
  return changes;
}
