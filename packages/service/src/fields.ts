/** Fields that many records have, described once. */
import { z } from 'zod';
import { unwelcomeIn } from './unwelcome.ts';

export const id = z.guid().transform((value) => value.toLowerCase());
export const idParams = z.object({ id });

/**
 * One line of text, as every name, number and search is: trimmed, in Unicode's composed form (NFC), without lone
 * surrogates (which are no characters at all) and without what can't be seen (`unwelcomeIn`).
 * @param max most UTF-16 units. @param min fewest.
 */
export function line(max: number, min = 1) {
  return z
    .string()
    .refine((value) => value.isWellFormed(), { error: 'has a broken character: send valid Unicode', abort: true })
    .normalize('NFC')
    .trim()
    .min(min)
    .max(max)
    .refine((value) => unwelcomeIn(value) === undefined, {
      error: ({ input }) => `has ${unwelcomeIn(String(input))}: leave it out`,
    });
}

/** International number with +. Spaces, hyphens, dots and brackets are taken out. */
export const phone = line(40)
  .overwrite(bareNumber)
  .regex(/^\+[1-9]\d{6,14}$/, 'must be in international format with a leading +, like +6281234567890');

export const email = line(254).pipe(z.email());

/** PostgreSQL's calendar has no year 0, which ISO 8601 has. */
const NOT_YEAR_0 = [/^(?!0000)/, 'must not be in the year 0'] as const;
export const isoDate = z.iso.date().regex(...NOT_YEAR_0);
export const isoDatetime = (options: { readonly offset: boolean; readonly local?: boolean }) =>
  z.iso.datetime(options).regex(...NOT_YEAR_0);

/** A calendar day. A date or a date and time is taken, and of the latter the day as written: no time zone shifts it. */
export const day = z
  .union([isoDate, isoDatetime({ offset: true, local: true })], {
    error: (issue) =>
      issue.input === undefined
        ? 'is required'
        : issue.input === null
          ? 'can not be null'
          : 'must be a date, like 1990-05-17, or a date and time, like 1990-05-17T00:00:00.000Z',
  })
  .transform((value) => value.slice(0, 10));

/** Version that the client has read. When given and no longer the newest, the change is refused. */
export const version = z
  .int()
  .positive()
  .optional()
  .describe('Version that you read. When it is given and somebody changed the record since: 409 STALE_VERSION');

export const timestamp = z.iso.datetime();

/** The interface's datetime form of a calendar day. @param value `YYYY-MM-DD` */
export function dayAsDatetime(value: string): string {
  return `${value}T00:00:00.000Z`;
}

/** Today in a time zone, as `YYYY-MM-DD`. @param timezone IANA name */
export function today(timezone: string, now: Date): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' }).format(now);
}

/** A telephone number without what people write between its digits. */
export function bareNumber(value: string): string {
  return value.replaceAll(/[\s().-]/g, '');
}
