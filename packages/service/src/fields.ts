/** Schemas of fields that many records share. */
import { z } from 'zod';
import { withTraits } from './records/traits.ts';
import { unwelcomeIn } from './unwelcome.ts';

export const id = withTraits(
  z.guid().transform((value) => value.toLowerCase()),
  { shown: z.uuid(), accepts: { type: 'string', format: 'uuid' } },
);
export const idParams = z.object({ id });

/**
 * One line of text, for names, numbers and searches: trimmed, in Unicode's composed form (NFC), without lone
 * surrogates (which are not characters) and without invisible characters (`unwelcomeIn`).
 *
 * The length is checked first, on the text as it was sent. Normalization sorts the combining marks of each character,
 * and its cost grows with the square of their number: 80 KB of marks would block the process for seconds.
 * @param max maximum of UTF-16 units, before and after normalization. @param min minimum, after trimming.
 */
export function line(max: number, min = 1) {
  return (
    z
      .string()
      .max(max, { abort: true })
      .refine((value) => value.isWellFormed(), { error: 'has a broken character: send valid Unicode', abort: true })
      .refine((value) => !TOO_MANY_MARKS.test(value), {
        error: `has more than ${MOST_MARKS} combining marks on one letter: leave some out`,
        abort: true,
      })
      .normalize('NFC')
      .trim()
      .min(min)
      // A few characters (such as U+0958) become longer when they are composed.
      .refine((value) => value.length <= max, `must have at most ${max} characters`)
      .refine((value) => unwelcomeIn(value) === undefined, {
        error: ({ input }) => `has ${unwelcomeIn(String(input))}: leave it out`,
      })
  );
}

/** As many as Unicode's Stream-Safe Text Format allows (UAX #15, section 13); no language needs more than a few. */
const MOST_MARKS = 30;
const TOO_MANY_MARKS = new RegExp(`\\p{M}{${MOST_MARKS + 1}}`, 'u');

/** International number with +. Spaces, hyphens, dots and brackets are removed. */
export const phone = withTraits(
  line(40)
    // In most countries the zero is left out from abroad, but not in Italy: nobody can tell which number is meant.
    .refine((value) => !/\(0\)/.test(value), {
      error: 'must not have (0): write the number as it is dialled from abroad, like +442079460123',
      abort: true,
    })
    .overwrite(bareNumber)
    .regex(/^\+[1-9]\d{6,14}$/, 'must be in international format with a leading +, like +6281234567890'),
  {
    shown: z.string(),
    filter: line(40).transform(bareNumber),
    accepts: { type: 'string', maxLength: 40, examples: ['+62 812-3456-7890'] },
  },
);

export const email = withTraits(line(254).pipe(z.email()), {
  shown: z.string(),
  filter: line(254),
  ignoresCase: true,
  accepts: { type: 'string', format: 'email', maxLength: 254 },
});

/** PostgreSQL's calendar has no year 0, which ISO 8601 has. */
const NOT_YEAR_0 = [/^(?!0000)/, 'must not be in the year 0'] as const;
/** Longer than any date and time with its offset, down to nanoseconds. */
const LONGEST_DATETIME = 40;
const isoText = z.string().max(LONGEST_DATETIME, { abort: true });
export const isoDate = isoText.pipe(z.iso.date().regex(...NOT_YEAR_0));
const isoDatetime = (options: { readonly offset: boolean; readonly local?: boolean }) =>
  isoText.pipe(z.iso.datetime(options).regex(...NOT_YEAR_0));

/**
 * A moment in UTC with milliseconds. It is computed here, because PostgreSQL refuses offsets of 16 hours and more, and
 * years beyond 9999 in this form.
 */
export const instant = withTraits(
  isoDatetime({ offset: true })
    .transform((value) => new Date(value))
    .refine((date) => date.getTime() >= FIRST_INSTANT && date.getTime() <= LAST_INSTANT, {
      error: 'must be in the years 0001 to 9999 in UTC',
      abort: true,
    })
    .transform((date) => date.toISOString()),
  {
    shown: z.iso.datetime(),
    show: (value) => (value as Date).toISOString(),
    accepts: { type: 'string', format: 'date-time' },
  },
);
const FIRST_INSTANT = Date.parse('0001-01-01T00:00:00Z');
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');

/** A calendar day, from a date or a date and time. The day of the latter counts as written: no time zone shifts it. */
export const day = withTraits(
  z
    .union([isoDate, isoDatetime({ offset: true, local: true })], {
      error: (issue) =>
        issue.input === undefined
          ? 'is required'
          : issue.input === null
            ? 'can not be null'
            : 'must be a date, like 1990-05-17, or a date and time, like 1990-05-17T00:00:00.000Z',
    })
    .transform((value) => value.slice(0, 10)),
  {
    shown: z.iso.datetime().describe('The day at midnight UTC'),
    show: (value) => dayAsDatetime(String(value)),
    accepts: {
      anyOf: [
        { type: 'string', format: 'date' },
        { type: 'string', format: 'date-time' },
      ],
    },
  },
);

/** Version that the client has read. If it is given but stale, the change is refused. */
export const version = z
  .int()
  .positive()
  .optional()
  .describe('Version that you have read. If it is given and the record has changed since: 409 STALE_VERSION');

/** The same in a query. */
export const versionParameter = withTraits(z.string().regex(/^[1-9]\d{0,8}$/, 'must be a whole number of at least 1'), {
  accepts: { type: 'integer', minimum: 1 },
})
  .optional()
  .describe('Version that you have read. If it is given and the record has changed since: 409 STALE_VERSION');

export const timestamp = z.iso.datetime();

/** The interface's datetime form of a calendar day. @param value `YYYY-MM-DD` */
export function dayAsDatetime(value: string): string {
  return `${value}T00:00:00.000Z`;
}

/** Today in a time zone, as `YYYY-MM-DD`. @param timezone IANA name */
export function today(timezone: string, now: Date): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' }).format(now);
}

/** A telephone number without separators between its digits. */
export function bareNumber(value: string): string {
  return value.replaceAll(/[\s().-]/g, '');
}
