/** The caller of a request, taken only from the access token. */
import type { Hospital } from '@hms/database';
import type { HospitalRole } from '@hms/tenancy';

/** Somebody of the platform who acts as somebody of a hospital. */
export interface Impersonation {
  readonly id: string;
  /** Claim `jti` of the access token. */
  readonly tokenId: string;
  /** Id of the account in the realm `console`. */
  readonly actor: string;
  readonly actorEmail: string;
  /** `read`: only routes with the method GET. */
  readonly mode: 'read' | 'write';
  readonly endsAt: Date;
}

export interface Caller {
  /** Claim `sub`: id of the user in the realm. */
  readonly sub: string;
  readonly email: string | undefined;
  /** First and last name, as the account has them. */
  readonly name: string | undefined;
  /** Those that have a template. Other values of `realm_access.roles` are ignored. */
  readonly roles: readonly string[];
  /** What the roles give, without what the hospital withholds. */
  readonly permissions: ReadonlySet<string>;
  /** The caller's hospital, or undefined for a user of the platform itself (realm `console`). */
  readonly hospital: Hospital | undefined;
  /** Claim `sid`: the session in the realm, if the token belongs to one. */
  readonly session: string | undefined;
  /** Who really acts, if it is not the user. */
  readonly impersonation?: Impersonation | undefined;
  /** When the access token was issued, in whole seconds. */
  readonly issuedAt: Date;
  /** When the access token expires. */
  readonly expiresAt: Date;
}

export function hasRole(caller: Caller, role: HospitalRole): boolean {
  return caller.roles.includes(role);
}
