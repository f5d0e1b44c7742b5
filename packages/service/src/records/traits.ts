/** What a field's schema says beyond validation: how its column is shown, filtered, and since when it exists. */
import { z } from 'zod';

export interface Traits {
  /** Schema of the value in responses. Default: the schema's own output. */
  readonly shown?: z.ZodType;
  /** JSON schema of what a client may send, where the schema's own would refuse what it accepts. */
  readonly accepts?: Readonly<Record<string, unknown>>;
  /** Added to the JSON schema of what a client may send: a rule between fields. */
  readonly demands?: Readonly<Record<string, unknown>>;
  /**
   * What is wrong between the fields of a body as it was sent. A refinement would not run beside the problems of fields.
   * `demands` says the same to clients.
   */
  readonly rule?: (sent: unknown) => readonly { readonly field: string; readonly message: string }[];
  /** From the column's value to the response's. Default: unchanged. */
  readonly show?: (value: unknown) => unknown;
  /** Schema of an exact filter in a list's query. Default: the field's own. */
  readonly filter?: z.ZodType;
  /** Whether a filter ignores case. The column needs an index on `lower(…)`. */
  readonly ignoresCase?: boolean;
  /** Table of the record whose id the field has. */
  readonly refersTo?: string;
  /** Version of the tenant schema that added the column. */
  readonly since?: number;
}

/** A described copy of a schema has the traits of the original. */
const registry = z.registry<{ readonly traits: unknown }>();

/** Gives a new schema traits. @returns the schema. */
export function withTraits<Schema extends z.ZodType>(schema: Schema, traits: Traits): Schema {
  registry.add(schema, { traits });
  return schema;
}

/** The traits of a schema itself. */
export function ownTraits(schema: z.ZodType): Traits {
  return (registry.get(schema)?.traits as Traits | undefined) ?? {};
}

/**
 * Marks a field that older schemas lack. Code serves hospitals whose schema is one version behind: there the field is
 * shown as null, and a value for it is refused until the hospital is migrated.
 * @param version of the tenant schema that added the column. @param schema must accept a missing value.
 */
export function since<Schema extends z.ZodOptional<z.ZodType>>(version: number, schema: Schema): Schema {
  return withTraits(schema.clone(), { since: version });
}

/** The traits of a schema and of what it wraps. */
export function traitsOf(schema: z.ZodType): Traits {
  const inner = unwrapped(schema);
  return { ...(inner === undefined ? {} : traitsOf(inner)), ...ownTraits(schema) };
}

/** The schema without `optional`, `nullable` and `default`. */
export function bare(schema: z.ZodType): z.ZodType {
  const inner = unwrapped(schema);
  return inner ? bare(inner) : schema;
}

function unwrapped(schema: z.ZodType): z.ZodType | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return schema.unwrap() as z.ZodType;
  }
  return undefined;
}

/** The largest number of 15 digits: JavaScript is exact up to it. */
const MOST = 999_999_999_999_999;

/** The schema of an exact filter by this field: a query has only texts. @throws Error for a field of any text. */
export function filterSchema(schema: z.ZodType): z.ZodType {
  const own = traitsOf(schema).filter;
  if (own) return own;
  const base = bare(schema);
  if (base instanceof z.ZodNumber) {
    const number = z
      .string()
      .regex(/^-?\d{1,15}$/, 'must be a whole number')
      .transform(Number)
      .pipe(base);
    const [minimum, maximum] = [base.minValue ?? -MOST, base.maxValue ?? MOST];
    const accepts = { type: 'integer', minimum: Math.max(minimum, -MOST), maximum: Math.min(maximum, MOST) };
    return withTraits(number, { accepts });
  }
  if (base instanceof z.ZodString && base.def.checks === undefined)
    throw new Error(
      'PostgreSQL can not take any text: give the field a filter with `withTraits`, such as `fields.line`',
    );
  return base instanceof z.ZodBoolean ? queryBoolean() : base;
}

/** `true` or `false` in a query. */
export function queryBoolean() {
  const schema = z.enum(['true', 'false']).transform((value) => value === 'true');
  return withTraits(schema, { accepts: { type: 'boolean' } });
}
