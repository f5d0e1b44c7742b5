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
  const result = schema.safeParse(input, { error: (issue) => describe(issue, place) });
  const wrong = (result.error?.issues ?? []).flatMap((issue) =>
    namesIn(issue).map((path) => ({ field: path.join('.') || place, in: place, message: issue.message })),
  );
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

/** Sentences for zod's own errors. A schema's own message takes precedence. They continue the field's name. */
function describe(issue: z.core.$ZodRawIssue, place: FieldProblem['in']): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is required';
      if (issue.input === null) return 'can not be null';
      if (Array.isArray(issue.input) && place === 'query') return 'must be given once';
      return `must be ${KINDS[issue.expected] ?? issue.expected}`;
    case 'too_small': {
      const parts = PARTS[issue.origin];
      if (parts === undefined) return `must be ${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}`;
      return issue.minimum === 1 ? 'must not be empty' : `must have at least ${issue.minimum} ${parts}`;
    }
    case 'too_big': {
      const parts = PARTS[issue.origin];
      if (parts !== undefined) return `must have at most ${issue.maximum} ${parts}`;
      return `must be ${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}`;
    }
    case 'unrecognized_keys':
      return 'is no field of this request: leave it out';
    case 'invalid_value':
      return issue.input === undefined ? 'is required' : `must be one of ${issue.values.join(', ')}`;
    case 'invalid_format':
      return FORMATS[issue.format] ?? `must be a valid ${issue.format}`;
    default:
      return undefined;
  }
}

const FORMATS: Readonly<Record<string, string>> = {
  guid: 'must be a UUID',
  uuid: 'must be a UUID',
  email: 'must be an e-mail address, like jane@example.org',
  date: 'must be a date, like 2026-01-31',
  datetime: 'must be a date and time, like 2026-01-31T08:00:00Z',
};
