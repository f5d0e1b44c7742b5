/**
 * Schemas of fields that many records share. What a schema `accepts` is for the OpenAPI document: it accepts every value
 * that the schema does, before trimming and other normalization. Its patterns have only what all dialects of regular
 * expressions share, because generated clients use them: no properties of Unicode and no look-around. What they can't
 * say is refused by the schema alone (`openapi/accepts.test.ts` lists it).
 */
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { z } from 'zod';
import { traitsOf, withTraits } from './records/traits.ts';
import { unwelcomeIn } from './unwelcome.ts';

export const id = withTraits(
  z.guid().transform((value) => value.toLowerCase()),
  { shown: z.uuid(), accepts: { type: 'string', format: 'uuid' } },
);
export const idParams = z.object({ id });

/** Ids of other records, at least one, none of them twice. @param name of such a record, for messages. */
export function ids(name: string, max: number) {
  return withTraits(
    z
      .array(id)
      .min(1, `must have at least one ${name}`)
      .max(max)
      .refine((given) => new Set(given).size === given.length, `must not have a ${name} twice`),
    { shown: z.array(z.uuid()) },
  );
}

/** Demands exactly one of the optional fields of a body. @param names of them, the first of which an error names. */
export function exactlyOneOf<Shape extends z.ZodRawShape>(
  names: readonly [keyof Shape & string, keyof Shape & string],
  body: z.ZodObject<Shape>,
) {
  const isGiven = (given: Record<string, unknown>, name: string) => given[name] !== undefined;
  const checked = body.refine((given) => names.filter((name) => isGiven(given, name)).length === 1, {
    path: [names[0]],
    error: `or ${names[1]} is required, and not both`,
  });
  return withTraits(checked, { demands: { oneOf: names.map((name) => ({ required: [name] })) } });
}

/** SHA-256 of a file. */
export const sha256 = z
  .string()
  .max(64)
  .toLowerCase()
  .regex(/^[0-9a-f]{64}$/, 'must have 64 hexadecimal digits')
  .describe('SHA-256 of the content, in hexadecimal digits');

/**
 * Classes of the patterns: white space around a text, white space within it, any character of it, and one that is no
 * white space. Python takes some control characters for white space, which JavaScript does not.
 */
const AROUND = String.raw`[^\S\x1C-\x1F\x85]`;
const SPACE = String.raw`[^\S\x00-\x1F\x7F-\x9F]`;
const INSIDE = String.raw`[^\x00-\x1F\x7F-\x9F]`;
const BLACK = String.raw`[^\s\x00-\x1F\x7F-\x9F]`;

/**
 * One line of text, for names, numbers and searches: trimmed, in Unicode's composed form (NFC), without lone
 * surrogates (which are not characters) and without invisible characters (`unwelcomeIn`).
 *
 * The length is checked first, on the text as it was sent. Normalization sorts the combining marks of each character,
 * and its cost grows with the square of their number: 80 KB of marks would block the process for seconds.
 * Lengths are in characters, as in JSON Schema and PostgreSQL, not in UTF-16 units.
 * @param max maximum, before and after normalization. @param min minimum, after trimming.
 */
export function line(max: number, min = 1) {
  return withTraits(text(max, min), {
    shown: z.string(),
    accepts: {
      type: 'string',
      minLength: min,
      maxLength: max,
      pattern: `^${AROUND}*${min === 1 ? `${BLACK}(?:${INSIDE}*${BLACK})?` : `${BLACK}${INSIDE}{${min - 2},}${BLACK}`}${AROUND}*$`,
    },
  });
}

/** As `line`, for a text that is only compared: without the invisible characters that are pasted with it. */
export function searched(max: number, min = 1) {
  const { accepts } = traitsOf(line(max, min));
  return withTraits(
    z
      .string()
      .max(4 * max, { error: `must have at most ${max} characters`, abort: true })
      .overwrite((value) => value.replaceAll(new RegExp(`[${HIDDEN}]`, 'g'), ''))
      .pipe(text(max, min)),
    { shown: z.string(), ...(accepts ? { accepts } : {}) },
  );
}

/** As `line`, with any number of lines, such as a postal address. CR LF, with which a line may end, becomes LF. */
export function lines(max: number) {
  return withTraits(
    text(max, 1, (value) => value.replaceAll(/\r?\n/g, ' ')).overwrite((value) => value.replaceAll('\r\n', '\n')),
    {
      shown: z.string(),
      accepts: {
        type: 'string',
        minLength: 1,
        maxLength: max,
        pattern: `^${AROUND}*${BLACK}(?:(?:${INSIDE}|\\r?\\n)*${BLACK})?${AROUND}*$`,
      },
    },
  );
}

/** @param judged the part of it that must have no invisible characters. */
function text(max: number, min: number, judged = (value: string) => value) {
  const tooLong = { error: `must have at most ${max} characters`, params: { code: 'too_long', limit: max } };
  const unwelcome = (value: string) => unwelcomeIn(judged(value));
  return (
    z
      .string()
      .refine((value) => isAtMost(value, max), { ...tooLong, abort: true })
      .refine((value) => value.isWellFormed(), { error: 'has a broken character: send valid Unicode', abort: true })
      .refine((value) => !TOO_MANY_MARKS.test(value), {
        error: `has more than ${MOST_MARKS} combining marks on one letter: leave some out`,
        abort: true,
      })
      .trim()
      .refine((value) => !isAtMost(value, min - 1), {
        error: min === 1 ? 'must not be empty' : `must have at least ${min} characters`,
        params: min === 1 ? { code: 'empty' } : { code: 'too_short', limit: min },
        abort: true,
      })
      .normalize('NFC')
      // A few characters (such as U+0958) become longer when they are composed.
      .refine((value) => isAtMost(value, max), tooLong)
      .refine((value) => unwelcome(value) === undefined, {
        error: ({ input }) => `has ${unwelcome(String(input))}: leave it out`,
      })
  );
}

/** A pattern without its anchors. */
function inner({ source }: RegExp): string {
  return source.replace(/^\^|\$$/g, '');
}

/** Counts characters only as far as needed. */
function isAtMost(value: string, characters: number): boolean {
  return value.length <= characters || (value.length <= 2 * characters && [...value].length <= characters);
}

/** As many as Unicode's Stream-Safe Text Format allows (UAX #15, section 13); no language needs more than a few. */
const MOST_MARKS = 30;
const TOO_MANY_MARKS = new RegExp(`\\p{M}{${MOST_MARKS + 1}}`, 'u');

/** The zeros of the scripts. Their other digits follow them. */
const ZEROS = Array.from(
  Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code))
    .join('')
    .matchAll(/\p{Nd}{10}/gu),
  ([digits]) => digits.charCodeAt(0),
);
const DIGITS = ZEROS.map((zero) => `${String.fromCharCode(zero)}-${String.fromCharCode(zero + 9)}`).join('');
const DASHES = '\u2010-\u2015\u2212\u30FC\uFE58\uFE63\uFF0D';
/** Marks of direction, joiners, and soft hyphens: they are pasted with a number or a name, and nobody sees them. */
const HIDDEN = '\u00AD\u061C\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF';

const ALL_DIGITS = new RegExp(`[${DIGITS}]`, 'g');
const ALL_DASHES = new RegExp(`[${DASHES}]`, 'g');
const ALL_HIDDEN = new RegExp(`[${HIDDEN}]`, 'g');

const BETWEEN_DIGITS = `(?:${SPACE}|[().-])*`;
/** What has other characters than those of ASCII is judged by the schema alone. */
const PHONE = [
  `^${AROUND}*(?:[Tt][Ee][Ll]:)?${BETWEEN_DIGITS}\\+${BETWEEN_DIGITS}[1-9](?:${BETWEEN_DIGITS}[0-9]){6,14}${BETWEEN_DIGITS}${AROUND}*$`,
  `^${AROUND}*(?:[Tt][Ee][Ll]:)?[^A-Za-z]*[^\\x00-\\x7F][^A-Za-z]*$`,
].join('|');
const LONGEST_PHONE = 60;

/**
 * International number with +, also as it is pasted from elsewhere: with digits of any script, dashes of any kind, and
 * invisible marks of direction. Spaces, hyphens, dots and brackets are removed.
 */
export const phone = withTraits(
  z
    .string()
    .max(LONGEST_PHONE, { error: `must have at most ${LONGEST_PHONE} characters`, abort: true })
    .overwrite((value) => plainNumber(value).replace(/^\s*tel:/i, ''))
    .pipe(
      line(LONGEST_PHONE)
        // In most countries the zero is left out from abroad, but not in Italy: nobody can tell which number is meant.
        .refine((value) => !/\(0\)/.test(value), {
          error: 'must not have (0): write the number as it is dialled from abroad, like +442079460123',
          abort: true,
        })
        .refine((value) => !DECIMAL.test(value), {
          error: 'ends with a decimal point, as in a spreadsheet: write the digits only, like +6281234567890',
          abort: true,
        })
        .overwrite(bareNumber)
        .regex(/^\+[1-9]\d{6,14}$/, {
          error: 'must be in international format with a leading +, like +6281234567890',
          abort: true,
        })
        .refine((value) => !hasTrunkZero(value), {
          error:
            'has a 0 that is not dialled from abroad: leave it out after the code of the country, like +442079460123',
        }),
    ),
  {
    shown: z.string(),
    filter: z.string().max(LONGEST_PHONE).transform(typedNumber).pipe(line(LONGEST_PHONE)),
    accepts: { type: 'string', maxLength: LONGEST_PHONE, pattern: PHONE, examples: ['+62 812-3456-7890'] },
  },
);

/** A spreadsheet adds it to a number without a plus sign, and shows it with up to two digits. Others separate pairs. */
const DECIMAL = /\.\d?$|^\+?\d+\.(?:\d\d|0+)$/;

/** Whether the number has a zero after the code of its country, which people there dial and others must not. */
function hasTrunkZero(value: string): boolean {
  const number = parsePhoneNumberFromString(value);
  return number !== undefined && number.number !== value;
}

/** The number in a query. A plus sign that is not encoded arrives as a space, and 00 means the same. */
export function typedNumber(text: string): string {
  return bareNumber(
    plainNumber(text)
      .replace(/^(?:tel:|phone\|)/i, '')
      .replace(/^(?: +|00)(?=[\d (])/, '+'),
  );
}

/** Characters before the @ (RFC 5321, section 4.5.3.1.1). Keycloak demands it, and zod does not. */
const LONGEST_LOCAL_PART = 64;
/** A part of a domain (RFC 1035, section 2.3.1). As above. */
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const ADDRESS = new RegExp(z.regexes.email.source.replace(/(?<=@).*/, `(?:${LABEL}\\.)+[A-Za-z]{2,63}$$`));
/** With spaces around it. The Kelvin sign is a K in composed form. */
const EMAIL = `^${AROUND}*${inner(ADDRESS).replaceAll('A-Z', 'A-Z\u212A')}${AROUND}*$`;
/** Another pattern, because one alone would need look-around. */
const SHORT_LOCAL_PART = { type: 'string', pattern: `^${AROUND}*[^@]{1,${LONGEST_LOCAL_PART}}@` };

export const email = withTraits(
  line(254)
    .refine((value) => value.indexOf('@') <= LONGEST_LOCAL_PART, {
      error: `must have at most ${LONGEST_LOCAL_PART} characters before the @: write the address as the mail server knows it`,
      abort: true,
    })
    .pipe(z.email({ pattern: ADDRESS })),
  {
    shown: z.string(),
    filter: line(254),
    ignoresCase: true,
    accepts: {
      type: 'string',
      maxLength: 254,
      pattern: EMAIL,
      allOf: [SHORT_LOCAL_PART],
      examples: ['jane@example.org'],
    },
  },
);

/** PostgreSQL's calendar has no year 0, which ISO 8601 has. */
const NOT_YEAR_0 = [/^(?!0000)/, 'must not be in the year 0'] as const;
/** Longer than any date and time with its offset, down to nanoseconds. */
const LONGEST_DATETIME = 40;
const isoText = z.string().max(LONGEST_DATETIME, { abort: true });
export const isoDate = withTraits(isoText.pipe(z.iso.date().regex(...NOT_YEAR_0)), {
  accepts: { type: 'string', format: 'date' },
});
const isoDatetime = (options: { readonly offset: boolean; readonly local?: boolean }) =>
  isoText.pipe(z.iso.datetime(options).regex(...NOT_YEAR_0));

/** JSON schema of `instant`. */
export const INSTANT = {
  type: 'string',
  format: 'date-time',
  pattern: z.regexes.datetime({ offset: true }).source,
  maxLength: LONGEST_DATETIME,
};

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
    accepts: INSTANT,
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
        {
          type: 'string',
          pattern: z.regexes.datetime({ offset: true, local: true }).source,
          maxLength: LONGEST_DATETIME,
          examples: ['1990-05-17T00:00:00.000Z'],
        },
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
  accepts: { type: 'integer', minimum: 1, maximum: 999_999_999 },
})
  .optional()
  .describe('Version that you have read. If it is given and the record has changed since: 409 STALE_VERSION');

/** A number from 1 in a query. */
export function count(max: number) {
  const message = `must be a whole number from 1 to ${max}`;
  const schema = z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .pipe(z.int().min(1, message).max(max, message));
  return withTraits(schema, { accepts: { type: 'integer', minimum: 1, maximum: max } });
}

export const timestamp = z.iso.datetime();

/** The interface's datetime form of a calendar day. @param value `YYYY-MM-DD` */
export function dayAsDatetime(value: string): string {
  return `${value}T00:00:00.000Z`;
}

/** Today in a time zone, as `YYYY-MM-DD`. @param timezone IANA name */
export function today(timezone: string, now: Date): string {
  let day = days.get(timezone);
  if (!day) {
    day = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' });
    days.set(timezone, day);
  }
  return day.format(now);
}

/** By time zone. Making one takes longer than many a request. */
const days = new Map<string, Intl.DateTimeFormat>();

/** A telephone number without separators between its digits. */
export function bareNumber(value: string): string {
  return value.replaceAll(/[\s().-]/g, '');
}

/** Text that was typed or pasted, with the digits 0 to 9, hyphens and no invisible marks. */
export function plainNumber(text: string): string {
  return asciiDigits(text.replaceAll(ALL_HIDDEN, ''))
    .replaceAll(ALL_DASHES, '-')
    .replaceAll(/[\uFF01-\uFF5E]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0));
}

/** Converts the digits of every script to those of stored numbers and dates. */
export function asciiDigits(text: string): string {
  return text.replaceAll(ALL_DIGITS, (digit) => {
    const code = digit.charCodeAt(0);
    return String(code - Number(ZEROS.findLast((zero) => zero <= code)));
  });
}
