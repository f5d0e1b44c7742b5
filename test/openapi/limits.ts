/** The limits of the fields of new records, which forms check before they send anything. */
import type { ModuleDocument } from './documents.ts';

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly default?: unknown;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
}

/** The source of each schema `New…` of a document, by its name. */
export function limitsOf(document: ModuleDocument['document']): ReadonlyMap<string, string> {
  const { schemas } = document.components as { readonly schemas: Readonly<Record<string, Schema>> };
  const records = Object.entries(schemas).filter(([name, { properties }]) => name.startsWith('New') && properties);
  const filters = filtersIn(document.paths as Paths);
  return new Map(records.map(([name, schema]) => [name, sourceOf(name, schema, filters.get(name) ?? [])]));
}

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** The parameters of each list, by the schema of a new one of what it lists. */
function filtersIn(paths: Paths): ReadonlyMap<string, readonly string[]> {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  return new Map(
    operations.flatMap(({ operationId, parameters = [] }) => {
      const [, listed] = /^list(\w+)s$/.exec(operationId) ?? [];
      return listed === undefined ? [] : [[`New${listed}`, parameters.map(({ name }) => name)]];
    }),
  );
}

function sourceOf(name: string, { properties = {}, required = [] }: Schema, filters: readonly string[]): string {
  const lines = Object.entries(properties).map(([field, schema]) => {
    const limits = {
      ...(required.includes(field) ? { required: true } : {}),
      ...(filters.includes(field) ? { isFilter: true } : {}),
      ...limitsIn(schema),
    };
    return `  ${field}: ${JSON.stringify(limits)},`;
  });
  return ['/** Limits of the fields. Generated. */', `export const ${name} = {`, ...lines, '} as const;', ''].join(
    '\n',
  );
}

function limitsIn(schema: Schema): object {
  const { enum: choices, maxLength: longest, minimum: least, maximum: most, default: initially } = schema;
  const pattern = schema.pattern !== undefined && !isUsual(schema.pattern) ? schema.pattern : undefined;
  const inner = schema.anyOf?.find(({ type }) => type !== 'null') ?? schema.items;
  const own = { longest, pattern, least, most, choices, initially, ...partsOf(schema) };
  return {
    ...(inner ? limitsIn(inner) : {}),
    ...Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined)),
  };
}

/** The limits of what is in an object. */
function partsOf({ properties, required = [] }: Schema): object {
  if (!properties) return {};
  const parts = Object.entries(properties).map(([name, schema]) => {
    return [name, { ...(required.includes(name) ? { required: true } : {}), ...limitsIn(schema) }];
  });
  return { parts: Object.fromEntries(parts) };
}

/** Whether it only says what a line of text is, or a day. */
function isUsual(pattern: string): boolean {
  return pattern.startsWith(LINE) || pattern.includes('-02-29');
}

const LINE = String.raw`^[^\S\x1C-\x1F\x85]*[^\s\x00-\x1F\x7F-\x9F](?:[^\x00-\x1F\x7F-\x9F]*`;
