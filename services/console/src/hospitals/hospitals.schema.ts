/**
 * Hospitals as the interface shows and takes them. The definition of the Hospital object says what is valid: the API
 * server checks each value, with a sentence for people. Here are only types and lengths.
 */
import { fields, withTraits } from '@hms/service';
import { MODULE_NAMES, PREFIX_PATTERN } from '@hms/tenancy';
import { z } from 'zod';

export const hospitalParams = z.object({ hospital: z.string().max(63).describe('Prefix or id of the hospital') });

/** Omitted: it stays. Null: the default holds again. */
const optional = <Schema extends z.ZodType>(schema: Schema) => schema.nullable().optional();
const text = (max: number) => optional(fields.line(max));
const flag = optional(z.boolean());
const whole = optional(z.int().min(0).max(100_000_000));

const theme = z.strictObject({
  primaryColor: text(7).describe('Accent colour, as #rrggbb'),
  logo: text(200).describe('Key of a file in the folder of the hospital, like branding/logo.svg'),
  favicon: text(200),
});

const owner = z.strictObject({
  email: fields.line(254).describe('Gets an account with the role OWNER, and an invitation'),
  firstName: fields.line(100),
  lastName: fields.line(100),
});

const identity = z.strictObject({
  secondFactor: optional(z.enum(['None', 'Email'])).describe('What a login requires after the password'),
  accessTokenLifespan: text(10).describe('From 1m to 1h'),
  keyRotationDays: whole.describe('7 to 3650, or 0 for a new key only on request'),
  roles: optional(z.array(fields.line(63)).max(50)).describe("Roles in addition to the platform's own"),
});

const rateLimit = z.strictObject({ minute: z.int().min(1).max(1_000_000), hour: z.int().min(1).max(100_000_000) });

const gateway = z.strictObject({
  hosts: optional(z.array(fields.line(253)).max(10)).describe('Default: <prefix>.<domain of the platform>'),
  origins: optional(z.array(fields.line(300)).max(20)),
  rateLimits: optional(
    z.strictObject(Object.fromEntries(MODULE_NAMES.map((name) => [name, optional(rateLimit)]))),
  ).describe('Requests of one access token, by module'),
});

const settings = z.strictObject({
  language: text(11).describe('BCP 47 tag'),
  country: text(2).describe('ISO 3166 code'),
  address: optional(fields.lines(300)).describe('In up to six lines'),
  phone: text(16),
  registrationNumber: text(60),
  taxNumber: text(60),
  patientCodeLetters: text(10),
  rejectDuplicates: flag,
  duplicateThreshold: whole,
  maxVisitorsPerPatient: whole,
  maxVisitorsPerHour: whole,
  requireIdempotencyKey: flag,
  requireOpenShift: flag,
  pricesIncludeTax: flag,
  cashRounding: whole,
  slotMinutes: whole,
  noShowAfterMinutes: whole,
  waitingListOfferMinutes: whole,
  reminderHours: whole,
  queueDisplayName: optional(z.enum(['Token', 'Initials'])),
  serviceDayStart: text(5),
  requireSecondVerifier: flag,
  criticalResultMinutes: whole,
  expiryWarningDays: whole,
  auditRetentionYears: whole,
});

const spec = {
  theme: optional(theme),
  timezone: text(64).describe('IANA name. Default: UTC'),
  currency: text(10).describe('ISO 4217 code. Default: USD'),
  owner: optional(owner),
  deletionPolicy: optional(z.enum(['Retain', 'Delete'])).describe(
    'What a deletion does with the data. Default: Retain',
  ),
  managementPolicy: optional(z.enum(['Full', 'Observe'])).describe('Observe: only plans changes. Default: Full'),
  adoption: optional(z.enum(['Never', 'IfUnowned'])),
  resyncInterval: text(10).describe('From 1m to 24h'),
  identity: optional(identity),
  gateway: optional(gateway),
  database: optional(z.strictObject({ connectionLimit: whole })),
  settings: optional(settings),
};

const name = fields.line(120).describe('Name that people see');

export const newHospital = z
  .strictObject({
    // The API server checks it with the other fields, so that all that is wrong is named.
    prefix: withTraits(fields.line(63), {
      accepts: { type: 'string', minLength: 3, maxLength: 32, pattern: PREFIX_PATTERN, examples: ['st-mary'] },
    }).describe('Name of the Hospital object. It never changes'),
    name,
    hospitalId: text(36).describe('To bring a hospital back under its old id'),
    ...spec,
  })
  .meta({ id: 'NewHospital' });
export type NewHospital = z.output<typeof newHospital>;

export const hospitalChanges = z
  .strictObject({ name: name.optional(), ...spec, version: fields.version })
  .meta({ id: 'HospitalChanges' });
export type HospitalChanges = z.output<typeof hospitalChanges>;

export const STATUSES = ['Provisioning', 'Active', 'Failing', 'Suspended', 'Deleting'] as const;

const summary = {
  id: z.uuid().nullable().describe('Null until the hospital is registered'),
  prefix: z.string(),
  name: z.string(),
  theme: z.object({
    primaryColor: z.string().nullable(),
    logo: z.string().nullable(),
    favicon: z.string().nullable(),
  }),
  status: z.enum(STATUSES).describe('Failing: it was or should be served, and is not as it should be'),
  state: z.enum(['Active', 'Suspended']).describe('What is wanted'),
  reason: z.string().nullable().describe('The reason of the condition Ready'),
  message: z.string().nullable().describe('The same as a sentence'),
  since: z.string().nullable().describe('When Ready last changed'),
  portal: z.string().nullable(),
  schemaVersion: z.int().nullable(),
  createdAt: z.string(),
  asOf: fields.timestamp.describe('When this was known to be so. It is old while the API server can not be reached'),
  version: z.int().describe('Generation of the object'),
};

export const hospitalSummary = z.object(summary).meta({ id: 'HospitalSummary' });
export type HospitalSummary = z.output<typeof hospitalSummary>;

const condition = z.object({
  type: z.string(),
  status: z.enum(['True', 'False', 'Unknown']),
  reason: z.string(),
  message: z.string(),
  since: z.string(),
  isCurrent: z.boolean().describe('Whether it is about the present spec'),
  usualSeconds: z
    .number()
    .nullable()
    .describe('How long it usually takes from the creation until it is True: the median of the hospitals'),
});

export const hospitalEvent = z
  .object({
    id: z.string(),
    at: z.string().nullable(),
    type: z.enum(['Normal', 'Warning']),
    reason: z.string(),
    message: z.string(),
    count: z.int(),
  })
  .meta({ id: 'HospitalEvent' });
export type HospitalEvent = z.output<typeof hospitalEvent>;

export const managedHospital = z
  .object({
    ...summary,
    spec: z.record(z.string(), z.unknown()).describe('As in the Hospital object'),
    manifest: z.string().describe('The Hospital object in YAML, for git'),
    managers: z.array(z.string()).describe('What has written fields of the spec, besides the console, such as argocd'),
    conditions: z.array(condition),
    teardown: z.array(z.object({ backend: z.string(), done: z.boolean(), remaining: z.string().nullable() })),
    plan: z.array(z.string()).describe('With managementPolicy Observe: what would change'),
    hosts: z.array(z.string()),
    isPaused: z.boolean(),
    deletingSince: z.string().nullable(),
    lastVerifiedAt: z.string().nullable().describe('When a request of a person of the hospital was last served'),
  })
  .meta({ id: 'ManagedHospital' });
export type ManagedHospital = z.output<typeof managedHospital>;

export const hospitalPreview = z
  .object({
    manifest: z.string().describe('The Hospital object in YAML'),
    returns: z.boolean().describe('Whether kept data of a deleted hospital comes back'),
  })
  .meta({ id: 'HospitalPreview' });
