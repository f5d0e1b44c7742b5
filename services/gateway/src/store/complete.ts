import type { EntitySchema } from '../entities/common.ts';
import type { Field, Fields } from '../schema/field.ts';
import { expandShorthands, isRecord, type RecordErrors, shorthandsOf, validateEntity } from '../schema/validate.ts';
import { schemaViolation } from './errors.ts';
import type { Stored } from './journal.ts';

type Input = Readonly<Record<string, unknown>>;

/**
 * The complete row of an input: with defaults and timestamps, and validated.
 * @param existing the row to change. Undefined when a row is created or replaced completely.
 * @param linkErrors the errors of links that are given by name
 */
export function complete(
  schema: EntitySchema,
  input: Input,
  existing: Stored | undefined,
  linkErrors: RecordErrors = {},
): Stored {
  const adjusted = schema.adjust ? schema.adjust(input) : input;
  const variant = schema.variant?.(adjusted) ?? schema;
  if ('errors' in variant) throw schemaViolation(variant.errors);
  const { value, errors } = validateEntity(variant.fields, variant.checks, {
    ...adjusted,
    ...stamps(schema, input, existing),
  });
  if (errors || Object.keys(linkErrors).length > 0) throw schemaViolation({ ...errors, ...linkErrors });
  return value as Stored;
}

/** The input of a changed row: records are merged deeply, everything else is replaced. */
export function merge(schema: EntitySchema, existing: Stored, input: Input): Input {
  const variant = schema.variant?.({ name: existing.name, ...input }) ?? schema;
  const fields = 'errors' in variant ? schema.fields : variant.fields;
  return { ...mergeRecord(fields, existing, input), id: existing.id };
}

function mergeRecord(fields: Fields, existing: Input, sent: Input): Input {
  const changed = Object.entries(expandShorthands(fields, sent).input).map(([name, value]) => {
    const field: Field | undefined = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const present = existing[name];
    const deep = field?.type === 'record' && isRecord(value) && isRecord(present);
    return [name, deep ? mergeRecord(field.fields, present, value) : value] as const;
  });
  const otherNames = new Set(shorthandsOf(fields).map(([name]) => name));
  const remaining = Object.entries(existing).filter(([name]) => !otherNames.has(name));
  return Object.fromEntries([...remaining, ...changed]);
}

/** Keeps a creation time that was sent. The time of the change is always now. */
function stamps(
  { stamps: { created, updated, unit } }: EntitySchema,
  input: Input,
  existing: Stored | undefined,
): Input {
  const now = unit === 's' ? Math.floor(Date.now() / 1000) : Date.now() / 1000;
  return {
    ...(created && { [created]: existing?.[created] ?? input[created] ?? now }),
    ...(updated && { [updated]: now }),
  };
}
