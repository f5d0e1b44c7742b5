import { fields } from '@hms/service';
import { z } from 'zod';

export const credentials = fields
  .exactlyOneOf(
    ['email', 'username'],
    z.object({
      hospital: fields.line(40).describe("The hospital's prefix, or console for users of the platform"),
      email: fields.line(254).optional(),
      username: fields.line(254).optional().describe('Instead of email'),
      password: z.string().min(1).max(1024),
    }),
  )
  .meta({ id: 'Credentials' });
export type Credentials = z.output<typeof credentials>;

export const refreshBody = z.object({ refreshToken: z.string().min(1).max(16_384) });

export const session = z
  .object({
    accessToken: z.string(),
    refreshToken: z
      .string()
      .describe(
        'Valid for one refresh, which returns the next one. A second refresh is accepted from a client that lost the response',
      ),
    tokenType: z.literal('Bearer'),
    expiresIn: z.int().describe('Seconds until the access token expires'),
    refreshExpiresIn: z.int().describe('Seconds until the refresh token expires'),
  })
  .meta({ id: 'Session' });
export type Session = z.output<typeof session>;

export const challenge = z
  .object({
    challenge: z.string().describe('For verify, together with the code. Opens nothing by itself'),
    sentTo: z.string().describe('The e-mail address that gets the code, with most letters hidden'),
    expiresIn: z.int().describe('Seconds until the code expires'),
    resendIn: z.int().describe('Seconds until another code can be requested'),
  })
  .meta({ id: 'Challenge' });
export type Challenge = z.output<typeof challenge>;

/** What a right password gives. */
export const loginOutcome = z.union([session, challenge]).meta({ id: 'LoginOutcome' });
export type LoginOutcome = z.output<typeof loginOutcome>;

const challengeToken = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'is not the challenge of a login');
export const codeBody = z
  .object({
    challenge: challengeToken,
    code: z.string().regex(/^[0-9]{6}$/, 'must be the six digits in the e-mail, like 012345'),
  })
  .meta({ id: 'EnteredCode' });
export const challengeBody = z.object({ challenge: challengeToken });

export const loggedOut = z.object({ loggedOut: z.literal(true) });

export type LoggedOut = z.output<typeof loggedOut>;

export const me = z
  .object({
    id: z.string(),
    email: z.string().nullable(),
    name: z.string().nullable().describe('First and last name'),
    role: z.string().nullable().describe('The first and most privileged of the roles'),
    roles: z.array(z.string()),
    permissions: z.array(z.string()).describe('What the roles give in this hospital'),
    hospitalId: z.uuid().nullable().describe('Null for a user of the platform'),
    hospital: z
      .object({
        id: z.uuid(),
        prefix: z.string(),
        name: z.string(),
        timezone: z.string(),
        language: z.string().describe('BCP 47'),
        currency: z.string(),
        cashRounding: z.int().describe('Cash that settles an invoice is a multiple of this, in the smallest unit'),
        expiryWarningDays: z.int().describe('Days before a batch of a drug expires on which pharmacists are warned'),
        country: z.string().nullable().describe('ISO 3166'),
      })
      .nullable(),
    impersonation: z
      .object({ id: z.uuid(), actorEmail: z.string(), mode: z.enum(['read', 'write']), endsAt: fields.timestamp })
      .nullable()
      .describe('Who of the platform acts as this person, if somebody does'),
    expiresAt: fields.timestamp.describe('When the access token expires'),
  })
  .meta({ id: 'Me' });
export type Me = z.output<typeof me>;
