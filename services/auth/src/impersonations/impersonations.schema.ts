import { fields } from '@hms/service';
import { z } from 'zod';

const mode = z.enum(['read', 'write']).describe('Write: everything that the person may do, with exceptions');
export type Mode = z.output<typeof mode>;

export const start = fields
  .exactlyOneOf(
    ['email', 'accountId'],
    z.object({
      hospital: fields.line(40).describe("The hospital's prefix"),
      email: fields.email.optional(),
      accountId: fields.id.optional(),
      reason: fields.line(500, 10).describe('The owners of the hospital read it'),
      mode: mode.default('read'),
    }),
  )
  .meta({ id: 'NewImpersonation' });
export type Start = z.output<typeof start>;

export const peopleQuery = z.object({
  hospital: fields.line(40).describe("The hospital's prefix"),
  q: fields.line(100, 2).describe('A name, an address or a code, of at least two characters'),
});

/** Somebody as whom the platform may act. */
export const candidate = z
  .object({
    accountId: z.uuid(),
    employeeCode: z.string(),
    name: z.string(),
    email: z.string(),
    roles: z.array(z.string()),
  })
  .meta({ id: 'ImpersonationCandidate' });
export type Candidate = z.output<typeof candidate>;

const party = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string().nullable().describe('First and last name, if the account has one'),
});

export const impersonation = z
  .object({
    id: z.uuid(),
    hospital: z.object({ prefix: z.string(), name: z.string() }),
    person: party.describe('As whom somebody acts'),
    actor: party.describe('Who acts: somebody of the platform'),
    mode,
    reason: z.string(),
    startedAt: fields.timestamp,
    endsAt: fields.timestamp.describe('At the latest'),
    endedAt: fields.timestamp.nullable(),
    endedBy: z.string().nullable().describe('Address of the person who ended it. Null if it expired or was refused'),
    endedByName: z.string().nullable().describe('Their name, if the account has one'),
    isLive: z.boolean(),
  })
  .meta({ id: 'Impersonation' });
export type Impersonation = z.output<typeof impersonation>;

export const started = z
  .object({
    impersonation,
    code: z.string().describe('For one use within a minute: POST …/:id/token'),
  })
  .meta({ id: 'StartedImpersonation' });
export type Started = z.output<typeof started>;

/** 32 bytes in base64url. */
const secret = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'is no code or key of an impersonation');
export const tokenBody = fields
  .exactlyOneOf(
    ['code', 'key'],
    z.object({
      hospital: fields.line(40).describe("The hospital's prefix"),
      code: secret.optional().describe('For the first token'),
      key: secret.optional().describe('For each further one'),
    }),
  )
  .meta({ id: 'ImpersonationSecret' });
export type TokenBody = z.output<typeof tokenBody>;

export const granted = z
  .object({
    impersonation,
    accessToken: z.string(),
    expiresIn: z.int().describe('Seconds'),
    key: z.string().describe('For further tokens'),
  })
  .meta({ id: 'ImpersonationToken' });
export type Granted = z.output<typeof granted>;
