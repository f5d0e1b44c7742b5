/** The JSON schema in the document accepts what the API accepts, and refuses what it refuses. */
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import fc from 'fast-check';
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { z } from 'zod';
import { day, email, exactlyOneOf, id, instant, line, lines, phone, version, versionParameter } from '../fields.ts';
import { listQuery } from '../lists.ts';
import { filterSchema, queryBoolean } from '../records/traits.ts';
import { unwelcomeIn } from '../unwelcome.ts';
import { Schemas } from './schemas.ts';

const ajv = new Ajv2020({ unicodeRegExp: true, strict: false });
formats.default(ajv);
// JSON Schema has no `urn:uuid:` in this format, which ajv-formats accepts.
ajv.addFormat('uuid', /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i);

const RUNS = 200 * Number(process.env.FUZZ_TIMES ?? 1);
const { q, from, page, limit, includeDeleted, sort } = listQuery({
  sort: ['lastName', 'createdAt'],
  defaultSort: '-createdAt',
  filters: {},
  hasSearch: true,
}).in.shape;

/** What patterns for all dialects of regular expressions can't say: see `line`. */
const isHidden = (text: string) => unwelcomeIn(text.trim()) !== undefined;
const hasTooManyMarks = (text: string) => /\p{M}{31}/u.test(text);
const isBroken = (text: string) => !text.isWellFormed();
const growsTooLong = (max: number) => (text: string) => [...text.trim().normalize('NFC')].length > max;
/** A zero after the code of the country. */
const isDialledAtHome = (text: string) => {
  const digits = text.replaceAll(/[^+\d]/g, '');
  return (parsePhoneNumberFromString(digits)?.number ?? digits) !== digits;
};
const isNotPlainText = (text: string) => isHidden(text) || hasTooManyMarks(text) || isBroken(text);
/** PostgreSQL's calendar has no year 0, and years have four digits in UTC. */
const isBeyondTheYears = (text: string) => /^(?:0000|0001-01-01|9999-12-31)/.test(text);

const spaces = fc.stringMatching(/^[ \u00A0\u2003\t\n]{0,2}$/);
const wrapped = (text: fc.Arbitrary<string>) => fc.tuple(spaces, text, spaces).map((parts) => parts.join(''));
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  // Lone surrogates too.
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 6 }).map((units) => String.fromCharCode(...units)),
);
const dates = fc.stringMatching(/^(?:[0-9]{4}|19[0-9]{2}|20[0-9]{2})-(?:0[0-9]|1[0-3])-(?:[012][0-9]|3[012])$/);
const times = fc.stringMatching(
  /^[Tt](?:[01][0-9]|2[0-4]):[0-6][0-9](?::[0-6][0-9](?:\.[0-9]{1,9})?)?(?:[Zz]|[+-](?:[01][0-9]|2[0-4]):?[0-6][0-9])?$/,
);
const datetimes = fc.tuple(dates, times).map((parts) => parts.join(''));

interface Field {
  readonly schema: z.ZodType;
  readonly accepted: readonly string[];
  readonly refused: readonly string[];
  readonly values: fc.Arbitrary<string>;
  /** Whether only the schema may refuse the value. */
  readonly unsaid?: (value: string) => boolean;
}

const FIELDS: Readonly<Record<string, Field>> = {
  id: {
    schema: id,
    accepted: ['018f0c3e-7c1a-7000-8000-0123456789ab', '018F0C3E-7C1A-7000-8000-0123456789AB'],
    refused: ['', '42', '018f0c3e7c1a700080000123456789ab', ' 018f0c3e-7c1a-7000-8000-0123456789ab'],
    values: fc.oneof(fc.uuid(), fc.stringMatching(/^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{11,12}$/)),
  },
  'a line of text': {
    schema: line(20),
    accepted: ['Jane', ' Siobhán\n', '李', 'Ürümqi', 'می\u200Cخواهم', "O'Brien-Ł", '😀'.repeat(20), 'E\u0301mile'],
    refused: ['', ' ', '\u00A0\u2003', 'a\nb', 'a\u0000', '\u007F', 'x'.repeat(21), '😀'.repeat(21)],
    values: fc.oneof(wrapped(anyText), fc.string({ unit: 'grapheme', minLength: 15, maxLength: 25 })),
    unsaid: (text) => isNotPlainText(text) || growsTooLong(20)(text),
  },
  'lines of text': {
    schema: lines(20),
    accepted: ['Jane', '1 Road\nTown', ' 1 Road\r\n\r\nTown\n', '李\n明', '😀'.repeat(20)],
    refused: ['', '\n', 'a\tb', 'a\rb', 'a\u0000', 'a\n\u007Fb', 'x'.repeat(21)],
    values: fc.oneof(wrapped(anyText), fc.stringMatching(/^[a\r\n ]{0,6}$/)),
    unsaid: (text) => isNotPlainText(text.replaceAll(/\r?\n/g, ' ')) || growsTooLong(20)(text),
  },
  'a search': {
    schema: q,
    accepted: ['ja', ' ja ', '李明', '😀a', 'a b'],
    refused: ['', 'j', ' j ', '\u0958', '😀'],
    values: wrapped(anyText),
    unsaid: (text) => isNotPlainText(text) || growsTooLong(100)(text),
  },
  phone: {
    schema: phone,
    accepted: [
      '+62 812-3456-7890',
      ' +1234567 ',
      '(+62) 812.345.6789',
      '+1 (234) 567',
      '+\u00A0123\u2003-4567',
      '\u202A+353–٨٦１２１4393\u202C',
    ],
    refused: ['0812345678', '+0812345678', '+12345', `+${'1'.repeat(16)}`, '+62812abc', '62812345678', '', '+'],
    values: fc.oneof(
      wrapped(fc.stringMatching(/^[(+]{1,2}[0-9](?:[ ().-]?[0-9]){4,16}$/)),
      fc.stringMatching(/^[+0-9 ().\-\u00A0\u0661]{0,24}$/),
    ),
    unsaid: (text) =>
      isHidden(text) || /\(0\)|\.\d?\)?\s*$|\+\d+\.\d+/.test(text) || isDialledAtHome(text) || /\P{ASCII}/u.test(text),
  },
  email: {
    schema: email,
    accepted: [
      ...['jane@example.org', ' Jane.Doe+x@Sub.Example.Org\n', "o'neil@example.org", '\u212Aim@example.org'],
      ...[`${'x'.repeat(64)}@example.org`, `jane@${'x'.repeat(63)}.org`, `jane@x.${'x'.repeat(63)}`],
    ],
    refused: [
      ...['', 'jane', 'jane@', '.jane@example.org', 'jane..doe@example.org', 'jane@example', 'jané@example.org'],
      ...[
        `${'x'.repeat(65)}@example.org`,
        `jane@${'x'.repeat(64)}.org`,
        `jane@x.${'x'.repeat(64)}`,
        'jane@example-.org',
        'jane@-example.org',
      ],
    ],
    values: fc.oneof(
      wrapped(fc.emailAddress()),
      wrapped(fc.stringMatching(/^[A-Za-z0-9_'+.!\u212A-]{1,6}@[A-Za-z0-9.\u212A-]{1,8}\.[A-Za-z0-9]{1,3}$/)),
      fc.stringMatching(/^x{62,66}@x{62,65}\.org$/),
    ),
  },
  day: {
    schema: day,
    accepted: ['1990-05-17', '2024-02-29', '1990-05-17T00:00:00.000Z', '1990-05-17T00:00', '1990-05-17T08:00:00+07:00'],
    refused: ['', '1990-02-29', '1990-02-29T00:00', '1990-5-17', '17.05.1990', '1990-05-17T24:00', ' 1990-05-17'],
    values: fc.oneof(
      dates,
      datetimes,
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    ),
    unsaid: isBeyondTheYears,
  },
  instant: {
    schema: instant,
    accepted: ['2026-01-31T08:00:00Z', '2026-01-31T08:00:00.123456789+07:00'],
    refused: [
      '2026-01-31',
      '2026-01-31T08:00:00',
      '2026-01-31T08:00:00z',
      '2026-01-31T08:00:60Z',
      '2026-02-30T08:00:00Z',
    ],
    values: fc.oneof(
      datetimes,
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    ),
    unsaid: isBeyondTheYears,
  },
  'a moment in a query': {
    schema: from,
    accepted: ['2026-01-31', '2026-01-31T08:00:00Z'],
    refused: ['yesterday', '2026-01-31T08:00', '2026-02-30'],
    values: fc.oneof(dates, datetimes),
    unsaid: isBeyondTheYears,
  },
  'the order of a list': {
    schema: sort,
    accepted: ['lastName', '-createdAt', ' lastName , +createdAt', '-lastName,-createdAt'],
    refused: ['', ',', 'lastname', 'lastName,', '- lastName', '--lastName', 'lastName;createdAt'],
    values: fc
      .array(fc.constantFrom('lastName', '-', '+', ',', ' ', 'createdAt', '\n', 'x'), { maxLength: 6 })
      .map((parts) => parts.join('')),
  },
};

const accepterOf = (schema: z.ZodType) => {
  const { properties } = new Schemas().of(z.object({ field: schema }), 'input') as { properties: { field: object } };
  return ajv.compile(properties.field);
};

describe.each(Object.entries(FIELDS))('%s', (_name, { schema, accepted, refused, values, unsaid = () => false }) => {
  const inDocument = accepterOf(schema);
  const inApi = (value: unknown) => schema.safeParse(value).success;

  it.each(accepted)('accepts %j', (value) => {
    expect({ document: inDocument(value), api: inApi(value) }).toEqual({ document: true, api: true });
  });

  it.each(refused)('refuses %j', (value) => {
    expect({ document: inDocument(value), api: inApi(value) }).toEqual({ document: false, api: false });
  });

  it('accepts the same generated values', () => {
    fc.assert(
      fc.property(values, (value) => {
        const answers = { document: inDocument(value), api: inApi(value) };
        expect(answers).toEqual({ document: answers.api || (answers.document && unsaid(value)), api: answers.api });
      }),
      { numRuns: RUNS },
    );
  });
});

/** Parameters of a query: the document types the value, and the API gets its text. */
const PARAMETERS: Readonly<Record<string, z.ZodType>> = {
  page,
  limit,
  version: versionParameter,
  'a filter by number': filterSchema(z.int().min(-3).max(5).nullish()),
  'a filter by a number without limits': filterSchema(z.int()),
  'true or false': queryBoolean(),
  includeDeleted,
};

describe.each(Object.entries(PARAMETERS))('the parameter %s', (_name, schema) => {
  const inDocument = accepterOf(schema);
  const numbers = fc.oneof(
    fc.integer({ min: -10, max: 10 }),
    fc.integer(),
    fc.maxSafeInteger(),
    fc.constantFrom(1_000_000, 1_000_001, 999_999_999, 1_000_000_000, 999_999_999_999_999, 1e15, 1e21, -1e15),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );

  it('accepts the text of the same values', () => {
    fc.assert(
      fc.property(fc.oneof(numbers, fc.boolean()), (value) => {
        const document = inDocument(value);
        expect({ value, document }).toEqual({ value, document: schema.safeParse(String(value)).success });
      }),
      { numRuns: RUNS },
    );
  });
});

it('accepts one of two fields, and not both', () => {
  const schema = exactlyOneOf(['a', 'b'], z.object({ a: line(3).optional(), b: line(3).optional() }));
  const named = new Schemas();
  named.of(schema.meta({ id: 'One' }), 'input');
  const document = ajv.compile(named.components.One as object);
  for (const body of [{}, { a: 'x' }, { b: 'x' }, { a: 'x', b: 'x' }])
    expect({ body, document: document(body) }).toEqual({ body, document: schema.safeParse(body).success });
});

it('accepts the same versions in a body', () => {
  const inDocument = accepterOf(version);
  fc.assert(
    fc.property(fc.oneof(fc.integer(), fc.double(), fc.maxSafeInteger(), fc.string(), fc.constant(null)), (value) => {
      expect({ value, document: inDocument(value) }).toEqual({ value, document: version.safeParse(value).success });
    }),
    { numRuns: RUNS },
  );
});
