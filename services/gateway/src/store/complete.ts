import type { EntitySchema } from '../entities/common.ts';
import type { Field, Fields } from '../schema/field.ts';
import { expandShorthands, isRecord, type RecordErrors, shorthandsOf, validateEntity } from '../schema/validate.ts';
import { schemaViolation } from './errors.ts';
import type { Stored } from './journal.ts';

type Input = Readonly<Record<string, unknown>>;

/**
 * The whole row that an input stands for: defaults, stamps, everything validated.
 * @param existing the row that is changed; undefined when one is created or replaced in full
 * @param linkErrors what is wrong with the names by which links are given
 */
export function complete(
  schema: EntitySchema,
  input: Input,
  existing: Stored | undefined,
  linkErrors: RecordErrors = {},
): Stored {
  const adjusted = schema.adjust ? schema.adjust(input) : input;
  const variant = schema.variant?.(adjusted) ?? schema;
  if ('wrong' in variant) throw schemaViolation(variant.wrong);
  const { value, errors } = validateEntity(variant.fields, variant.checks, {
    ...adjusted,
    ...stamps(schema, input, existing),
  });
  if (errors || Object.keys(linkErrors).length > 0) throw schemaViolation({ ...errors, ...linkErrors });
  return value as Stored;
}

/** What a change makes of a row: records are merged deeply, everything else is replaced. */
export function merge(schema: EntitySchema, existing: Stored, input: Input): Input {
  const variant = schema.variant?.({ name: existing.name, ...input }) ?? schema;
  const fields = 'wrong' in variant ? schema.fields : variant.fields;
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
  const kept = Object.entries(existing).filter(([name]) => !otherNames.has(name));
  return Object.fromEntries([...kept, ...changed]);
}

/** A creation time that was sent stays; the time of change is always now. */
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
