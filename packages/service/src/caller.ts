/** Who makes a request, from the access token and from nothing else. */
import type { Hospital } from '@hms/database';
import type { ConsoleRole, HospitalRole } from '@hms/tenancy';

export type Role = HospitalRole | ConsoleRole;

export interface Caller {
  /** Claim `sub`: id of the user in the realm. */
  readonly sub: string;
  readonly email: string | undefined;
  /** Roles that the platform knows; what else stands in `realm_access.roles` is Keycloak's own business. */
  readonly roles: readonly Role[];
  /** The caller's hospital; undefined for a user of the platform itself (realm `console`). */
  readonly hospital: Hospital | undefined;
  /** When the access token ends. */
  readonly expiresAt: Date;
}

export function hasRole(caller: Caller, allowed: readonly Role[]): boolean {
  return caller.roles.some((role) => allowed.includes(role));
}
