import { displays, report, VOICES } from '@hms/domain/displays';
import { fields, withTraits } from '@hms/service';
import { z } from 'zod';
import { hospitalName } from '../hospital.ts';

/** As people read it from a screen. */
const CODE = /^(?:[ -]*[A-Za-z]){8}[ -]*$/;
const code = withTraits(
  fields
    .line(20)
    .regex(CODE, 'must be the eight letters on the display, like BCDF-GHJK')
    .overwrite((value) => value.toUpperCase().replaceAll(/[ -]/g, '')),
  { accepts: { type: 'string', maxLength: 20, pattern: CODE.source } },
).describe('The eight letters that the display shows');

/** What makes a display that shows a code one of the hospital's. */
export const newDisplay = z
  .object({
    ...displays.create.shape,
    voices: displays.create.shape.voices
      .optional()
      .describe('Languages in which it speaks numbers, in their order. Default: that of the hospital, if it is one'),
    code,
  })
  .meta({ id: 'NewDisplay' });

export const displayReport = report.meta({ id: 'DisplayReport' });

const deviceCode = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'is not the secret of a display');

export const startBody = z.object({ hospital: hospitalName });
export const started = z
  .object({
    deviceCode: z.string().describe('Secret of the display, for its tokens. It keeps it for as long as it is paired'),
    userCode: z.string().describe('Shown to the administrator, such as BCDF-GHJK'),
    verificationUri: z.url().describe('Page on which the administrator enters the code'),
    verificationUriComplete: z.url().describe('The same with the code, for a QR code'),
    expiresIn: z.int().describe('Seconds until the code expires'),
    interval: z.int().describe('Seconds between two requests for a token while the code is not entered'),
  })
  .meta({ id: 'StartedPairing' });

export const tokenBody = z.object({ hospital: hospitalName, deviceCode });
export const displayToken = z
  .object({
    accessToken: z.string(),
    tokenType: z.literal('Bearer'),
    expiresIn: z.int().describe('Seconds until the access token expires. The display then requests another one'),
    deviceCode: z
      .string()
      .nullable()
      .describe('Secret that replaces the one of this request from now on. The former works until this one is used'),
  })
  .meta({ id: 'DisplayToken' });

export const shownDisplay = z
  .object({
    id: z.uuid(),
    name: z.string(),
    clinics: z.array(z.object({ id: z.uuid(), code: z.string(), name: z.string() })),
    hospital: z.object({
      name: z.string(),
      timezone: z.string(),
      language: z.string().describe('BCP 47'),
      primaryColor: z.string().nullable(),
    }),
    voices: z.array(z.enum(VOICES)).describe('Languages in which it speaks numbers, in their order'),
    notices: z.array(z.string()).describe('What it tells people today, the oldest first'),
    identifyMs: z.int().describe('For how many ms it shows its own name in large letters. 0: not now'),
  })
  .meta({ id: 'ShownDisplay' });
