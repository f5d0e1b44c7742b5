/** Users to try the platform with. They exist on the one-machine platform only, and are made when first asked for. */
import type { HospitalRole } from '@hms/tenancy';
import { keycloakAdmin } from './platform/keycloak-admin.ts';
import { Problem } from './problem.ts';
import type { PlatformState } from './state.ts';

export interface Login {
  readonly hospital: string;
  readonly email: string;
  readonly password: string;
}

/** Makes sure that the hospital's realm has the demonstration user of a role. @returns how this user logs in. */
export async function demonstrationUser(state: PlatformState, hospital: string, role: HospitalRole): Promise<Login> {
  const admin = await keycloakAdmin(state.keycloakUrl, state.keycloakAdmin);
  const realm = hospital;
  const email = `${role.toLowerCase().replaceAll('_', '-')}@${hospital}.example`;
  const password = state.demonstrationPassword;
  const granted = await admin.roles.findOneByName({ realm, name: role }).catch(() => undefined);
  if (!granted?.id) {
    throw new Problem(
      `Hospital ${hospital} has no role ${role} yet: see hmsctl hospital get ${hospital}, and try again when it is Ready.`,
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
  const [known] = await admin.users.find({ realm, username: email, exact: true });
  const id = known?.id ?? (await admin.users.create({ realm, ...profile })).id;
  if (known) await admin.users.update({ realm, id }, profile);
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
