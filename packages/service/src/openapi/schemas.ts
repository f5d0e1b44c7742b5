/** JSON schemas from zod schemas, with the named ones as components. */
import { z } from 'zod';
import { ownTraits } from '../records/traits.ts';

export type Json = Readonly<Record<string, unknown>>;

/** Collects the schemas that have a name (zod's `meta({ id })`) while it converts others that refer to them. */
export class Schemas {
  readonly #components: Record<string, Json> = {};

  /** All named schemas, for `components.schemas`. */
  get components(): Readonly<Record<string, Json>> {
    return Object.fromEntries(Object.entries(this.#components).sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /**
   * @param io `input` for what a client sends, `output` for what it gets.
   * @throws Error if two different schemas have the same name.
   */
  of(schema: z.ZodType, io: 'input' | 'output'): Json {
    const {
      $schema: _,
      $defs = {},
      ...own
    } = rewritten(convert(schema, io)) as Json & { $defs?: Record<string, Json> };
    for (const [name, definition] of Object.entries($defs)) this.#add(name, definition);
    const { id, ...rest } = own as Json & { id?: unknown };
    if (typeof id !== 'string') return rest;
    this.#add(id, rest);
    return { $ref: `${COMPONENTS}${id}` };
  }

  #add(name: string, definition: Json): void {
    const { id: _, ...schema } = definition;
    const known = this.#components[name];
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`two different schemas have the name ${name}`);
    }
    this.#components[name] = schema;
  }
}

const COMPONENTS = '#/components/schemas/';

function convert(schema: z.ZodType, io: 'input' | 'output'): unknown {
  return z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
    override: ({ zodSchema, jsonSchema }) => {
      const { accepts, demands } = ownTraits(zodSchema as unknown as z.ZodType);
      if (io === 'input' && demands) Object.assign(jsonSchema, demands);
      if (io !== 'input' || !accepts) {
        withoutPattern(jsonSchema);
        return;
      }
      const { description, default: value } = jsonSchema;
      for (const name of Object.keys(jsonSchema)) delete jsonSchema[name];
      Object.assign(jsonSchema, accepts);
      if (description !== undefined) jsonSchema.description ??= description;
      if (value !== undefined) jsonSchema.default = value;
    },
  });
}

/** zod's patterns of formats only repeat the format. */
function withoutPattern(schema: { format?: string; pattern?: string; allOf?: object[] }): void {
  if (schema.format !== undefined) delete schema.pattern;
  schema.allOf?.forEach(withoutPattern);
}

/** References to definitions as references to components. */
function rewritten(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rewritten);
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, ...rest } = value as Record<string, unknown>;
  return {
    ...(typeof $ref === 'string' ? { $ref: $ref.replace('#/$defs/', COMPONENTS) } : {}),
    ...Object.fromEntries(Object.entries(rest).map(([name, part]) => [name, rewritten(part)])),
  };
}
