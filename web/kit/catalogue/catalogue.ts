/**
 * A catalogue is a list of plain records, such as clinics: they are searched, created, changed and deleted, and nothing
 * else. A page declares the fields and the operations. The list, the form of a new record and the record's page derive
 * from that.
 */
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import type { AllWords } from '../i18n/all-words.ts';
import type { listQuery } from '../lists/list-search.ts';
import type { Operation } from '../roles/can.tsx';
import type { CatalogueField, Values } from './fields.tsx';

/** What every record of a catalogue has. */
export interface Item {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly status?: 'active' | 'inactive';
}

/** Words that each catalogue has, beside one for each field. */
type Word = 'new' | 'search' | 'empty' | 'confirm';
/** Groups of words with these, and with a title in the menu. */
export type CatalogueName = {
  [Name in keyof AllWords & keyof AllWords['menu']]: AllWords[Name] extends { [Each in Word]: string } ? Name : never;
}[keyof AllWords & keyof AllWords['menu']];

/** What the pages of a record are derived from. */
export interface Catalogue<Name extends CatalogueName, Row extends Item, Body> {
  /** The group of its words, and the path of its pages. */
  readonly name: Name;
  /** The first one names the record, and links to it. */
  readonly fields: readonly CatalogueField<keyof Row & keyof AllWords[Name] & string>[];
  readonly operations: {
    readonly create: Operation;
    readonly change: Operation;
    readonly remove: Operation;
    /** Of records that can be out of use for some time. */
    readonly activate?: Operation;
  };
  /** The path of the stream of changes. */
  readonly changes: string;
  list(query: ReturnType<typeof listQuery>, signal: AbortSignal): Promise<Page<Row>>;
  read(id: string, signal: AbortSignal): Promise<Row>;
  /** @param key makes the request safe to repeat. */
  create(body: Body, key: string): Promise<Row>;
  change(id: string, changes: Partial<Body> & { readonly version: number }): Promise<Row>;
  remove(id: string): Promise<unknown>;
  setActive?(id: string, isActive: boolean): Promise<Row>;
}

interface Page<Row> {
  readonly data: readonly Row[];
  readonly meta: { readonly total: number };
}

export interface Of<Name extends CatalogueName, Row extends Item, Body> {
  readonly of: Catalogue<Name, Row, Body>;
}

/** The words of one catalogue, which has those of its declared fields. */
export function useWords(name: CatalogueName) {
  const { t } = useTranslation();
  const say = (word: string, values: object = {}) =>
    (t as (key: string, values: object) => string)(`${name}.${word}`, values);
  return Object.assign(say, { title: t(`menu.${name}`) });
}

/** The addresses of all catalogues are alike, so one of them stands for their types. */
export function pathsOf(name: CatalogueName) {
  // labPanels is at /lab-panels.
  const path = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return {
    list: `/${path}` as '/clinics',
    create: `/${path}/new` as '/clinics/new',
    record: `/${path}/$id` as '/clinics/$id',
  };
}

export function schemaOf(fields: readonly CatalogueField[]) {
  return z.object(Object.fromEntries(fields.map(({ name, schema }) => [name, schema])));
}

export function valuesOf(fields: readonly CatalogueField[], item: object): Values {
  return Object.fromEntries(fields.map(({ name, fill }) => [name, fill(item[name as keyof object])]));
}

/** Each field's name is one of the body's, as its type demands. */
export function bodyOf<Body>(fields: readonly CatalogueField[], values: Values): Body {
  return Object.fromEntries(fields.map(({ name, send }) => [name, send(values[name] ?? '')])) as Body;
}
