/** The fields of hospitals on the pages, and what is sent for them. Empty: the default of the platform. */
import { NewHospital } from '@hms/api-client/limits/NewHospital';
import * as z from 'zod/mini';
import type { Schemas } from '../../../kit/api/api.ts';
import { choiceIn, textIn, wholeIn } from '../../../kit/forms/limits.ts';
import type { ManagedHospital } from './hospitals.queries.ts';

const { owner, settings, theme, identity } = NewHospital;
const work = settings.parts;
const yesNo = z.enum(['', 'yes', 'no']);

const COLOR = '^#[0-9a-fA-F]{6}$';
const PHONE = '^\\+[1-9][0-9]{6,14}$';
const EMAIL = '^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$';

const general = {
  name: textIn(NewHospital.name),
  timezone: textIn(NewHospital.timezone),
  currency: textIn(NewHospital.currency),
  primaryColor: textIn({ ...theme.parts.primaryColor, pattern: COLOR }, 'color'),
  secondFactor: choiceIn(identity.parts.secondFactor),
  language: textIn(work.language),
  country: textIn(work.country),
};

/** An owner is optional, but not a part of one. */
const ownerFields = {
  email: textIn({ ...owner.parts.email, required: false, pattern: EMAIL }, 'email'),
  firstName: textIn({ ...owner.parts.firstName, required: false }),
  lastName: textIn({ ...owner.parts.lastName, required: false }),
};

function isWholeOwner({ email, firstName, lastName }: Record<keyof typeof ownerFields, string>): boolean {
  return (
    [email, firstName, lastName].every((part) => part === '') ===
    [email, firstName, lastName].some((part) => part === '')
  );
}

export const newHospital = z
  .object({
    ...general,
    ...ownerFields,
    prefix: textIn(NewHospital.prefix, 'prefix'),
    deletionPolicy: choiceIn(NewHospital.deletionPolicy),
  })
  .check(z.refine(isWholeOwner, { error: 'owner', path: ['email'] }));
export type NewFields = z.output<typeof newHospital>;

export const existingHospital = z
  .object({
    ...general,
    ...ownerFields,
    hosts: z.string().check(z.trim(), z.maxLength(2000, 'tooLong')),
    accessTokenLifespan: textIn({ ...identity.parts.accessTokenLifespan, pattern: '^[0-9]+[hms]$' }, 'duration'),
    keyRotationDays: wholeIn({ least: 0, most: 3650 }),
    address: z.string().check(z.trim(), z.maxLength(300, 'tooLong')),
    phone: textIn({ ...work.phone, pattern: PHONE }, 'phoneE164'),
    registrationNumber: textIn(work.registrationNumber),
    taxNumber: textIn(work.taxNumber),
    patientCodeLetters: textIn(work.patientCodeLetters),
    serviceDayStart: textIn({ ...work.serviceDayStart, pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' }, 'clock'),
    queueDisplayName: choiceIn(work.queueDisplayName),
    slotMinutes: wholeIn({ most: 1440 }),
    noShowAfterMinutes: wholeIn({ most: 1440 }),
    waitingListOfferMinutes: wholeIn({ most: 10_080 }),
    reminderHours: wholeIn({ most: 720 }),
    criticalResultMinutes: wholeIn({ most: 1440 }),
    expiryWarningDays: wholeIn({ most: 730 }),
    maxVisitorsPerPatient: wholeIn({ most: 50 }),
    maxVisitorsPerHour: wholeIn({ most: 100 }),
    duplicateThreshold: wholeIn({ most: 100 }),
    cashRounding: wholeIn({ most: 1_000_000 }),
    auditRetentionYears: wholeIn({ most: 100 }),
    rejectDuplicates: yesNo,
    requireIdempotencyKey: yesNo,
    requireOpenShift: yesNo,
    pricesIncludeTax: yesNo,
    requireSecondVerifier: yesNo,
  })
  .check(z.refine(isWholeOwner, { error: 'owner', path: ['email'] }));
export type ExistingFields = z.output<typeof existingHospital>;

export const TEXTS = ['phone', 'registrationNumber', 'taxNumber', 'patientCodeLetters', 'serviceDayStart'] as const;
export const NUMBERS = [
  'slotMinutes',
  'noShowAfterMinutes',
  'waitingListOfferMinutes',
  'reminderHours',
  'criticalResultMinutes',
  'expiryWarningDays',
  'maxVisitorsPerPatient',
  'maxVisitorsPerHour',
  'duplicateThreshold',
  'cashRounding',
  'auditRetentionYears',
] as const;
export const SWITCHES = [
  'rejectDuplicates',
  'requireIdempotencyKey',
  'requireOpenShift',
  'pricesIncludeTax',
  'requireSecondVerifier',
] as const;

/** What is sent for a new hospital. */
export function newBody(fields: NewFields): Schemas['NewHospital'] {
  const { prefix, name, timezone, currency, primaryColor, secondFactor, language, country, deletionPolicy } = fields;
  return {
    prefix,
    name,
    timezone: orNull(timezone),
    currency: orNull(currency),
    theme: primaryColor === '' ? null : { primaryColor },
    identity: secondFactor === '' ? null : { secondFactor },
    settings: { language: orNull(language), country: orNull(country) },
    deletionPolicy: orNull(deletionPolicy),
    owner: ownerOf(fields),
  };
}

/** What the form of an existing hospital begins with. */
export function valuesOf({ name, spec: given }: ManagedHospital): ExistingFields {
  const spec = given as Spec;
  const { settings: chosen = {}, identity: login = {}, owner: person, theme: look, gateway } = spec;
  const text = (value: unknown) => (value === undefined || value === null ? '' : String(value));
  const choice = (value: unknown) => (value === undefined ? '' : value ? 'yes' : 'no');
  const texts = Object.fromEntries(
    [...TEXTS, ...NUMBERS, 'language', 'country', 'address', 'queueDisplayName'].map((key) => [key, text(chosen[key])]),
  );
  return {
    ...texts,
    ...Object.fromEntries(SWITCHES.map((key) => [key, choice(chosen[key])])),
    name,
    timezone: text(spec.timezone),
    currency: text(spec.currency),
    primaryColor: text(look?.primaryColor),
    secondFactor: text(login.secondFactor),
    accessTokenLifespan: text(login.accessTokenLifespan),
    keyRotationDays: text(login.keyRotationDays),
    email: text(person?.email),
    firstName: text(person?.firstName),
    lastName: text(person?.lastName),
    hosts: (gateway?.hosts ?? []).join('\n'),
  } as ExistingFields;
}

/** What is sent for an existing hospital. */
export function changesOf(fields: ExistingFields): Omit<Schemas['HospitalChanges'], 'version'> {
  const numbers = NUMBERS.map((key) => [key, fields[key] === '' ? null : Number(fields[key])]);
  const switches = SWITCHES.map((key) => [key, fields[key] === '' ? null : fields[key] === 'yes']);
  const texts = TEXTS.map((key) => [key, orNull(fields[key])]);
  return {
    name: fields.name,
    timezone: orNull(fields.timezone),
    currency: orNull(fields.currency),
    theme: { primaryColor: orNull(fields.primaryColor) },
    owner: ownerOf(fields),
    identity: {
      secondFactor: orNull(fields.secondFactor),
      accessTokenLifespan: orNull(fields.accessTokenLifespan),
      keyRotationDays: fields.keyRotationDays === '' ? null : Number(fields.keyRotationDays),
    },
    gateway: { hosts: fields.hosts.split(/\s+/).filter(Boolean) },
    settings: {
      ...Object.fromEntries([...numbers, ...switches, ...texts]),
      language: orNull(fields.language),
      country: orNull(fields.country),
      address: orNull(fields.address),
      queueDisplayName: orNull(fields.queueDisplayName),
    },
  };
}

/** A prefix that somebody may want for a name: `St. Mary's Hospital` is `st-marys-hospital`. */
export function prefixFor(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/[\p{M}'’.]/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, 32)
    .replace(/-+$/, '');
}

interface Spec {
  readonly timezone?: string;
  readonly currency?: string;
  readonly theme?: { readonly primaryColor?: string };
  readonly owner?: { readonly email: string; readonly firstName: string; readonly lastName: string };
  readonly identity?: Readonly<Record<string, unknown>>;
  readonly gateway?: { readonly hosts?: readonly string[] };
  readonly settings?: Readonly<Record<string, unknown>>;
}

function ownerOf({ email, firstName, lastName }: Record<keyof typeof ownerFields, string>) {
  return email === '' ? null : { email, firstName, lastName };
}

function orNull<Value extends string>(value: Value | ''): Value | null {
  return value === '' ? null : value;
}
