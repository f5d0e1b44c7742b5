import type { Field, RecordField } from './field.ts';
import { isRecord } from './validate.ts';

type Tree = string | Tree[] | { [key: string]: Tree };

/**
 * Nests form fields by their names: `config.minute=5`, `paths[]=/a`, `paths[1]=/a`, `headers[x-foo][]=v`.
 * A repeated name becomes a list. Values stay text: `typed` gives them the schema's types.
 */
export function nestForm(pairs: Iterable<readonly [string, string]>): Record<string, unknown> {
  const root: { [key: string]: Tree } = Object.create(null);
  for (const [name, value] of pairs) put(root, keysOf(name), value);
  return Object.fromEntries(Object.entries(root).map(([key, tree]) => [key, lists(tree)]));
}

/** Converts the texts of a form to the types of the schema. Text that does not fit stays text and fails validation. */
function typed(field: Field | undefined, value: unknown): unknown {
  if (value === '') return null;
  switch (field?.type) {
    case 'integer':
    case 'number':
      return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value;
    case 'boolean':
      return value === 'true' ? true : value === 'false' ? false : value;
    case 'array':
    case 'set':
      return (Array.isArray(value) ? value : [value]).map((element) => typed(field.elements, element));
    case 'map':
      return isRecord(value) ? mapValues(value, (_key, element) => typed(field.values, element)) : value;
    case 'record':
      return typedRecord(field, value);
    case 'foreign':
      return isRecord(value) ? mapValues(value, (_key, element) => typed(undefined, element)) : value;
    default:
      return value;
  }
}

/** As `typed`, for all fields of a record. */
export function typedRecord(record: RecordField, value: unknown): unknown {
  return isRecord(value) ? mapValues(value, (key, element) => typed(record.fields[key], element)) : value;
}

function mapValues(
  value: Readonly<Record<string, unknown>>,
  change: (key: string, element: unknown) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([key, element]) => [key, change(key, element)]));
}

/** `headers[x-foo][]` is `['headers', 'x-foo', '']`; the empty key appends. */
function keysOf(name: string): string[] {
  if (name.length > MAX_NAME) return [name];
  const bracket = name.indexOf('[');
  const plain = (bracket < 0 ? name : name.slice(0, bracket)).split('.');
  if (bracket < 0) return plain;
  const rest = [...name.slice(bracket).matchAll(/\[([^\]]*)\]|\.([^.[]+)/g)].map((match) => match[1] ?? match[2] ?? '');
  return [...plain, ...rest];
}

function put(node: { [key: string]: Tree }, keys: string[], value: string): void {
  const [first = '', ...rest] = keys;
  const key = first === '' ? String(Object.keys(node).length + 1) : first;
  const present = node[key];
  if (rest.length === 0) {
    node[key] = present === undefined ? value : Array.isArray(present) ? [...present, value] : [present, value];
    return;
  }
  const inner = typeof present === 'object' && !Array.isArray(present) ? present : Object.create(null);
  node[key] = inner;
  put(inner, rest, value);
}

function lists(tree: Tree): unknown {
  if (typeof tree === 'string') return tree;
  if (Array.isArray(tree)) return tree.map(lists);
  const keys = Object.keys(tree);
  if (keys.length > 0 && keys.every((key) => /^\d+$/.test(key))) {
    return keys.sort((a, b) => Number(a) - Number(b)).map((key) => lists(tree[key] as Tree));
  }
  return Object.fromEntries(keys.map((key) => [key, lists(tree[key] as Tree)]));
}

/** Deeper names stay flat and are refused as unknown fields, because nesting is recursive. */
const MAX_NAME = 1000;
