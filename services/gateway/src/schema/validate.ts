import type {
  EntityCheck,
  Field,
  Fields,
  ListField,
  MapField,
  NumberField,
  RecordField,
  StringField,
} from './field.ts';

/** The errors of a field: a message, or the errors of its parts. */
export type FieldErrors = string | (FieldErrors | null)[] | { [field: string]: FieldErrors };
export type RecordErrors = Record<string, FieldErrors>;
export type Data = Readonly<Record<string, unknown>>;

export interface Checked<T> {
  readonly value: T;
  readonly errors: FieldErrors | undefined;
}

/**
 * Completes a record with its defaults and validates it with its rules over several fields.
 * `errors` has Kong's shape: messages by field, nested like the fields, with `@entity` for rules over several fields.
 */
export function validateEntity(
  fields: Fields,
  checks: readonly EntityCheck[],
  input: Data,
): { value: Record<string, unknown>; errors: RecordErrors | undefined } {
  const { value, errors } = validateRecord({ type: 'record', fields }, input);
  const allErrors: RecordErrors = { ...(errors as RecordErrors | undefined) };
  const entityErrors: string[] = [];
  for (const check of checks) applyCheck(check, value, allErrors, entityErrors);
  if (entityErrors.length > 0) allErrors['@entity'] = entityErrors;
  return { value, errors: Object.keys(allErrors).length > 0 ? allErrors : undefined };
}

/** Completes one field's value with its defaults and validates it. */
export function validateField(field: Field, input: unknown): Checked<unknown> {
  const value = input === undefined || (input === null && field.required) ? defaultOf(field) : input;
  if (value === null || value === undefined) {
    return { value: null, errors: field.required ? 'required field missing' : undefined };
  }
  if (field.never !== undefined) return { value, errors: field.never };
  const checked = validateType(field, value);
  if (checked.errors !== undefined) return checked;
  const error = field.check?.(checked.value as never);
  return error === undefined ? checked : { value: checked.value, errors: error };
}

/**
 * Moves shorthand fields to the fields that they stand for. A shorthand that can't be moved stays in place and gets an
 * error: it has the wrong type, or another value than the field itself. As in Kong, a field that is false counts as
 * unset.
 */
export function expandShorthands(fields: Fields, sent: Data): { input: Data; errors: RecordErrors } {
  const errors: RecordErrors = {};
  let input = sent;
  for (const [name, field, path] of shorthandsOf(fields)) {
    if (!Object.hasOwn(sent, name)) continue;
    const { [name]: value, ...rest } = input;
    const own = valueAt(rest, path) ?? null;
    const error = validateType(field, value).errors;
    if (value !== null && error !== undefined) errors[name] = error;
    else if (value !== null && own !== null && own !== false && own !== value) {
      errors[name] =
        `both deprecated and new field are used but their values mismatch: ${name} = ${value} vs ${path} = ${typeof own === 'object' ? JSON.stringify(own) : own}`;
    } else input = own === null ? withValueAt(rest, path.split('.'), value) : rest;
  }
  return { input, errors };
}

/** The shorthand fields, each with its field and the path that it stands for. */
export function shorthandsOf(fields: Fields): (readonly [name: string, field: Field, path: string])[] {
  return Object.entries(fields).flatMap(([name, field]) =>
    field.standsFor === undefined ? [] : [[name, field, field.standsFor] as const],
  );
}

/** The value at a path such as `config.minute`. */
function valueAt(entity: unknown, path: string): unknown {
  let value = entity;
  for (const part of path.split('.')) {
    if (value === null || typeof value !== 'object') return undefined;
    value = Object.hasOwn(value, part) ? (value as Data)[part] : undefined;
  }
  return value;
}

export function isRecord(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function defaultOf(field: Field): unknown {
  if (field.default !== undefined) return structuredClone(field.default);
  return field.type === 'record' && field.required ? {} : null;
}

function validateType(field: Field, value: unknown): Checked<unknown> {
  switch (field.type) {
    case 'string':
      return { value, errors: stringError(field, value) };
    case 'integer':
    case 'number':
      return { value, errors: numberError(field, value) };
    case 'boolean':
      return { value, errors: typeof value === 'boolean' ? undefined : 'expected a boolean' };
    case 'array':
    case 'set':
      return validateList(field, value);
    case 'map':
      return validateMap(field, value);
    case 'record':
      return isRecord(value) ? validateRecord(field, value) : { value, errors: 'expected a record' };
    case 'foreign':
      return validateForeign(value);
  }
}

function stringError(field: StringField, value: unknown): string | undefined {
  if (typeof value !== 'string') return 'expected a string';
  if (field.oneOf && !field.oneOf.includes(value)) return `expected one of: ${field.oneOf.join(', ')}`;
  if (field.uuid && !UUID.test(value)) return 'expected a valid UUID';
  const lenMin = field.lenMin ?? 1;
  if (value.length < lenMin) return `length must be at least ${lenMin}`;
  if (field.startsWith && !value.startsWith(field.startsWith)) return `should start with: ${field.startsWith}`;
  return undefined;
}

function numberError(field: NumberField, value: unknown): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    return `expected ${field.type === 'integer' ? 'an integer' : 'a number'}`;
  }
  if (field.type === 'integer' && !Number.isInteger(value)) return 'expected an integer';
  if (field.oneOf && !field.oneOf.includes(value)) return `expected one of: ${field.oneOf.join(', ')}`;
  if (field.gt !== undefined && value <= field.gt) return `value must be greater than ${field.gt}`;
  if (field.between && (value < field.between[0] || value > field.between[1])) {
    return `value should be between ${field.between[0]} and ${field.between[1]}`;
  }
  return undefined;
}

function validateList(field: ListField, input: unknown): Checked<unknown> {
  // Lua has one empty table, so Kong takes {} for an empty list.
  const list = isRecord(input) && Object.keys(input).length === 0 ? [] : input;
  if (!Array.isArray(list))
    return { value: input, errors: field.type === 'set' ? 'expected a set' : 'expected an array' };
  const checked = list.map((element) => validateField(field.elements, element));
  const values = checked.map(({ value }) => value);
  const value = field.type === 'set' ? [...new Set(values)] : values;
  const lastWrong = checked.findLastIndex(({ errors }) => errors !== undefined);
  if (lastWrong >= 0) return { value, errors: checked.slice(0, lastWrong + 1).map(({ errors }) => errors ?? null) };
  const lenMin = field.lenMin ?? 0;
  return { value, errors: value.length < lenMin ? `length must be at least ${lenMin}` : undefined };
}

function validateMap(field: MapField, input: unknown): Checked<unknown> {
  const map = Array.isArray(input) && input.length === 0 ? {} : input;
  if (!isRecord(map)) return { value: input, errors: 'expected a map' };
  const entries = Object.entries(map).map(([key, element]) => ({
    key,
    wrongKey: validateField(field.keys, key).errors,
    checked: validateField(field.values, element),
  }));
  const value = Object.fromEntries(entries.map(({ key, checked }) => [key, checked.value]));
  const wrongKey = entries.find((entry) => entry.wrongKey !== undefined)?.wrongKey;
  if (wrongKey !== undefined) return { value, errors: wrongKey };
  const invalid = entries.flatMap(({ key, checked }) =>
    checked.errors === undefined ? [] : [[key, checked.errors] as const],
  );
  return { value, errors: invalid.length > 0 ? Object.fromEntries(invalid) : undefined };
}

function validateRecord(record: RecordField, sent: Data): Checked<Record<string, unknown>> {
  const value: Record<string, unknown> = {};
  const { input, errors } = expandShorthands(record.fields, sent);
  for (const name in record.fields) {
    const field = record.fields[name] as Field;
    if (field.standsFor !== undefined) continue;
    const checked = validateField(field, Object.hasOwn(input, name) ? input[name] : undefined);
    value[name] = checked.value;
    if (checked.errors !== undefined) errors[name] = checked.errors;
  }
  for (const [name, , path] of shorthandsOf(record.fields)) value[name] = valueAt(value, path) ?? null;
  const unknown = Object.keys(input).filter((name) => !Object.hasOwn(record.fields, name));
  const allErrors = { ...errors, ...Object.fromEntries(unknown.map((name) => [name, 'unknown field'])) };
  return { value, errors: Object.keys(allErrors).length > 0 ? allErrors : undefined };
}

/** A record with the value set at a path, if every parent on the path is a record. */
function withValueAt(record: Data, [name = '', ...rest]: readonly string[], value: unknown): Data {
  if (rest.length === 0) return { ...record, [name]: value };
  const inner = record[name] ?? {};
  return isRecord(inner) ? { ...record, [name]: withValueAt(inner, rest, value) } : record;
}

function validateForeign(sent: unknown): Checked<unknown> {
  // Lua has one empty table, so Kong takes [] for an empty record.
  const value = Array.isArray(sent) && sent.length === 0 ? {} : sent;
  if (!isRecord(value)) return { value, errors: 'expected a record' };
  if (value.id === undefined || value.id === null) return { value, errors: { id: 'missing primary key' } };
  if (typeof value.id !== 'string') return { value, errors: { id: 'expected a string' } };
  // Clients such as decK send more than the key; only the key is kept.
  return { value: { id: value.id }, errors: UUID.test(value.id) ? undefined : { id: 'expected a valid UUID' } };
}

function applyCheck(check: EntityCheck, entity: Data, errors: RecordErrors, entityErrors: string[]): void {
  if ('atLeastOneOf' in check) {
    if (!check.atLeastOneOf.some((name) => isSet(valueAt(entity, name)))) {
      entityErrors.push(`at least one of these fields must be non-empty: ${quoted(check.atLeastOneOf)}`);
    }
  } else if ('onlyOneOf' in check) {
    if (check.onlyOneOf.filter((name) => isSet(valueAt(entity, name))).length !== 1) {
      entityErrors.push(`only one of these fields must be non-empty: ${quoted(check.onlyOneOf)}`);
    }
  } else if ('distinct' in check) {
    const values = check.distinct.map((name) => valueAt(entity, name)).filter(isSet);
    if (new Set(values).size < values.length) {
      entityErrors.push(`values of these fields must be distinct: ${quoted(check.distinct)}`);
    }
  } else if ('custom' in check) {
    const error = check.custom(entity);
    if (error !== undefined) entityErrors.push(error);
  } else if (check.ifMatch(valueAt(entity, check.ifField))) {
    const error = check.thenMatch(valueAt(entity, check.thenField));
    if (error === undefined) return;
    entityErrors.push(`failed conditional validation given value of field '${check.ifField}'`);
    setError(errors, check.thenField.split('.'), error);
  }
}

function setError(errors: RecordErrors, path: string[], error: string): void {
  const [head = '', ...rest] = path;
  if (rest.length === 0) {
    errors[head] ??= error;
    return;
  }
  errors[head] ??= {};
  const inner = errors[head];
  if (isRecord(inner)) setError(inner as RecordErrors, rest, error);
}

function isSet(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(', ');
}

/** Kong takes lower-case UUIDs for ids and anything else for a name. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
