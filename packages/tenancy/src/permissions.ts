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
  'patients.delete': { may: 'delete and restore patients, and see deleted ones', roles: ADMINS },
  'patients.merge': { may: 'merge patients who are one person, and separate them', roles: ADMINS },
  'patients.import': { may: 'import patients from a file', roles: ADMINS },
  'documents.read': { may: 'see documents of patients', roles: STAFF },
  'documents.write': {
    may: 'add documents and photos of patients, change their titles, and withdraw own ones for an hour',
    roles: CLINICAL,
  },
  'documents.delete': {
    may: 'withdraw any document of a patient at any time, with documents.write',
    roles: ADMINS,
  },
  'families.read': { may: 'see families', roles: STAFF },
  'families.write': { may: 'change and delete families', roles: ['RECEPTION', ...ADMINS] },
  'vip.read': { may: 'see VIP tiers and who is a VIP', roles: STAFF },
  'vip.write': { may: 'change VIP tiers and memberships', roles: ADMINS },
  'visitors.read': { may: 'see visitors, visiting hours and the deny list', roles: ['RECEPTION', 'NURSE', ...ADMINS] },
  'visitors.write': {
    may: 'issue passes, let visitors in and out, and turn them away',
    roles: ['RECEPTION', ...ADMINS],
  },
  'visitor-bans.write': { may: 'change the deny list of visitors', roles: ['RECEPTION', ...ADMINS] },
  'visiting-hours.write': { may: 'change the visiting hours', roles: ADMINS },
  'employees.read': { may: 'see employees', roles: STAFF },
  'employees.write': { may: 'hire, change, suspend and dismiss employees', roles: ADMINS },
  'departments.read': { may: 'see departments', roles: STAFF },
  'departments.write': { may: 'change and delete departments', roles: ADMINS },
  'clinics.read': { may: 'see clinics', roles: STAFF },
  'clinics.write': { may: 'change and delete clinics', roles: ADMINS },
  'lab-tests.read': { may: 'see the catalogue of the laboratory', roles: STAFF },
  'lab-tests.write': { may: 'change the catalogue of the laboratory', roles: ['LAB_TECH', ...ADMINS] },
  'lab-orders.read': { may: 'see orders, results and reports of the laboratory', roles: STAFF },
  'lab-orders.write': { may: 'order and cancel laboratory tests', roles: ['DOCTOR', ...ADMINS] },
  'lab-specimens.collect': { may: 'collect specimens', roles: ['LAB_TECH', 'NURSE'] },
  'lab-results.write': { may: 'receive and reject specimens, and enter and amend results', roles: ['LAB_TECH'] },
  'lab-results.verify': { may: 'verify results that somebody else has entered', roles: ['LAB_TECH', 'DOCTOR'] },
  'lab-results.acknowledge': { may: 'acknowledge critical results', roles: ['DOCTOR'] },
  'rooms.read': { may: 'see rooms', roles: STAFF },
  'rooms.write': { may: 'change and delete rooms', roles: ADMINS },
  'visit-types.read': { may: 'see types of visits', roles: STAFF },
  'visit-types.write': { may: 'change and delete types of visits', roles: ADMINS },
  'schedules.read': { may: 'see when doctors work', roles: STAFF },
  'schedules.write': {
    may: 'change schedules, and see and change absences',
    roles: ['RECEPTION', ...ADMINS],
  },
  'drugs.read': { may: 'see drugs and their interactions', roles: STAFF },
  'drugs.write': { may: 'change drugs and their interactions', roles: ['PHARMACIST', ...ADMINS] },
  'stock.read': { may: 'see the stock of the pharmacy', roles: STAFF },
  'stock.write': {
    may: 'receive, correct, quarantine, recall, discard and count stock',
    roles: ['PHARMACIST', ...ADMINS],
  },
  'stock.approve': { may: 'approve counts of the stock by somebody else', roles: ['PHARMACIST', ...ADMINS] },
  'stock.warnings': { may: 'be told what is short in the pharmacy, and what expires', roles: ['PHARMACIST'] },
  'prescriptions.read': { may: 'see prescriptions', roles: STAFF },
  'prescriptions.write': { may: 'write and cancel prescriptions', roles: ['DOCTOR'] },
  'prescriptions.override': { may: 'prescribe in spite of a finding, with a reason', roles: ['DOCTOR'] },
  'dispenses.read': { may: 'see what was dispensed', roles: STAFF },
  'dispenses.write': { may: 'dispense prescriptions and take back drugs', roles: ['PHARMACIST'] },
  'dispenses.override': { may: 'dispense in spite of a new finding, with a reason', roles: ['PHARMACIST'] },
  'appointments.read': { may: 'see slots and appointments', roles: STAFF },
  'appointments.write': {
    may: 'book, reschedule and cancel appointments, and check people in',
    roles: CLINICAL,
  },
  'queue.read': { may: 'see who waits, and how long', roles: STAFF },
  'queue.write': { may: 'give tokens, call people, and take every other step of a queue', roles: CLINICAL },
  'queue.follow': { may: 'follow the boards of queues, without names', roles: [...STAFF, 'DISPLAY'] },
  'prices.read': { may: 'see the price list', roles: ['CASHIER', 'ACCOUNTANT', ...ADMINS] },
  'prices.write': { may: 'change the price list', roles: ['ACCOUNTANT', ...ADMINS] },
  'invoices.read': { may: 'see charges, invoices, payments and receipts', roles: ['CASHIER', 'ACCOUNTANT', ...ADMINS] },
  'invoices.write': { may: 'write, issue and void invoices', roles: ['CASHIER', 'ACCOUNTANT', ...ADMINS] },
  'payments.write': {
    may: 'take payments and deposits, pay out refunds, and open and close shifts',
    roles: ['CASHIER', ...ADMINS],
  },
  'refunds.request': { may: 'request refunds', roles: ['CASHIER', 'ACCOUNTANT', ...ADMINS] },
  'refunds.approve': { may: 'approve refunds that somebody else has requested', roles: ['ACCOUNTANT', ...ADMINS] },
  'shifts.approve': {
    may: 'approve shifts of others, and accept cash for the safe',
    roles: ['ACCOUNTANT', ...ADMINS],
  },
  'reconciliation.read': {
    may: 'check that charges, invoices and payments agree, and see bank statements',
    roles: ['ACCOUNTANT', ...ADMINS],
  },
  'reconciliation.write': { may: 'import bank statements, and match them', roles: ['ACCOUNTANT', ...ADMINS] },
  'reports.read': {
    may: 'open the pages of reports. Each kind of report has a permission of its own',
    roles: ['ACCOUNTANT', 'DOCTOR', 'RECEPTION', 'NURSE', 'PHARMACIST', ...ADMINS],
  },
  'reports.financial': { may: 'see what was charged, collected and is unpaid', roles: ['ACCOUNTANT', ...ADMINS] },
  'reports.clinical': { may: 'see how much was treated and tested, and by whom', roles: ['DOCTOR', ...ADMINS] },
  'reports.operational': {
    may: 'see how long people waited, who did not come, and who visited',
    roles: ['RECEPTION', 'NURSE', ...ADMINS],
  },
  'reports.pharmacy': {
    may: 'see what the stock of the pharmacy is worth, and what expires',
    roles: ['PHARMACIST', ...ADMINS],
  },
  'reports.schedule': {
    may: 'have reports sent to employees regularly, with the permission of their kind',
    roles: ['ACCOUNTANT', ...ADMINS],
  },
  'notices.read': { may: 'see notices for people who wait', roles: STAFF },
  'notices.write': { may: 'change and delete notices', roles: ADMINS },
  'displays.read': { may: 'see displays and what they report', roles: ADMINS },
  'displays.write': { may: 'pair, change, identify and unpair displays', roles: ADMINS },
  'displays.show': { may: 'read what a display shows, and report how it runs', roles: ['DISPLAY'] },
  'roles.read': { may: 'see what each role may do', roles: ADMINS },
  'roles.write': { may: 'withhold permissions from roles', roles: ['OWNER'] },
  'impersonations.read': { may: 'see who of the platform acted as whom', roles: ADMINS },
  'impersonations.end': { may: 'end it when somebody of the platform acts as somebody', roles: ['OWNER'] },
  'audit.read': { may: 'read the audit log, and who looked at a patient', roles: ADMINS },
} as const satisfies Readonly<Record<string, PermissionSpec<HospitalRole>>>;

/** For users of the platform itself. */
const OF_PLATFORM = {
  'hospitals.read': { may: 'see hospitals and how they are', roles: CONSOLE_ROLES },
  'hospitals.write': { may: 'create, change, suspend and resume hospitals', roles: ['PLATFORM_ADMIN'] },
  'hospitals.delete': { may: 'delete hospitals', roles: ['PLATFORM_ADMIN'] },
  'platform.read': { may: 'see engines and migrations of the platform', roles: CONSOLE_ROLES },
  'platform.write': { may: 'halt and resume migrations', roles: ['PLATFORM_ADMIN'] },
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
