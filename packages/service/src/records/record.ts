/**
 * A record is declared once, with the names of the API. Its columns have the same names in snake case. Schemas, SQL,
 * responses, sorting and filters derive from the declaration.
 */
import type { Hospital } from '@hms/database';
import type { Knex } from 'knex';
import { z } from 'zod';
import { type Constraints, declareConstraints } from '../database-errors.ts';
import type { ErrorKind } from '../errors.ts';
import * as fields from '../fields.ts';
import { type ListQuery, listQuery } from '../lists.ts';
import type { Precision } from '../search.ts';
import { bare, filterSchema, traitsOf } from './traits.ts';

type Shape = Readonly<Record<string, z.ZodType>>;

/** The columns that every record has, as shown. */
export interface Standard {
  readonly id: string;
  readonly hospitalId: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly version: number;
  /** Only on a deleted record. */
  readonly deletedAt?: string;
}

/** An optional field is shown as null when it is empty. */
type Shown<Value> = undefined extends Value ? Exclude<Value, undefined> | null : Value;
type ShownOf<Fields extends Shape> = { readonly [Name in keyof Fields]: Shown<z.output<Fields[Name]>> };
type Flat<T> = { [Name in keyof T]: T[Name] };

export type Item<Code extends string, Fields extends Shape, Set extends Shape, State extends string> = Flat<
  Standard & { readonly [Name in Code]: string } & ShownOf<Fields> &
    ShownOf<Set> & { readonly [Name in [State] extends [never] ? never : 'status']: State }
>;

/** The schema of changes: an absent field stays unchanged. */
type ChangesShape<Fields extends Shape> = {
  [Name in keyof Fields]: Fields[Name] extends z.ZodDefault<infer Inner extends z.ZodType>
    ? z.ZodOptional<Inner>
    : z.ZodOptional<Fields[Name]>;
};

interface CodeSpec<Field extends string> {
  readonly field: Field;
  /** Name of the counter. */
  readonly series: string;
  /** Before the number. A hospital may choose its own. */
  readonly letters: string | ((hospital: Hospital) => string);
}

export interface RecordSpec<Code extends string, Fields extends Shape, Set extends Shape, State extends string> {
  /** Singular, for messages and error codes: `patient` gives `PATIENT_NOT_FOUND`. */
  readonly name: string;
  /** Readable numbers such as `HSP-000123`: the field, the counter's series, and the letters. */
  readonly code?: CodeSpec<Code>;
  /** What clients write at creation and change later. */
  readonly fields: Fields;
  /** What the code writes. Clients only read it. */
  readonly set?: Set;
  /** The states of the column `status`, each with those that may follow it. The first is that of a new record. */
  readonly states?: { readonly [Name in State]: readonly NoInfer<State>[] };
  /** Fields that lists can be sorted by, in addition to `createdAt` and `updatedAt`. Each needs an index. */
  readonly sort?: readonly string[];
  /** Default `-createdAt`. */
  readonly defaultSort?: string;
  /** Fields that lists can be filtered by, exactly. */
  readonly filters?: readonly string[];
  /** Filters that are more than a comparison with a column. */
  readonly moreFilters?: Readonly<Record<string, Filter>>;
  /** Set if the table has the column `search`, which `search_text` generates. */
  readonly search?: {
    /** Field with a date of birth, which a search may contain. */
    readonly day?: string;
    /** Ids of further matches. */
    also?(text: string, precision: Precision): Knex.QueryBuilder;
  };
  /** The errors of the table's constraints, which a creation and a change can cause. */
  readonly constraints?: Constraints;
  /** Whether the audit log records reads too, as for everything about a person. Writes are always recorded. */
  readonly auditReads?: boolean;
  /** The field with the patient whose record it is, for the audit log. */
  readonly patient?: string;
  /** Whether changes are told to live lists. Each costs a notice of PostgreSQL at commit. */
  readonly live?: boolean;
  /** A condition in SQL: a row of the table that does not meet it is no record. Default: every row is one. */
  readonly only?: string;
}

interface Filter {
  readonly schema: z.ZodType;
  where(rows: Knex.QueryBuilder, value: unknown): void;
}

/** A column and how it is shown. */
export interface Column {
  readonly field: string;
  readonly column: string;
  readonly show: ((value: unknown) => unknown) | undefined;
  /** Table of the record whose id it has. */
  readonly refersTo: string | undefined;
  /** Version of the tenant schema that added it. */
  readonly since: number;
  /** Whether the code may give a value. The others are given by the statements. */
  readonly writable: boolean;
}

/** A declared record, with the types of its fields reduced to those of its values. */
export interface RecordDefinition<ItemType extends Standard = Standard, State extends string = string> {
  readonly table: string;
  readonly name: string;
  readonly code: CodeSpec<string> | undefined;
  readonly columns: readonly Column[];
  readonly states: { readonly [Name in State]: readonly State[] } | undefined;
  readonly filters: Readonly<Record<string, Filter>>;
  /** Those that compare a column. */
  readonly ownFilters: ReadonlySet<string>;
  /** Column of each sortable field. */
  readonly sort: Readonly<Record<string, string>>;
  readonly search: RecordSpec<string, Shape, Shape, string>['search'];
  readonly auditReads: boolean;
  readonly patient: string | undefined;
  readonly live: boolean;
  readonly only: string;
  readonly notFound: ErrorKind;
  /** Of a deletion while others refer to the record. */
  readonly inUse: ErrorKind;
  /** What the database refuses at a creation and at a change. */
  readonly refusals: readonly ErrorKind[];
  /** Schema of a response. */
  readonly item: z.ZodType<ItemType>;
}

/** The schemas of a record's routes. */
export interface RecordSchemas<Fields extends Shape> {
  /** Body of a creation. */
  readonly create: z.ZodObject<{ -readonly [Name in keyof Fields]: Fields[Name] }>;
  /** Body of a change. */
  readonly changes: z.ZodObject<ChangesShape<Fields> & { version: typeof fields.version }>;
  /** Query of a list. */
  readonly query: z.ZodType<RecordQuery>;
}

export interface RecordQuery extends ListQuery {
  readonly filters: Readonly<Record<string, unknown>>;
}

/** Declares a record. @param table its table, which also names it in the audit log. */
export function record<
  Fields extends Shape,
  const Code extends string = never,
  Set extends Shape = Record<never, never>,
  const State extends string = never,
>(
  table: string,
  spec: RecordSpec<Code, Fields, Set, State>,
): RecordDefinition<Item<Code, Fields, Set, State>, State> & RecordSchemas<Fields> {
  const {
    name,
    code,
    states,
    search,
    auditReads = false,
    patient,
    live = false,
    only = 'true',
    constraints = {},
  } = spec;
  declareConstraints(constraints);
  const own: Shape = { ...spec.set, ...spec.fields };
  const filters = filtersOf(spec, own);
  const prefix = columnName(name).replaceAll(' ', '_').toUpperCase();
  const sort = ['createdAt', 'updatedAt', ...(spec.sort ?? [])];
  return {
    table,
    name,
    code,
    columns: columnsOf(code?.field, own, states !== undefined),
    states,
    filters,
    ownFilters: new Set(Object.keys(filters).filter((field) => !(field in (spec.moreFilters ?? {})))),
    sort: Object.fromEntries(sort.map((field) => [field, columnName(field)])),
    search,
    auditReads,
    patient,
    live,
    only,
    notFound: { status: 404, code: `${prefix}_NOT_FOUND`, message: `No ${name} of this hospital has this id` },
    inUse: { status: 409, code: `${prefix}_IN_USE`, message: `This ${name} is used: change what uses it first` },
    refusals: [...new Set(Object.values(constraints))],
    item: itemSchema(spec, own) as unknown as z.ZodType<Item<Code, Fields, Set, State>>,
    create: z.object(spec.fields).meta({ id: `New${typeName(name)}` }) as unknown as RecordSchemas<Fields>['create'],
    changes: z
      .object({ ...mapShape(spec.fields, optional), version: fields.version })
      .meta({ id: `${typeName(name)}Changes` }) as unknown as RecordSchemas<Fields>['changes'],
    query: listQuery({
      sort,
      defaultSort: spec.defaultSort ?? '-createdAt',
      hasSearch: search !== undefined,
      filters: Object.fromEntries(Object.entries(filters).map(([field, { schema }]) => [field, schema])),
    }) as unknown as z.ZodType<RecordQuery>,
  };
}

/** Schema of a response with further fields. */
export function itemWith<ItemType extends Standard, More extends z.ZodRawShape>(
  { item }: Pick<RecordDefinition<ItemType>, 'item'>,
  more: More,
) {
  // An intersection of two schemas, each without further properties, would accept nothing in the OpenAPI document.
  return (item as unknown as z.ZodObject).extend(more) as unknown as z.ZodType<ItemType & z.output<z.ZodObject<More>>>;
}

/** `lab order` and `lab_orders` → `LabOrder` and `LabOrders` */
export function typeName(words: string): string {
  return words.replaceAll(/(?:^|[ _])([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** `dateOfBirth` → `date_of_birth` */
export function columnName(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function columnsOf(code: string | undefined, own: Shape, hasStates: boolean): readonly Column[] {
  const given = (field: string): Column => {
    return { field, column: columnName(field), show: undefined, refersTo: undefined, since: 0, writable: false };
  };
  const time = (field: string): Column => ({ ...given(field), show: (value) => (value as Date).toISOString() });
  return [
    ...['id', 'hospitalId', ...(code === undefined ? [] : [code])].map(given),
    ...Object.entries(own).map(([field, schema]): Column => {
      const { show, refersTo, since = 0 } = traitsOf(schema);
      return { ...given(field), show, refersTo, since, writable: true };
    }),
    ...(hasStates ? [{ ...given('status'), writable: true }] : []),
    ...[time('createdAt'), time('updatedAt'), given('version'), { ...time('deletedAt'), writable: true }],
  ];
}

function itemSchema({ name, code, states }: RecordSpec<string, Shape, Shape, string>, own: Shape): z.ZodType {
  const item = z.object({
    id: z.uuid(),
    hospitalId: z.uuid(),
    ...(code ? { [code.field]: z.string() } : {}),
    ...mapShape(own, shown),
    ...(states ? { status: z.enum(Object.keys(states)) } : {}),
    createdAt: fields.timestamp,
    updatedAt: fields.timestamp,
    version: z.int(),
    deletedAt: fields.timestamp.optional().describe(`Only on a deleted ${name}`),
  });
  return item.meta({ id: typeName(name) });
}

/** The schema of a field in responses. */
function shown(schema: z.ZodType): z.ZodType {
  const { shown: own, since } = traitsOf(schema);
  const base = own ?? bare(schema);
  const nullable = since !== undefined || schema.safeParse(null).success;
  const { description } = schema;
  const result = nullable ? base.nullable() : base;
  return description === undefined ? result : result.describe(description);
}

/** A default counts at creation only. */
function optional(schema: z.ZodType): z.ZodType {
  return (schema instanceof z.ZodDefault ? (schema.unwrap() as z.ZodType) : schema).optional();
}

function filtersOf(
  { code, states, filters = [], moreFilters = {} }: RecordSpec<string, Shape, Shape, string>,
  own: Shape,
): Readonly<Record<string, Filter>> {
  const known: Shape = { ...own, ...(states ? { status: z.enum(Object.keys(states)) } : {}) };
  const exact = filters.map((field): [string, Filter] => {
    if (field === code?.field) return [field, byCode(columnName(field))];
    const schema = known[field];
    if (!schema) throw new Error(`${field} is no field of the record`);
    return [field, byColumn(columnName(field), filterSchema(schema), traitsOf(schema).ignoresCase ?? false)];
  });
  return { ...Object.fromEntries(exact), ...moreFilters };
}

function byColumn(column: string, schema: z.ZodType, ignoresCase: boolean): Filter {
  return {
    schema,
    where: (rows, value) =>
      ignoresCase
        ? void rows.whereRaw('lower(??) = lower(?)', [column, value as string])
        : void rows.where(column, value as string),
  };
}

function byCode(column: string): Filter {
  return { schema: fields.line(40), where: (rows, value) => void rows.where(column, String(value).toUpperCase()) };
}

function mapShape(shape: Shape, change: (schema: z.ZodType) => z.ZodType): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(shape).map(([field, schema]) => [field, change(schema)]));
}
