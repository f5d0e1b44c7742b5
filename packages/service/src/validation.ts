/** Converts the input of a client to the declared types of a route, or returns a sentence about each invalid field. */

import type { z } from 'zod';
import {
  type ErrorKind,
  type FieldProblem,
  INVALID_ID,
  INVALID_SORT,
  invalidFields,
  VALIDATION_FAILED,
} from './errors.ts';
import { traitsOf } from './records/traits.ts';

interface Schemas<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> {
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
}

/** Input as a client sent it. */
export interface RawInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** Validated input. */
export interface Input<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> {
  readonly params: z.output<P>;
  readonly query: z.output<Q>;
  readonly body: z.output<B>;
}

/**
 * @throws Problem that names every invalid field: INVALID_ID if one is in the path, otherwise VALIDATION_FAILED, or
 * INVALID_SORT if nothing else is invalid.
 */
export function validate<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>(
  schemas: Schemas<P, Q, B>,
  raw: RawInput,
): Input<P, Q, B> {
  const params = parse(schemas.params, raw.params, 'path');
  const query = parse(schemas.query, withoutEmpty(raw.query), 'query');
  const body = parse(schemas.body, raw.body ?? {}, 'body');
  const problems = [...params.problems, ...query.problems, ...body.problems];
  if (problems.length > 0) throw invalidFields(problems, kindOf(problems));
  return { params: params.value as z.output<P>, query: query.value as z.output<Q>, body: body.value as z.output<B> };
}

/** Validates a body that comes from elsewhere than a request, such as a row of a file, with the same messages. */
export function checkBody<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
): { readonly value: z.output<Schema>; readonly problems: [] } | { readonly problems: readonly FieldProblem[] } {
  const { value, problems } = parse(schema, body, 'body');
  return problems.length === 0 ? { value: value as z.output<Schema>, problems: [] } : { problems };
}

/** An empty parameter counts as missing, because forms send empty fields like that. */
function withoutEmpty(query: unknown): unknown {
  return Object.fromEntries(Object.entries(query ?? {}).filter(([, value]) => value !== ''));
}

function kindOf(problems: readonly FieldProblem[]): ErrorKind {
  if (problems.some(({ in: place }) => place === 'path')) return INVALID_ID;
  return problems.every(({ field, in: place }) => field === 'sort' && place === 'query')
    ? INVALID_SORT
    : VALIDATION_FAILED;
}

function parse(
  schema: z.ZodType | undefined,
  input: unknown,
  place: FieldProblem['in'],
): { value?: unknown; problems: readonly FieldProblem[] } {
  if (!schema) return { value: undefined, problems: [] };
  const described: Description[] = [];
  const error = (issue: z.core.$ZodRawIssue) => {
    const own = describe(issue, place);
    if (own) described.push(own);
    return own?.message;
  };
  const result = schema.safeParse(input, { error });
  const wrong = (result.error?.issues ?? []).flatMap((issue) => {
    // A message of the schema itself has the code that it gives.
    const own =
      issue.code === 'custom' ? (issue.params as Pick<FieldProblem, 'code' | 'limit'> | undefined) : undefined;
    const known = own ?? described.find(({ message }) => message === issue.message);
    return namesIn(issue).map((path) => ({
      ...{ field: path.join('.') || place, in: place, message: issue.message },
      ...known,
    }));
  });
  const between = (traitsOf(schema).rule?.(input) ?? [])
    .filter(({ field }) => wrong.every((problem) => problem.field !== field))
    .map((problem) => ({ ...problem, in: place }));
  const problems = [...wrong, ...between];
  return problems.length === 0 ? { value: result.data, problems } : { problems };
}

/** The path of each field that an issue is about. */
function namesIn(issue: z.core.$ZodIssue): readonly (readonly PropertyKey[])[] {
  return issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

/** What long values have too many of, or too few. */
const PARTS: Readonly<Record<string, string>> = { string: 'characters', array: 'entries' };

/** What is wrong with a field: a sentence that continues its name, and the same for programs. */
type Description = Required<Pick<FieldProblem, 'message' | 'code'>> & Pick<FieldProblem, 'limit'>;

/** Sentences for zod's own errors. A schema's own message takes precedence. */
function describe(issue: z.core.$ZodRawIssue, place: FieldProblem['in']): Description | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return { message: 'is required', code: 'required' };
      if (issue.input === null) return { message: 'can not be null', code: 'required' };
      if (Array.isArray(issue.input) && place === 'query') return { message: 'must be given once', code: 'wrong_kind' };
      return { message: `must be ${KINDS[issue.expected] ?? issue.expected}`, code: 'wrong_kind' };
    case 'too_small': {
      const parts = PARTS[issue.origin];
      const limit = Number(issue.minimum);
      if (parts === undefined)
        return {
          message: `must be ${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}`,
          code: 'too_low',
          limit,
        };
      if (issue.minimum === 1) return { message: 'must not be empty', code: 'empty' };
      const code = issue.origin === 'array' ? 'too_few' : 'too_short';
      return { message: `must have at least ${issue.minimum} ${parts}`, code, limit };
    }
    case 'too_big': {
      const parts = PARTS[issue.origin];
      const limit = Number(issue.maximum);
      if (parts === undefined)
        return {
          message: `must be ${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}`,
          code: 'too_high',
          limit,
        };
      const code = issue.origin === 'array' ? 'too_many' : 'too_long';
      return { message: `must have at most ${issue.maximum} ${parts}`, code, limit };
    }
    case 'unrecognized_keys':
      return { message: 'is no field of this request: leave it out', code: 'unknown' };
    case 'invalid_value':
      if (issue.input === undefined) return { message: 'is required', code: 'required' };
      return { message: `must be one of ${issue.values.join(', ')}`, code: 'not_offered' };
    case 'invalid_format':
      return FORMATS[issue.format] ?? { message: `must be a valid ${issue.format}`, code: 'wrong_kind' };
    default:
      return undefined;
  }
}

const NO_ID: Description = { message: 'must be a UUID', code: 'no_id' };
const FORMATS: Readonly<Record<string, Description>> = {
  guid: NO_ID,
  uuid: NO_ID,
  email: { message: 'must be an e-mail address, like jane@example.org', code: 'no_email' },
  date: { message: 'must be a date, like 2026-01-31', code: 'no_date' },
  datetime: { message: 'must be a date and time, like 2026-01-31T08:00:00Z', code: 'no_time' },
};
