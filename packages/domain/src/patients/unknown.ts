/** What nobody can tell of a patient yet: an unconscious person, a newborn without a name, a child without a phone. */
import { invalidFields, withTraits } from '@hms/service';
import { z } from 'zod';

/** Fields that every patient has, unless `unknown` names them. */
const UNKNOWABLE = ['firstName', 'lastName', 'phone', 'dateOfBirth'] as const;
export type Unknowable = (typeof UNKNOWABLE)[number];

const list = z.array(z.enum(UNKNOWABLE));

export const shownUnknown = list.describe('Fields that nobody can tell yet. They are null');

/** As clients send it. */
const unknown = withTraits(
  list
    .max(UNKNOWABLE.length)
    .refine((given) => new Set(given).size === given.length, 'must not have a field twice')
    .describe('Fields that nobody can tell yet, instead of their values. Send the values when somebody knows them'),
  { shown: shownUnknown },
);

type Given = Readonly<Record<string, unknown>>;
type Part = Readonly<Partial<Record<Unknowable, unknown>>>;

/** The body of a registration with `unknown`. Each required field needs a value, or must be named there. */
export function demandKnown<Shape extends z.ZodRawShape>(body: z.ZodObject<Shape>) {
  const required = UNKNOWABLE.map((field) => ({
    anyOf: [{ required: [field] }, { required: ['unknown'], properties: { unknown: { contains: { const: field } } } }],
  }));
  return withTraits(body.extend({ unknown: unknown.optional() }), {
    demands: { allOf: required },
    rule: (sent) => problemsOf(sent, true),
  });
}

/** The body of a change with `unknown`, which names all that is unknown after the change. */
export function allowUnknown<Shape extends z.ZodRawShape>(body: z.ZodObject<Shape>) {
  return withTraits(body.extend({ unknown: unknown.optional() }), { rule: (sent) => problemsOf(sent, false) });
}

/** @param isNew an absent value is as wrong as an empty one. */
function problemsOf(sent: unknown, isNew: boolean) {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return [];
  const given = sent as Given;
  const named = Array.isArray(given.unknown) ? given.unknown : [];
  return UNKNOWABLE.flatMap((field) => {
    const message = problemOf(given[field], named.includes(field), isNew);
    return message === undefined ? [] : [{ field, message }];
  });
}

function problemOf(value: unknown, isNamed: boolean, isNew: boolean): string | undefined {
  if (isNamed) return value === undefined || value === null ? undefined : TOLD;
  if (value === null) return `can not be null: ${HOW}`;
  return isNew && value === undefined ? `is required: ${HOW}` : undefined;
}

const HOW = 'if nobody can tell it yet, leave it out and name it in unknown';
const TOLD = 'has a value, but unknown names it: leave out one of the two';

/**
 * The values of a change: null for what it names in `unknown`.
 * @throws Problem VALIDATION_FAILED for a field that is unknown, and neither has a value now nor is named.
 */
export function changesWithUnknown<Changes extends Part & { readonly unknown?: readonly Unknowable[] | undefined }>(
  { unknown: before }: { readonly unknown: readonly Unknowable[] },
  { unknown: named, ...changes }: Changes,
) {
  if (named === undefined) return changes;
  const untold = before.filter((field) => !named.includes(field) && (changes as Part)[field] === undefined);
  if (untold.length > 0)
    throw invalidFields(untold.map((field) => ({ field, in: 'body', message: `is required: ${HOW}` })));
  return { ...changes, ...Object.fromEntries(named.map((field) => [field, null])) };
}
