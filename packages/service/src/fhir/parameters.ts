/** The search parameters: what a client may send, and how each restricts the rows of a feed. */
import type { Coding } from 'fhir/r4.js';
import type { Knex } from 'knex';
import { z } from 'zod';
import { matchNames } from '../feeds.ts';
import * as fields from '../fields.ts';
import { withTraits } from '../records/traits.ts';
import type { Work } from '../work.ts';
import type { System } from './codes.ts';
import { type FhirDate, parseDate, restrictDate } from './dates.ts';

/** Restricts the rows of a feed. @param columns its expressions by field. */
export type Restrict = (rows: Knex.QueryBuilder, columns: Readonly<Record<string, string>>) => void;

/** A search parameter. Each of its values must match. A value has alternatives between commas. */
export interface Parameter {
  readonly type: 'token' | 'string' | 'date' | 'reference';
  readonly about: string;
  /** From one alternative to how it restricts rows. */
  readonly schema: z.ZodType<(work: Work) => Restrict | Promise<Restrict>, string>;
}

const LONGEST = 200;
const MOST_ALTERNATIVES = 50;
const MOST_VALUES = 10;

/** A value as a client sent it, and what it says. */
export interface Value {
  readonly sent: string;
  readonly alternatives: readonly z.output<Parameter['schema']>[];
}

/** What a client may send for a parameter. */
export function valuesOf({ schema, about }: Parameter) {
  const text = z.string().max(LONGEST * MOST_ALTERNATIVES, { abort: true });
  const one = text
    .transform((sent) => ({ sent, alternatives: alternatives(sent) }))
    .pipe(z.object({ sent: z.string(), alternatives: z.array(schema).max(MOST_ALTERNATIVES) }));
  const many = z.preprocess((given) => [given].flat(), z.array(one).max(MOST_VALUES));
  return withTraits(many, { accepts: { type: 'string', minLength: 1 } })
    .optional()
    .describe(about);
}

/** Splits at commas that have no backslash before them. */
function alternatives(text: string): string[] {
  return text.split(/(?<!\\),/).map((part) => part.replaceAll(/\\([,$|\\])/g, '$1'));
}

/** A number or a code that the hospital gives. @param column the field that holds it. @param own its system. */
export function identifierIn(column: string, own: System): Parameter {
  return {
    type: 'token',
    about: 'The number as it is printed, perhaps with its system: `system|number`',
    schema: token.transform(({ system, code }) => (work) => (rows, columns) => {
      if (system !== undefined && system !== own(work)) return void rows.whereRaw('false');
      rows.whereRaw(`${columns[column]} IN (?, ?)`, [code, code.toUpperCase()]);
    }),
  };
}

/** @param names field with the name. @param searched field with a text that contains it, with an index. */
export function nameIn(names: string, searched?: string): Parameter {
  return {
    type: 'string',
    about: 'The start of a name, or several names in their order. Accents and capital letters don’t matter',
    schema: fields.line(100).transform((text) => () => (rows, columns) => {
      matchNames(rows, columns[names] ?? '', text, searched === undefined ? undefined : columns[searched]);
    }),
  };
}

/** @param column the field that holds the number, with its country code. */
export function phoneIn(column: string): Parameter {
  return {
    type: 'token',
    about: 'A telephone number with its country code, such as +6281234567890',
    schema: z
      .string()
      .max(LONGEST, { abort: true })
      // Systems may send a number without its plus sign.
      .transform((text) => fields.typedNumber(text).replace(/^\+?/, '+'))
      .pipe(z.string().regex(/^\+[1-9]\d{6,14}$/, 'must be a number with its country code, like +6281234567890'))
      .transform((number) => () => (rows, columns) => void rows.whereRaw(`${columns[column]} = ?`, [number])),
  };
}

/** @param precision of the column. */
export function dateIn(column: string, precision: 'day' | 'moment' = 'moment'): Parameter {
  return {
    type: 'date',
    about:
      'A year, a month, a day or a time, perhaps after eq, ne, lt, le, gt, ge, sa or eb: `ge2026-01`. Without an offset, it is in the time zone of the hospital',
    schema: z.string().transform((text, context): ReturnType<Parameter['schema']['parse']> => {
      const date = parseDate(text);
      if (date) return ({ hospital }) => restrictedTo(column, precision, date, hospital.timezone);
      context.addIssue({
        code: 'custom',
        message: 'must be a date, such as 2026-01-31, ge2026-01 or lt2026-01-31T08:00:00Z',
      });
      return z.NEVER;
    }),
  };
}

function restrictedTo(column: string, precision: 'day' | 'moment', date: FhirDate, timezone: string): Restrict {
  return (rows, columns) => restrictDate(rows, columns[column] ?? '', precision, date, timezone);
}

/** @param related finds the ids that mean the same, such as those of merged patients. */
export function referenceIn(
  column: string,
  type: string,
  related: (work: Work, id: string) => Promise<readonly string[]>,
): Parameter {
  return {
    type: 'reference',
    about: `The id of a ${type}, or \`${type}/id\``,
    schema: z
      .string()
      .max(5 * LONGEST, { abort: true })
      .transform((text) => text.slice(text.lastIndexOf(`${type}/`) + 1 ? text.lastIndexOf('/') + 1 : 0))
      .pipe(fields.id)
      .transform((id) => async (work) => {
        const ids = await related(work, id);
        return (rows, columns) => void rows.whereRaw(`${columns[column]} = ANY(?::uuid[])`, [[...ids]]);
      }),
  };
}

/** Rows whose field is one of those that `choose` finds. It finds undefined for a code of a system that is not known. */
export function tokenIn(
  column: string,
  about: string,
  choose: (token: Token, work: Work) => Knex.QueryBuilder | undefined,
): Parameter {
  return {
    type: 'token',
    about,
    schema: token.transform((given) => (work) => (rows, columns) => {
      const chosen = choose(given, work);
      if (!chosen) return void rows.whereRaw('false');
      rows.whereRaw(`${columns[column]} IN (?)`, [chosen]);
    }),
  };
}

/** A code that is the value of a field itself. @param own its system. */
export function codeIn(column: string, about: string, own: System): Parameter {
  return {
    type: 'token',
    about,
    schema: token.transform(({ system, code }) => (work) => (rows, columns) => {
      if (system !== undefined && system !== own(work)) return void rows.whereRaw('false');
      rows.whereRaw(`${columns[column]}::text = ?`, [code]);
    }),
  };
}

/** The code that all resources of a type have. */
export function constantIn(own: Required<Pick<Coding, 'system' | 'code'>>): Parameter {
  return {
    type: 'token',
    about: `All have ${own.system}|${own.code}`,
    schema: token.transform(({ system, code }) => () => (rows) => {
      if (code !== own.code || (system ?? own.system) !== own.system) rows.whereRaw('false');
      else rows.whereRaw('true');
    }),
  };
}

/** What a status of FHIR stands for. */
export interface StatusCodes<State extends string, Code extends string> {
  /** That of FHIR's value set. */
  readonly system: string;
  /** All codes of the value set: a client may ask for one that no resource here has. */
  readonly codes: readonly Code[];
  /** The code of each state of a record. */
  readonly shown: Readonly<Record<State, Code>>;
}

/** The status of a resource. @param column the field with the state of the record. */
export function statusIn<State extends string, Code extends string>(
  column: string,
  { system, codes, shown }: StatusCodes<State, Code>,
): Parameter {
  return {
    type: 'token',
    about: `One of ${codes.join(', ')}`,
    schema: token
      .refine(({ code }) => (codes as readonly string[]).includes(code), `must be one of ${codes.join(', ')}`)
      .transform((given) => () => (rows, columns) => {
        if (given.system !== undefined && given.system !== system) return void rows.whereRaw('false');
        const states = Object.keys(shown).filter((state) => shown[state as State] === given.code);
        rows.whereRaw(`${columns[column]} = ANY(?)`, [states]);
      }),
  };
}

/** The id of the resource itself. */
export function idIn(): Parameter {
  return {
    type: 'token',
    about: 'The id of a resource',
    schema: fields.id.transform(
      (id) =>
        () =>
        (rows, { id: column }) =>
          void rows.whereRaw(`${column} = ?::uuid`, [id]),
    ),
  };
}

/** A code, with the system that says what it means. */
export interface Token {
  /** Undefined: any. */
  readonly system: string | undefined;
  readonly code: string;
}

const token = fields.line(LONGEST).transform((text): Token => {
  const bar = text.indexOf('|');
  return bar < 0 ? { system: undefined, code: text } : { system: text.slice(0, bar), code: text.slice(bar + 1) };
});
