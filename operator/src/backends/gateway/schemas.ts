/**
 * What a field has that nobody sets, by the schemas that the gateway itself publishes: so an entity is compared whole,
 * and a newer Kong, whose entities have more fields, brings its own defaults along.
 */
import type { Collection, Entity } from './entities.ts';

/** A field as `/schemas/…` describes it. */
export interface SchemaField {
  readonly type?: string;
  readonly default?: unknown;
  /** Given by the gateway when it is not sent. */
  readonly auto?: boolean;
  readonly fields?: readonly Readonly<Record<string, SchemaField>>[];
  readonly elements?: SchemaField;
}

/** Fields of one kind of entity, or of one plugin. */
export type Schema = Readonly<Record<string, SchemaField>>;

/** Schemas by collection; those of plugins also by `plugins/<name>`. A kind without one is compared as far as it is set. */
export type Schemas = ReadonlyMap<string, Schema>;

/** Names of the schemas, where they differ from the collection's. */
const SCHEMA_NAMES: Partial<Record<Collection, string>> = { jwts: 'jwt_secrets' };
/** Written by the gateway alone. */
const STAMPS: ReadonlySet<string> = new Set(['id', 'created_at', 'updated_at', 'cache_key', 'ws_id']);

/** Paths below `/schemas/` that are needed to compare the entities. Pure. */
export function schemaPaths(entities: readonly Entity[]): readonly string[] {
  const paths = entities.flatMap(({ collection, body }) =>
    collection === 'plugins' ? ['plugins', pluginPath(body.name)] : [SCHEMA_NAMES[collection] ?? collection],
  );
  return [...new Set(paths)];
}

/** Fields from the answer of `/schemas/…`. Pure. */
export function schemaOf(answer: unknown): Schema {
  const { fields = [] } = answer as Pick<SchemaField, 'fields'>;
  return Object.assign({}, ...fields);
}

/**
 * Tells in which fields an entity differs from what was sent for it: a field that is not set must have its default.
 * Pure. @returns undefined when the gateway has published no schema of that kind.
 */
export function wholeDifferences(
  { collection, body, parent }: Entity,
  found: Readonly<Record<string, unknown>>,
  schemas: Schemas,
): string[] | undefined {
  const sent: Entity['body'] = parent
    ? { ...body, [collection === 'targets' ? 'upstream' : 'consumer']: { id: parent } }
    : body;
  const base = schemas.get(SCHEMA_NAMES[collection] ?? collection);
  if (!base) return undefined;
  const schema = collection === 'plugins' ? { ...base, ...schemas.get(pluginPath(body.name)) } : base;
  return Object.entries(schema)
    .filter(([name, field]) => !STAMPS.has(name) && !(field.auto && sent[name] === undefined))
    .flatMap(([name, field]) => fieldDifferences(field, sent[name], found[name], name));
}

function fieldDifferences(field: SchemaField, wanted: unknown, actual: unknown, path: string): string[] {
  if (field.type === 'record' && field.fields) {
    const defaults = recordOf(field.default);
    const [sent, got] = [
      { ...defaults, ...recordOf(wanted) },
      { ...defaults, ...recordOf(actual) },
    ];
    return Object.entries(schemaOf(field)).flatMap(([name, inner]) =>
      fieldDifferences(inner, sent[name], got[name], `${path}.${name}`),
    );
  }
  const expected = wanted ?? field.default ?? null;
  // A record that nobody fills in is shown as null or with its defaults.
  const seen = actual ?? field.default ?? null;
  return canonical(expected) === canonical(seen) ? [] : [path];
}

function pluginPath(name: unknown): string {
  return `plugins/${String(name)}`;
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

/** One text for equal values: lists are sets, empty ones are none, and a reference is its id. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'null' : `[${value.map(canonical).sort().join()}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, item]) => item !== null && item !== undefined);
    return entries.length === 0
      ? 'null'
      : `{${entries
          .map(([name, item]) => `${JSON.stringify(name)}:${canonical(item)}`)
          .sort()
          .join()}}`;
  }
  return JSON.stringify(value ?? null);
}
