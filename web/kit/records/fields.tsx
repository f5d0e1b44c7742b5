/**
 * The kinds of fields that a plain record can have: each knows its column, its filter, and what is sent. Their inputs are
 * in a file of their own, because a list does not need them.
 */
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { choiceIn, type Limit, textIn, wholeIn } from '../forms/limits.ts';
import { numberIn, westernDigits } from '../forms/numbers.ts';
import type { RecordForm } from '../forms/record-form.tsx';
import { locale, wordOf } from '../i18n/i18n.ts';
import { FilterSelect } from '../lists/filter-select.tsx';
import { Amount } from '../money/money.tsx';
import { Phone } from '../phones/phone.tsx';
import { phoneIn } from '../phones/phone-limit.ts';
import { showDay } from '../time/time.ts';
import { isDay } from '../time/typed-day.ts';

/** The values of a form, by field. */
export type Values = Record<string, string | boolean>;

export type Limits<Name extends string = string> = Readonly<Record<Name, Limit>>;

export interface InputProps {
  readonly of: RecordForm<Values>;
  readonly label: string;
  readonly help: string | undefined;
  readonly isFirst: boolean;
}

export interface FilterProps {
  readonly label: string;
  readonly value: string | undefined;
  onChange(value: string | undefined): void;
}

export interface RecordField {
  readonly name: string;
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
  /** In the record. Default: as in lists. */
  read?(shown: unknown): ReactNode;
  /** Which input it has. */
  readonly kind: 'text' | 'whole' | 'percent' | 'day' | 'money' | 'phone' | 'flag' | 'choice';
  readonly required: boolean;
  /** An example. */
  readonly placeholder?: string | undefined;
  /** The word with a sentence below its label. */
  readonly help?: string | undefined;
  /** Another field: either both are filled in, or none. */
  readonly together?: string | undefined;
  /** What a choice offers. */
  readonly useAll?: UseChoosable;
  /** An input of its own, in place of the kind's. */
  input?(props: InputProps): ReactNode;
  /** Narrows the list to one value. Undefined if the list can't do that, or there are too many values. */
  filter?(props: FilterProps): ReactNode;
}

interface Options {
  /** An example. */
  readonly placeholder?: string;
  /** The word of the record with a sentence that helps to fill it in. */
  readonly help?: string;
  /** Another field: either both are filled in, or none. Each of them names the other. */
  readonly together?: string;
  readonly sortable?: boolean;
  readonly inList?: boolean;
}

/** A record that can be chosen. */
interface Choosable {
  readonly id: string;
  readonly name: string;
  readonly status?: string;
}
export type UseChoosable = () => readonly Choosable[];

/** The kinds. Each takes the name of a field and, if need be, how it is shown. */
export interface Fields<Name extends string = string> {
  /** A line of text. */
  text(name: Name, options?: Options): RecordField;
  /** Several short texts, written with commas between them. */
  texts(name: Name, options?: Options): RecordField;
  /** A whole number. */
  whole(name: Name, options?: Options): RecordField;
  /** A number above zero, with at most three decimals. */
  decimal(name: Name, options?: Options): RecordField;
  /** A rate, written in percent and kept in basis points: 12.5 % are 1250. An empty field is none. */
  percent(name: Name, options?: Options): RecordField;
  /** A calendar day. */
  day(name: Name, options?: Options): RecordField;
  /** An amount in the currency of the hospital. */
  money(name: Name, options?: Options): RecordField;
  /** A phone number. */
  phone(name: Name, options?: Options): RecordField;
  /** Yes or no. */
  flag(name: Name, options?: Options): RecordField;
  /** One of the values that the API's document lists. Each has a word, such as `severityChoices.mild`. */
  oneOf(name: Name, options?: Options): RecordField;
  /** Another record. What is out of use is not offered. @param useAll those that there are. */
  choice(name: Name, useAll: UseChoosable, options?: Options): RecordField;
}

const schemaFor = (schema: z.ZodMiniType<string, string> | z.ZodMiniType<boolean, boolean>) =>
  schema as unknown as RecordField['schema'];
const line = () => z.string().check(z.trim());
/** A number, in the digits of any script. */
const digits = () => line().check(z.overwrite(westernDigits));

/** The kinds for the fields of one record. @param record the group of its words. */
export function fieldsWith<Name extends string>(record: string, limits: Limits<Name>): Fields<Name> {
  const of = (name: Name): Limit => limits[name];
  const text: Fields<Name>['text'] = (name, options = {}) => {
    const { placeholder, help, together, sortable = false, inList = true } = options;
    const { required = false, initially } = of(name);
    return {
      name,
      schema: schemaFor(textIn(of(name))),
      empty: initially === undefined ? '' : String(initially),
      sortable,
      inList,
      fill: (shown) => String(shown ?? ''),
      send: (value) => (value === '' ? null : value),
      cell: (shown) => <bdi>{String(shown ?? '–')}</bdi>,
      kind: 'text',
      required,
      placeholder,
      help,
      together,
    };
  };
  const choice: Fields<Name>['choice'] = (name, useAll, options) => {
    const { required = false, isFilter = false } = of(name);
    return {
      ...text(name, options),
      ...(isFilter ? { filter: (props) => <ChoiceFilter {...props} useAll={useAll} /> } : {}),
      schema: schemaFor(required ? z.string().check(z.minLength(1, 'choose')) : z.string()),
      cell: (shown) => <NameOf id={shown} useAll={useAll} />,
      kind: 'choice',
      useAll,
    };
  };
  return {
    text,

    texts(name, options) {
      const { required = false, longest = Number.POSITIVE_INFINITY } = of(name);
      const parts = (value: string) => value.split(/[,،]/).flatMap((one) => one.trim() || []);
      const isShort = (value: string) => parts(value).every((one) => [...one].length <= longest);
      const isGiven = (value: string) => !required || parts(value).length > 0;
      return {
        ...text(name, options),
        schema: schemaFor(line().check(z.refine(isGiven, 'required'), z.refine(isShort, 'tooLong'))),
        empty: '',
        fill: (shown) => (Array.isArray(shown) ? shown.join(', ') : ''),
        send: (value) => parts(String(value)),
        cell: (shown) => <bdi>{Array.isArray(shown) && shown.length > 0 ? shown.join(', ') : '–'}</bdi>,
      };
    },

    whole(name, options) {
      const { required = false, initially } = of(name);
      // A field that has a value without being asked for is never empty.
      const isNeeded = required || initially !== undefined;
      return {
        ...text(name, options),
        schema: schemaFor(wholeIn({ ...of(name), required: isNeeded })),
        send: (value) => (value === '' ? null : Number(value)),
        cell: (shown) => <span className="hms-number">{String(shown ?? '–')}</span>,
        kind: 'whole',
        required: isNeeded,
      };
    },

    decimal(name, options) {
      const { required = false, most = Number.POSITIVE_INFINITY } = of(name);
      const isFine = (value: string) =>
        value === '' ? !required : numberIn(value, locale()) > 0 && numberIn(value, locale()) <= most;
      return {
        ...text(name, options),
        schema: schemaFor(digits().check(z.refine(isFine, 'decimal'))),
        send: (value) => (value === '' ? null : numberIn(String(value), locale())),
      };
    },

    percent(name, options) {
      const { most = 10_000 } = of(name);
      const isFine = (value: string) => /^(\d{1,3}([.,]\d{1,2})?)?$/.test(value) && basisPoints(value) <= most;
      return {
        ...text(name, options),
        schema: schemaFor(digits().check(z.refine(isFine, 'percent'))),
        empty: '',
        fill: (shown) => (shown === 0 ? '' : String(Number(shown) / 100)),
        send: (value) => basisPoints(String(value)),
        cell: (shown) => <span className="hms-number">{shown === 0 ? '–' : `${Number(shown) / 100} %`}</span>,
        kind: 'percent',
        required: false,
      };
    },

    day(name, options) {
      const { required = false } = of(name);
      return {
        ...text(name, options),
        schema: schemaFor(line().check(z.refine((value) => (value === '' ? !required : isDay(value)), 'day'))),
        fill: (shown) => String(shown ?? '').slice(0, 10),
        cell: (shown) => (shown ? showDay(String(shown)) : '–'),
        kind: 'day',
      };
    },

    money(name, options) {
      const { required = false } = of(name);
      // The input gives whole units, or what was typed.
      const isFine = (value: string) => (value === '' ? !required : /^\d{1,15}$/.test(value));
      return {
        ...text(name, options),
        schema: schemaFor(line().check(z.refine(isFine, 'money'))),
        send: (value) => (value === '' ? null : Number(value)),
        cell: (shown) => (shown === null || shown === undefined ? '–' : <Amount of={Number(shown)} />),
        kind: 'money',
      };
    },

    phone(name, options) {
      return {
        ...text(name, options),
        schema: schemaFor(phoneIn(of(name))),
        cell: (shown) => (shown ? <Phone kept={String(shown)} /> : '–'),
        kind: 'phone',
      };
    },

    flag: (name, { help, inList = true } = {}) => ({
      name,
      help,
      schema: schemaFor(z.boolean()),
      empty: of(name).initially === true,
      sortable: false,
      inList,
      fill: (shown) => shown === true,
      send: (value) => value,
      ...(of(name).isFilter ? { filter: FlagFilter } : {}),
      cell: (shown) => <YesNo value={shown === true} />,
      kind: 'flag',
      required: false,
    }),

    oneOf(name, options) {
      const { choices = [], required = false } = of(name);
      const all = () => choices.map((id) => ({ id, name: wordOf(`${record}.${name}Choices.${id}`) ?? id }));
      return {
        ...choice(name, all, options),
        schema: schemaFor(choiceIn({ required, choices })),
      };
    },

    choice,
  };
}

function basisPoints(percent: string): number {
  return Math.round(Number(percent.replace(',', '.')) * 100);
}

function ChoiceFilter({ useAll, ...filter }: FilterProps & { readonly useAll: UseChoosable }) {
  return <FilterSelect {...filter} data={useAll().map((one) => ({ value: one.id, label: one.name }))} />;
}

function FlagFilter(filter: FilterProps) {
  const { t } = useTranslation();
  return (
    <FilterSelect
      {...filter}
      data={[
        { value: 'true', label: t('records.yes') },
        { value: 'false', label: t('records.no') },
      ]}
    />
  );
}

function NameOf({ id, useAll }: { readonly id: unknown; readonly useAll: UseChoosable }) {
  return <bdi>{useAll().find((one) => one.id === id)?.name ?? '–'}</bdi>;
}

function YesNo({ value }: { readonly value: boolean }) {
  const { t } = useTranslation();
  return t(value ? 'records.yes' : 'records.no');
}
