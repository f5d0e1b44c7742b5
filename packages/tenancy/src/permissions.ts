/**
 * What people may do. Each route asks for one permission, and each role has a set of them. This list says which of them
 * the interface's own roles have. Other roles are composed of them in the console, as role templates.
 */
import { ADMINS, CONSOLE_ROLES, type ConsoleRole, HOSPITAL_ROLES, type HospitalRole, STAFF } from './roles.ts';

interface PermissionSpec<Role> {
  /** Continues "Whoever has it may …". */
  readonly may: string;
  /** The system roles that have it. */
  readonly roles: readonly Role[];
}

const CLINICAL = ['RECEPTION', 'NURSE', 'DOCTOR', ...ADMINS] as const;

/** For people of a hospital. */
const OF_HOSPITALS = {
  'patients.read': { may: 'see patients and their history', roles: STAFF },
  'patients.write': { may: 'register and change patients', roles: CLINICAL },
  'patients.delete': { may: 'delete patients, and see deleted ones', roles: ADMINS },
  'documents.read': { may: 'see documents of patients', roles: STAFF },
  'documents.write': { may: 'add documents and photos of patients', roles: CLINICAL },
  'documents.delete': { may: 'delete documents of patients', roles: ADMINS },
  'families.read': { may: 'see families', roles: STAFF },
  'families.write': { may: 'change and delete families', roles: ['RECEPTION', ...ADMINS] },
  'employees.read': { may: 'see employees', roles: STAFF },
  'employees.write': { may: 'hire, change, suspend and dismiss employees', roles: ADMINS },
  'departments.read': { may: 'see departments', roles: STAFF },
  'departments.write': { may: 'change and delete departments', roles: ADMINS },
  'clinics.read': { may: 'see clinics', roles: STAFF },
  'clinics.write': { may: 'change and delete clinics', roles: ADMINS },
  'displays.read': { may: 'see displays and when they were last seen', roles: ADMINS },
  'displays.write': { may: 'pair, change and unpair displays', roles: ADMINS },
  'displays.show': { may: 'read what a display shows', roles: ['DISPLAY'] },
  'roles.read': { may: 'see what each role may do', roles: ADMINS },
  'roles.write': { may: 'withhold permissions from roles', roles: ['OWNER'] },
  'impersonations.read': { may: 'see who of the platform acted as whom', roles: ADMINS },
  'impersonations.end': { may: 'end it when somebody of the platform acts as somebody', roles: ['OWNER'] },
  'audit.read': { may: 'read the audit log, and who looked at a patient', roles: ADMINS },
} as const satisfies Readonly<Record<string, PermissionSpec<HospitalRole>>>;

/** For users of the platform itself. */
const OF_PLATFORM = {
  'templates.read': { may: 'see role templates', roles: CONSOLE_ROLES },
  'templates.write': { may: 'create, change and retire role templates', roles: ['PLATFORM_ADMIN'] },
  'impersonations.start': { may: 'act as somebody of a hospital, to read', roles: CONSOLE_ROLES },
  'impersonations.write': { may: 'also write while acting as somebody', roles: ['PLATFORM_ADMIN'] },
  'platform-audit.read': { may: 'read what users of the platform did', roles: CONSOLE_ROLES },
} as const satisfies Readonly<Record<string, PermissionSpec<ConsoleRole>>>;

export type Permission = keyof typeof OF_HOSPITALS | keyof typeof OF_PLATFORM;
/** Whose roles: those of people of hospitals, or of users of the platform itself. */
export type RealmKind = 'hospital' | 'platform';

export const PERMISSIONS: Readonly<Record<Permission, PermissionSpec<HospitalRole | ConsoleRole>>> = {
  ...OF_HOSPITALS,
  ...OF_PLATFORM,
};

export const PERMISSION_NAMES: Readonly<Record<RealmKind, readonly Permission[]>> = {
  hospital: Object.keys(OF_HOSPITALS) as Permission[],
  platform: Object.keys(OF_PLATFORM) as Permission[],
};

/** A named set of permissions. */
export interface SystemTemplate {
  readonly name: HospitalRole | ConsoleRole;
  readonly appliesTo: RealmKind;
  readonly description: string;
  readonly permissions: readonly Permission[];
}

const DESCRIPTIONS: Readonly<Record<HospitalRole | ConsoleRole, string>> = {
  OWNER: 'Responsible for the hospital. Appoints other owners and decides what each role may do',
  ADMIN: 'Runs the hospital: people, departments, settings',
  DOCTOR: 'Treats patients',
  NURSE: 'Cares for patients',
  RECEPTION: 'Receives and registers people',
  LAB_TECH: 'Works in the laboratory',
  PHARMACIST: 'Works in the pharmacy',
  CASHIER: 'Takes payments',
  ACCOUNTANT: 'Checks payments and accounts',
  DISPLAY: 'A television in a waiting room, not a person',
  PLATFORM_ADMIN: 'Runs the platform and its hospitals',
  PLATFORM_SUPPORT: 'Sees the platform and its hospitals, to help people',
};

/** The interface's roles as templates. Nobody can edit them. */
export const SYSTEM_TEMPLATES: readonly SystemTemplate[] = [
  ...HOSPITAL_ROLES.map((name) => template(name, 'hospital')),
  ...CONSOLE_ROLES.map((name) => template(name, 'platform')),
];

function template(name: HospitalRole | ConsoleRole, appliesTo: RealmKind): SystemTemplate {
  const permissions = PERMISSION_NAMES[appliesTo].filter((permission) => PERMISSIONS[permission].roles.includes(name));
  return { name, appliesTo, description: DESCRIPTIONS[name], permissions };
}
