/**
 * A plain record is listed, searched, created, changed and deleted, and nothing else, such as a clinic. A page declares
 * its fields. The list, the form of a new record and the record's page derive from that. The API's document gives the
 * limits of the fields, and the operations.
 */
import { OPERATIONS } from '@hms/api-client/operations';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { api, dataOf, envelopeOf, type Schemas } from '../api/api.ts';
import type { AllWords } from '../i18n/all-words.ts';
import type { Operation } from '../roles/can.tsx';
import { type Fields, fieldsWith, type Limits, type RecordField, type Values } from './fields.tsx';

/** Names of the API's types that have the usual five operations. */
export type RecordType = {
  [Type in keyof Schemas & string]: `New${Type}` extends keyof Schemas
    ? `create${Type}` | `change${Type}` | `read${Type}` | `list${Type}s` extends Operation
      ? Type
      : never
    : never;
}[keyof Schemas & string];

/** What every record has. */
export interface Item {
  readonly id: string;
  readonly version: number;
  readonly status?: string;
}

/** Words that each record has, beside one for each field. */
type Word = 'new' | 'search' | 'empty' | 'confirm';
/** Groups of words with these, and with a title in the menu. */
export type RecordName = {
  [Name in keyof AllWords & keyof AllWords['menu']]: AllWords[Name] extends { [Each in Word]: string } ? Name : never;
}[keyof AllWords & keyof AllWords['menu']];

interface Declaration<Name extends RecordName, Type extends RecordType> {
  /** The group of its words, and the path of its pages. */
  readonly name: Name;
  readonly type: Type;
  /** Of its resource. */
  readonly path: `/api/${string}`;
  /** Of the fields of a new record: `@hms/api-client/limits/…`. */
  readonly limits: Limits<keyof Schemas[`New${Type}` & keyof Schemas] & string>;
  /** The first one names the record, and links to it. */
  fields(
    kinds: Fields<keyof Schemas[Type] & keyof Schemas[`New${Type}` & keyof Schemas] & keyof AllWords[Name] & string>,
  ): readonly RecordField[];
  /** Default: its field `name`. */
  nameOf?(row: Schemas[Type]): string;
  /** Whether its list has a search. Default: yes. */
  readonly isSearched?: boolean;
}

/** What the pages of a record derive from. */
export interface PlainRecord {
  readonly name: RecordName;
  readonly fields: readonly RecordField[];
  readonly operations: {
    readonly create: Operation;
    readonly change: Operation;
    /** Undefined if records are never deleted. */
    readonly remove: Operation | undefined;
    /** Of records that can be out of use for some time. */
    readonly activate: Operation | undefined;
    /** Of records that also come from a file, on a page of their own. */
    readonly import: Operation | undefined;
  };
  /** The path of the stream of changes, if it has one. */
  readonly changes: string | undefined;
  readonly isSearched: boolean;
  nameOf(row: Item): string;
  list(query: object, signal: AbortSignal): Promise<Page>;
  read(id: string, signal: AbortSignal): Promise<Item>;
  /** @param key makes the request safe to repeat. */
  create(body: object, key: string): Promise<Item>;
  change(id: string, changes: object): Promise<Item>;
  remove(id: string): Promise<unknown>;
  setActive(id: string, isActive: boolean): Promise<Item>;
}

interface Page {
  readonly data: readonly Item[];
  readonly meta: { readonly total: number };
}

/** The declaration's types say that these paths and bodies exist. */
const client = api as unknown as {
  readonly [Method in 'GET' | 'POST' | 'PUT' | 'DELETE']: (
    path: string,
    options: object,
  ) => Promise<{ readonly data?: { readonly data: never }; readonly error?: unknown; readonly response: Response }>;
};

export function plainRecord<const Name extends RecordName, const Type extends RecordType>({
  name,
  type,
  path,
  limits,
  fields,
  nameOf = (row) => (row as { readonly name: string }).name,
  isSearched = true,
}: Declaration<Name, Type>): PlainRecord {
  const one = (id: string) => ({ params: { path: { id } } });
  const operation = (verb: string) => (verb + type) as Operation;
  const known = (verb: string, ending = '') =>
    verb + type + ending in OPERATIONS ? ((verb + type + ending) as Operation) : undefined;
  return {
    name,
    fields: fields(fieldsWith(name, limits as Limits) as never),
    operations: {
      create: operation('create'),
      change: operation('change'),
      remove: known('delete'),
      activate: known('activate'),
      import: known('import', 's'),
    },
    isSearched,
    changes: `follow${type}s` in OPERATIONS ? `${path}/changes` : undefined,
    nameOf: (row) => nameOf(row as never),
    list: (query, signal) => envelopeOf(client.GET(path, { params: { query }, signal })) as unknown as Promise<Page>,
    read: (id, signal) => dataOf(client.GET(`${path}/{id}`, { ...one(id), signal })),
    create: (body, key) => dataOf(client.POST(path, { params: { header: { 'Idempotency-Key': key } }, body })),
    change: (id, body) => dataOf(client.PUT(`${path}/{id}`, { ...one(id), body })),
    remove: (id) => dataOf(client.DELETE(`${path}/{id}`, one(id))),
    setActive: (id, isActive) => dataOf(client.POST(`${path}/{id}/${isActive ? 'activate' : 'deactivate'}`, one(id))),
  };
}

export interface Of {
  readonly of: PlainRecord;
}

/** The words of one record, which has those of its declared fields. */
export function useWords(name: RecordName) {
  const { t } = useTranslation();
  const say = (word: string, values: object = {}) =>
    (t as (key: string, values: object) => string)(`${name}.${word}`, values);
  return Object.assign(say, { title: t(`menu.${name}`) });
}

/** The addresses of all records are alike, so one of them stands for their types. */
export function pathsOf(name: RecordName) {
  return {
    list: `/${name}` as '/clinics',
    create: `/${name}/new` as '/clinics/new',
    record: `/${name}/$id` as '/clinics/$id',
    import: `/${name}/import` as '/interactions/import',
  };
}

export function schemaOf(fields: readonly RecordField[]) {
  const shape = Object.fromEntries(fields.map(({ name, schema }) => [name, schema]));
  const rules = fields.map(({ name, together }) =>
    z.refine<Values>((values) => together === undefined || values[name] !== '' || values[together] === '', {
      path: [name],
      error: 'together',
    }),
  );
  return z.object(shape).check(...rules);
}

export function valuesOf(fields: readonly RecordField[], item: object): Values {
  return Object.fromEntries(fields.map(({ name, fill }) => [name, fill(item[name as keyof object])]));
}

export function bodyOf(fields: readonly RecordField[], values: Values): Readonly<Record<string, unknown>> {
  return Object.fromEntries(fields.map(({ name, send }) => [name, send(values[name] ?? '')]));
}
