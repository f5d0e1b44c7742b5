import { pretty } from '../schema/pretty.ts';
import type { FieldErrors, RecordErrors } from '../schema/validate.ts';

/** A refusal of the Admin API, with Kong's HTTP status and body. */
export class AdminError extends Error {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;

  constructor(status: number, body: Readonly<Record<string, unknown>>) {
    super(String(body.message));
    this.status = status;
    this.body = body;
  }
}

export const notFound = (): AdminError => new AdminError(404, { message: 'Not found' });
export const methodNotAllowed = (): AdminError => new AdminError(405, { message: 'Method not allowed' });
export const badRequest = (message: string): AdminError => new AdminError(400, { message });

export function schemaViolation(fields: RecordErrors): AdminError {
  const entity = Array.isArray(fields['@entity']) ? fields['@entity'].map(String) : [];
  const own = Object.keys(fields)
    .filter((name) => name !== '@entity')
    .sort()
    .flatMap((name) => describe(name, fields[name] as FieldErrors));
  return coded(400, 2, 'schema violation', counted('schema violation', [...entity, ...own]), fields);
}

export function primaryKeyViolation(id: string): AdminError {
  return coded(400, 3, 'primary key violation', `primary key violation on key '${pretty({ id })}'`, { id });
}

export function invalidReference(field: string, id: string, parent: string): AdminError {
  const message = `the foreign key '${pretty({ id })}' does not reference an existing '${parent}' entity.`;
  return coded(400, 4, 'foreign key violation', message, { [field]: { id } });
}

export function stillReferenced(parent: string, child: string): AdminError {
  const message = `an existing '${child}' entity references this '${parent}' entity`;
  return coded(400, 4, 'foreign key violation', message, { '@referenced_by': child });
}

/** @param child the kind and the id of a row that lists the id */
export function stillListed(parent: string, id: string, child: string, childId: string): AdminError {
  const noun = parent.replaceAll('_', ' ').replace(/s$/, '');
  const message = `${noun} ${id} is still referenced by ${child} (id = ${childId})`;
  return new AdminError(400, { code: 19, name: 'referenced by others', message });
}

export function uniqueViolation(key: Readonly<Record<string, unknown>>): AdminError {
  return coded(409, 5, 'unique constraint violation', `UNIQUE violation detected on '${pretty(key)}'`, key);
}

/** `key` is `{id}` or the unique field of the lookup. */
export function entityNotFound(key: Readonly<Record<string, unknown>>): AdminError {
  const kind = 'id' in key ? 'the entity with primary key' : 'the entity with';
  return coded(404, 6, 'not found', `could not find ${kind} '${pretty(key)}'`, key);
}

export function invalidOffset(offset: string, reason = 'bad base64 encoding'): AdminError {
  const message = `'${offset}' is not a valid offset: ${reason}`;
  return new AdminError(400, { code: 7, name: 'invalid offset', message });
}

export function invalidSize(message: string): AdminError {
  return new AdminError(400, { code: 9, name: 'invalid size', message });
}

export function invalidOption(option: string, error: string): AdminError {
  const message = `invalid option (${option}: ${error})`;
  return new AdminError(400, { code: 11, name: 'invalid options', message, options: { [option]: error } });
}

export function foreignKeyUnresolved(field: string, key: string, value: string, parent: string): AdminError {
  const error = `the foreign key cannot be resolved with '${pretty({ [key]: value })}' for an existing '${parent}' entity`;
  const message = `foreign key unresolved (${field}.${key}: ${error})`;
  return coded(400, 13, 'foreign keys unresolved', message, { [field]: { [key]: error } });
}

function coded(status: number, code: number, name: string, message: string, fields: object): AdminError {
  return new AdminError(status, { code, name, message, fields });
}

function counted(name: string, parts: string[]): string {
  return parts.length === 1 ? `${name} (${parts[0]})` : `${parts.length} ${name}s (${parts.join('; ')})`;
}

/** One level is written as `field.part: message`, deeper levels as Lua tables. */
function describe(name: string, errors: FieldErrors): string[] {
  if (typeof errors === 'string') return [`${name}: ${errors}`];
  const parts = Array.isArray(errors)
    ? errors.flatMap((error, index) => (error === null ? [] : [[String(index + 1), error] as const]))
    : Object.entries(errors).sort(([a], [b]) => (a < b ? -1 : 1));
  return parts.map(([part, error]) => `${name}.${part}: ${typeof error === 'string' ? error : pretty(error, true)}`);
}
