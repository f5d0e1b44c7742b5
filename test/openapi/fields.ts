/** The fields of requests that take texts, from the OpenAPI documents, and requests in which all other fields are valid. */
import { randomUUID } from 'node:crypto';
import { moduleDocuments } from './documents.ts';

/** The part of JSON Schema that the documents use, without references. */
interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly minimum?: number;
}

type Place = 'path' | 'query' | 'header' | 'body';

export interface Operation {
  readonly module: string;
  readonly method: string;
  readonly path: string;
  /** Undefined if every token opens it, or none is needed. */
  readonly permission: string | undefined;
  readonly isPublic: boolean;
  readonly isStream: boolean;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | undefined;
}

interface Parameter {
  readonly in: Place;
  readonly name: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

export interface TextField {
  readonly operation: Operation;
  readonly place: Place;
  /** Names from the outside to the inside. 0 stands for an item of a list. */
  readonly keys: readonly (string | 0)[];
  readonly schemas: readonly Schema[];
}

/** A value for a field of that name, instead of a made-up one. */
type KnownValue = (name: string) => unknown;

export async function operations(): Promise<readonly Operation[]> {
  const documents = await moduleDocuments();
  return documents.flatMap(({ module, document }) => {
    const { paths, components } = document as unknown as Document;
    const whole = (part: unknown) => inlined(part, components.schemas);
    return Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, described]): Operation => {
        const { parameters, requestBody, security, responses } = described;
        return {
          ...{ module, path, method: method.toUpperCase(), permission: described['x-permission'] },
          isPublic: security.length === 0,
          isStream: JSON.stringify(responses).includes('text/event-stream'),
          parameters: whole(parameters) as Operation['parameters'],
          body: whole(requestBody?.content['application/json']?.schema) as Schema | undefined,
        };
      }),
    );
  });
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

interface Described {
  readonly parameters: readonly unknown[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: unknown }>> };
  readonly security: readonly unknown[];
  readonly responses: unknown;
  readonly 'x-permission'?: string;
}

/** Replaces references to components by what they refer to. */
function inlined(part: unknown, components: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(part)) return part.map((one) => inlined(one, components));
  if (typeof part !== 'object' || part === null) return part;
  const { $ref, ...rest } = part as Record<string, unknown>;
  const referred = typeof $ref === 'string' ? (components[$ref.split('/').at(-1) ?? ''] as object) : {};
  return Object.fromEntries(
    Object.entries({ ...referred, ...rest }).map(([key, value]) => [key, inlined(value, components)]),
  );
}

/** Every field of an operation that takes a text. */
export function textFields(operation: Operation): readonly TextField[] {
  const found = new Map<string, TextField>();
  const add = (place: Place, keys: TextField['keys'], schema: Schema) => {
    const name = [place, ...keys].join('.');
    found.set(name, { operation, place, keys, schemas: [...(found.get(name)?.schemas ?? []), schema] });
  };
  const walk = (place: Place, keys: TextField['keys'], schema: Schema): void => {
    for (const one of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) walk(place, keys, one);
    for (const [name, property] of Object.entries(schema.properties ?? {})) walk(place, [...keys, name], property);
    if (schema.items) walk(place, [...keys, 0], schema.items);
    if (schema.type === 'string' || typeof schema.const === 'string') add(place, keys, schema);
  };
  for (const { in: place, name, schema } of operation.parameters) walk(place, [name], schema);
  if (operation.body) walk('body', [], operation.body);
  return [...found.values()];
}

/** Whether the document says that the field takes this text. */
export function takes({ schemas }: TextField, text: string): boolean {
  return schemas.some((schema) => {
    const { format, pattern, maxLength = Number.POSITIVE_INFINITY } = schema;
    if (format !== undefined || schema.enum || schema.const !== undefined || text.length > maxLength) return false;
    return pattern === undefined || new RegExp(pattern, 'u').test(text);
  });
}

/** The longest text that the field takes. */
export function longest({ schemas }: TextField): number | undefined {
  const lengths = schemas.flatMap(({ maxLength }) => maxLength ?? []);
  return lengths.length > 0 ? Math.max(...lengths) : undefined;
}

/** Optional fields without which a request is refused by a rule that the documents can't say. */
const ALWAYS = ['testIds', 'doctorId', 'unitPrice'];

/** A body with a text in one field, and with valid values in the other fields that it must have. */
export function bodyWith(
  schema: Schema,
  [key, ...inner]: TextField['keys'],
  text: string | undefined,
  known: KnownValue,
): unknown {
  if (key === undefined && text !== undefined) return text;
  const options = [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const list = options.find(({ items }) => items !== undefined);
  if (key === 0 && list?.items) return [bodyWith(list.items, inner, text, known)];
  const { properties = {}, required = [] } = options.find(({ properties: own }) => own && (!key || key in own)) ?? {};
  const demanded = schema.oneOf?.find((one) => one.required?.includes(String(key))) ?? schema.oneOf?.[0];
  // Of rules such as “a name, or that it is unknown”, the first way is the usual one.
  const ruled = schema.allOf?.flatMap(({ anyOf }) => anyOf?.[0]?.required ?? []) ?? [];
  const wanted = Object.keys(properties).filter((name) => key !== name && ALWAYS.includes(name));
  const names = new Set([
    ...required,
    ...ruled,
    ...wanted,
    ...(demanded?.required ?? []),
    ...(key ? [String(key)] : []),
  ]);
  return Object.fromEntries(
    [...names].map((name) => {
      const property = properties[name] ?? {};
      return [name, name === key ? bodyWith(property, inner, text, known) : sample(property, name, known)];
    }),
  );
}

/** The parameters that a query must have, with valid values. */
export function queryOf({ parameters }: Operation, known: KnownValue): Record<string, string> {
  const demanded = parameters.filter(({ in: place, required }) => place === 'query' && required);
  return Object.fromEntries(demanded.map(({ name, schema }) => [name, String(sample(schema, name, known))]));
}

/** A valid value. */
function sample(schema: Schema, name: string, known: KnownValue): unknown {
  // The name of a list of objects says nothing about the objects.
  const value =
    (schema.type === 'object' ? undefined : known(name)) ?? schema.default ?? schema.const ?? schema.enum?.[0];
  if (value !== undefined) return value;
  const [option] = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].filter(({ type }) => type !== 'null');
  if (option) return sample(option, name, known);
  switch (schema.type) {
    case 'object':
      return bodyWith(schema, [], undefined, known);
    case 'array':
      return [sample(schema.items ?? {}, name.replace(/s$/, ''), known)];
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1);
    case 'boolean':
      return false;
    default:
      return sampleText(schema);
  }
}

let samples = 0;

/** A text that fits, and that no other record has. */
function sampleText({ examples = [], format, pattern, maxLength = 100 }: Schema): unknown {
  if (examples[0] !== undefined) return examples[0];
  if (format === 'uuid') return randomUUID();
  if (format === 'date') return new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  if (format === 'date-time') return new Date(Date.now() + 3_600_000).toISOString();
  samples += 1;
  const candidates = [`Text ${samples}`.slice(0, maxLength), ...FITTING];
  return candidates.find((text) => pattern === undefined || new RegExp(pattern, 'u').test(text));
}

const FITTING = [
  '08:00',
  'INJECTED',
  'A1B2',
  '123456',
  'BCDFGHJK',
  '1-1',
  'e30.e30.AAAA',
  'IE',
  'A'.repeat(43),
  'a'.repeat(64),
];
