import { fields } from '@hms/service';
import { z } from 'zod';

export const credentials = z.object({
  hospital: fields.line(40).describe("The hospital's prefix, or console for users of the platform"),
  email: fields.line(254),
  password: z.string().min(1).max(1024),
});
export type Credentials = z.output<typeof credentials>;

export const refreshBody = z.object({ refreshToken: z.string().min(1).max(16_384) });

export const session = z.object({
  accessToken: z.string(),
  refreshToken: z
    .string()
    .describe(
      'Valid for one refresh, which returns the next one. A second refresh is accepted from a client that lost the response',
    ),
  tokenType: z.literal('Bearer'),
  expiresIn: z.int().describe('Seconds until the access token expires'),
  refreshExpiresIn: z.int().describe('Seconds until the refresh token expires'),
});
export type Session = z.output<typeof session>;

export const loggedOut = z.object({ loggedOut: z.literal(true) });

export type LoggedOut = z.output<typeof loggedOut>;

export const me = z.object({
  id: z.string(),
  email: z.string().nullable(),
  role: z.string().nullable().describe('The first and most privileged of the roles'),
  roles: z.array(z.string()),
  hospitalId: z.uuid().nullable().describe('Null for a user of the platform'),
  hospital: z
    .object({ id: z.uuid(), prefix: z.string(), name: z.string(), timezone: z.string(), currency: z.string() })
    .nullable(),
  expiresAt: fields.timestamp.describe('When the access token expires'),
});
export type Me = z.output<typeof me>;
