/** Users to try the platform with. They exist only on the one-machine platform, and are created on demand. */
import type { ConsoleRole, HospitalRole } from '@hms/tenancy';
import { keycloakAdmin } from './platform/keycloak-admin.ts';
import { Problem } from './problem.ts';
import type { PlatformState } from './state.ts';

export interface Login {
  readonly hospital: string;
  readonly email: string;
  readonly password: string;
}

/**
 * Ensures that a realm has the demonstration user of a role. @param hospital prefix, or `console` for the platform's own
 * users. @returns the credentials of this user.
 */
export async function demonstrationUser(
  state: PlatformState,
  hospital: string,
  role: HospitalRole | ConsoleRole,
): Promise<Login> {
  const admin = await keycloakAdmin(state.keycloakUrl, state.keycloakAdmin);
  const realm = hospital;
  const email = `${role.toLowerCase().replaceAll('_', '-')}@${hospital}.example`;
  const password = state.demonstrationPassword;
  const granted = await admin.roles.findOneByName({ realm, name: role }).catch(() => undefined);
  if (!granted?.id) {
    throw new Problem(
      `Hospital ${hospital} has no role ${role} yet: see hmsctl hospital get ${hospital}, and retry when it is Ready.`,
    );
  }
  const profile = {
    username: email,
    email,
    enabled: true,
    emailVerified: true,
    firstName: 'Demo',
    lastName: lastNameOf(role),
    requiredActions: [],
  };
  const [existing] = await admin.users.find({ realm, username: email, exact: true });
  const id = existing?.id ?? (await admin.users.create({ realm, ...profile })).id;
  if (existing) await admin.users.update({ realm, id }, profile);
  await admin.users.resetPassword({ realm, id, credential: { type: 'password', value: password, temporary: false } });
  await admin.users.addRealmRoleMappings({ realm, id, roles: [{ id: granted.id, name: role }] });
  return { hospital, email, password };
}

/** DOCTOR is Demo Doctor, LAB_TECH is Demo Lab Tech. */
function lastNameOf(role: string): string {
  return role
    .split('_')
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join(' ');
}
