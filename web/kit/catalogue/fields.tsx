/** The kinds of fields that a catalogue's record can have: each knows its input, its column, and what is sent. */
import { Checkbox } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { numberIn } from '../forms/numbers.ts';
import { Choice, Field, type RecordForm } from '../forms/record-form.tsx';
import { showDay } from '../time/time.ts';

/** The values of a form, by field. */
export type Values = Record<string, string | boolean>;

interface InputProps {
  readonly of: RecordForm<Values>;
  readonly label: string;
  readonly isReadOnly: boolean;
  readonly isFirst: boolean;
}

export interface CatalogueField<Name extends string = string> {
  readonly name: Name;
  readonly schema: z.ZodMiniType<string | boolean, string | boolean>;
  /** In the form of a new record. */
  readonly empty: string | boolean;
  /** Whether lists can be sorted by it. */
  readonly sortable: boolean;
  /** Whether lists have a column for it. */
  readonly inList: boolean;
  /** From the module's value to the form's. */
  fill(shown: unknown): string | boolean;
  /** From the form's value to the module's. */
  send(value: string | boolean): unknown;
  cell(shown: unknown): ReactNode;
  input(props: InputProps): ReactNode;
}

interface Options {
  readonly required?: boolean;
  readonly placeholder?: string;
  readonly sortable?: boolean;
  readonly inList?: boolean;
  /** In the form of a new record. */
  readonly initially?: string;
}

const schemaOf = (schema: z.ZodMiniType<string, string> | z.ZodMiniType<boolean, boolean>) =>
  schema as unknown as CatalogueField['schema'];

/** A line of text. @param longest in characters. */
export function text<Name extends string>(name: Name, longest: number, options: Options = {}): CatalogueField<Name> {
  const { required = false, placeholder, sortable = false, inList = true, initially = '' } = options;
  const trimmed = z.string().check(z.trim(), z.maxLength(longest, 'tooLong'));
  return {
    name,
    schema: schemaOf(required ? trimmed.check(z.minLength(1, 'required')) : trimmed),
    empty: initially,
    sortable,
    inList,
    fill: (shown) => String(shown ?? ''),
    send: (value) => (value === '' ? null : value),
    cell: (shown) => <bdi>{String(shown ?? '–')}</bdi>,
    input: ({ of, label, isReadOnly, isFirst }) => (
      <Field
        {...{ of, name, label, required, placeholder, readOnly: isReadOnly }}
        autoComplete="off"
        dir="auto"
        autoFocus={isFirst && !isReadOnly}
      />
    ),
  };
}

/** A whole number. @param placeholder what an empty field means, or an example. */
export function whole<Name extends string>(
  name: Name,
  [least, most]: readonly [number, number],
  { required = false, placeholder, inList = true, initially = '' }: Options = {},
): CatalogueField<Name> {
  const isFine = (value: string) =>
    value === '' ? !required : /^\d+$/.test(value) && +value >= least && +value <= most;
  return {
    ...text(name, 9, { inList, initially }),
    schema: schemaOf(z.string().check(z.trim(), z.refine(isFine, 'number'))),
    send: (value) => (value === '' ? null : Number(value)),
    cell: (shown) => <span className="hms-number">{String(shown ?? '–')}</span>,
    input: ({ of, label, isReadOnly }) => (
      <Field
        {...{ of, name, label, required, placeholder, readOnly: isReadOnly }}
        inputMode="numeric"
        autoComplete="off"
      />
    ),
  };
}

/** A rate, written in percent and kept in basis points: 12.5 % are 1250. An empty field is none. */
export function percent<Name extends string>(name: Name, { inList = true }: Options = {}): CatalogueField<Name> {
  const isFine = (value: string) => /^(\d{1,3}([.,]\d{1,2})?)?$/.test(value) && basisPoints(value) <= 10_000;
  return {
    ...text(name, 6, { inList }),
    schema: schemaOf(z.string().check(z.trim(), z.refine(isFine, 'percent'))),
    fill: (shown) => (shown === 0 ? '' : String(Number(shown) / 100)),
    send: (value) => basisPoints(String(value)),
    cell: (shown) => <span className="hms-number">{shown === 0 ? '–' : `${Number(shown) / 100} %`}</span>,
    input: ({ of, label, isReadOnly }) => (
      <Field
        {...{ of, name, label, readOnly: isReadOnly }}
        inputMode="decimal"
        autoComplete="off"
        placeholder="0"
        rightSection="%"
      />
    ),
  };
}

function basisPoints(percent: string): number {
  return Math.round(Number(percent.replace(',', '.')) * 100);
}

/** A calendar day. */
export function day<Name extends string>(name: Name, { inList = true }: Options = {}): CatalogueField<Name> {
  return {
    ...text(name, 10, { inList }),
    fill: (shown) => String(shown ?? '').slice(0, 10),
    cell: (shown) => (shown ? showDay(String(shown)) : '–'),
    input: ({ of, label, isReadOnly }) => <Field {...{ of, name, label, readOnly: isReadOnly }} type="date" />,
  };
}

/** Yes or no. */
export function flag<Name extends string>(name: Name, { inList = true, initially = true } = {}): CatalogueField<Name> {
  return {
    name,
    schema: schemaOf(z.boolean()),
    empty: initially,
    sortable: false,
    inList,
    fill: (shown) => shown === true,
    send: (value) => value,
    cell: (shown) => <YesNo value={shown === true} />,
    input: ({ of, label, isReadOnly }) => (
      <Checkbox {...of.form.register(name)} label={label} disabled={isReadOnly} style={{ alignSelf: 'end' }} />
    ),
  };
}

/** A record that can be chosen. */
interface Choosable {
  readonly id: string;
  readonly name: string;
  readonly status?: string;
}
type UseChoosable = () => readonly Choosable[];

/** Another record, or none. One that is out of use is not offered. @param useAll reads those that there are. */
export function choice<Name extends string>(
  name: Name,
  useAll: UseChoosable,
  { required = false, inList = true }: Options = {},
): CatalogueField<Name> {
  return {
    ...text(name, 36, { inList }),
    schema: schemaOf(required ? z.string().check(z.minLength(1, 'choose')) : z.string()),
    cell: (shown) => <NameOf id={shown} useAll={useAll} />,
    input: ({ of, label, isReadOnly }) => <Choices {...{ of, name, label, isReadOnly, required, useAll }} />,
  };
}

/** A number above zero, with at most three decimals. */
export function decimal<Name extends string>(name: Name, options: Options = {}): CatalogueField<Name> {
  const isFine = (value: string) => value === '' || (/^\d{1,6}(?:[.,]\d{1,3})?$/.test(value) && numberIn(value) > 0);
  return {
    ...text(name, 10, options),
    schema: schemaOf(z.string().check(z.trim(), z.refine(isFine, 'decimal'))),
    send: (value) => (value === '' ? null : numberIn(String(value))),
  };
}

/** Several short texts, written with commas between them. @param longest of each, in characters. */
export function texts<Name extends string>(name: Name, longest: number, options: Options = {}): CatalogueField<Name> {
  const parts = (value: string) => value.split(/[,،]/).flatMap((one) => one.trim() || []);
  const line = text(name, 2000, options);
  const isShort = (value: string) => parts(value).every((one) => one.length <= longest);
  const isGiven = (value: string) => !options.required || parts(value).length > 0;
  return {
    ...line,
    schema: schemaOf(z.string().check(z.trim(), z.refine(isGiven, 'required'), z.refine(isShort, 'tooLong'))),
    fill: (shown) => (Array.isArray(shown) ? shown.join(', ') : ''),
    send: (value) => parts(String(value)),
    cell: (shown) => <bdi>{Array.isArray(shown) && shown.length > 0 ? shown.join(', ') : '–'}</bdi>,
  };
}

interface ChoicesProps extends Omit<InputProps, 'isFirst'> {
  readonly name: string;
  readonly required: boolean;
  readonly useAll: UseChoosable;
}

function Choices({ of, name, isReadOnly, useAll, ...input }: ChoicesProps) {
  const chosen = of.form.watch(name);
  const offered = useAll().filter(({ id, status }) => status !== 'inactive' || id === chosen);
  return (
    <Choice
      {...{ of, name, readOnly: isReadOnly, ...input }}
      data={offered.map((one) => ({ value: one.id, label: one.name }))}
    />
  );
}

function NameOf({ id, useAll }: { readonly id: unknown; readonly useAll: UseChoosable }) {
  return <bdi>{useAll().find((one) => one.id === id)?.name ?? '–'}</bdi>;
}

function YesNo({ value }: { readonly value: boolean }) {
  const { t } = useTranslation();
  return t(value ? 'catalogue.yes' : 'catalogue.no');
}
