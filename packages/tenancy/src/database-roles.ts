/**
 * The roles with which the modules log in to PostgreSQL. The manifest of the modules says which of them each one uses.
 * What each may do in the schema `platform` is in its migrations.
 */
const ENTRIES = [
  /** Of every module that needs no other. */
  { key: 'app', name: 'hms_app', actsAsHospitals: true },
  /** Counts failed logins, finds the hospital of a host, and writes the audit logs of the hospitals. */
  { key: 'auth', name: 'hms_auth', actsAsHospitals: true },
  /** For the platform's administrators, who see no hospital's records. */
  { key: 'console', name: 'hms_console', actsAsHospitals: false },
] as const;

/** Short name of a role, for settings and secrets. */
export type DatabaseRoleKey = (typeof ENTRIES)[number]['key'];

export interface DatabaseRole {
  readonly key: DatabaseRoleKey;
  /** Its name in PostgreSQL. */
  readonly name: string;
  /** Whether it may become the role of each hospital that is not suspended, and request reconciles of hospitals. */
  readonly actsAsHospitals: boolean;
}

export const DATABASE_ROLES: readonly DatabaseRole[] = ENTRIES;

/** Names of all roles of the modules. */
export const MODULE_ROLES: readonly string[] = DATABASE_ROLES.map(({ name }) => name);

/** Names of those that may become the role of a hospital. */
export const TENANT_ROLES: readonly string[] = DATABASE_ROLES.filter(({ actsAsHospitals }) => actsAsHospitals).map(
  ({ name }) => name,
);

/** Something of each role, by its short name. */
export function forEachRole<T>(make: (role: DatabaseRole) => T): Readonly<Record<DatabaseRoleKey, T>> {
  return Object.fromEntries(DATABASE_ROLES.map((role) => [role.key, make(role)])) as Record<DatabaseRoleKey, T>;
}
