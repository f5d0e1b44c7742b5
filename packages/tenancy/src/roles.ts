/** Roles of a hospital's staff and of the platform's own users, as in `realm_access.roles`. */

export const HOSPITAL_ROLES = [
  'OWNER',
  'ADMIN',
  'DOCTOR',
  'NURSE',
  'RECEPTION',
  'LAB_TECH',
  'PHARMACIST',
  'CASHIER',
  'ACCOUNTANT',
  'DISPLAY',
] as const;
export type HospitalRole = (typeof HOSPITAL_ROLES)[number];

/** Everybody who works in the hospital, but not the television display. */
export const STAFF: readonly HospitalRole[] = HOSPITAL_ROLES.filter((role) => role !== 'DISPLAY');
/** Administrators of the hospital. */
export const ADMINS: readonly HospitalRole[] = ['OWNER', 'ADMIN'];

/** Whoever has one of these is never impersonated. */
export const NEVER_IMPERSONATED: readonly string[] = ['OWNER', 'DISPLAY'] satisfies readonly HospitalRole[];

export const CONSOLE_ROLES = ['PLATFORM_ADMIN', 'PLATFORM_SUPPORT'] as const;
export type ConsoleRole = (typeof CONSOLE_ROLES)[number];
