/**
 * The language in which entities and plugin configurations are declared: plain data in the terms of Kong's schemas, so
 * that validation, defaults, the typing of forms and the published schemas all come from one declaration.
 */
interface Common {
  readonly required?: true;
  /** Made by the gateway when it is not sent: ids, timestamps, keys. */
  readonly auto?: true;
  readonly default?: unknown;
  /** The field may not be set at all, as the consumer of a jwt plugin; what is said where it is. */
  readonly never?: string;
  /**
   * The field of the same record that this is another name of, as `redis.host`: taken in calls, shown in answers. Where
   * both are sent they must say the same.
   */
  readonly standsFor?: string;
  /** Shown with the schema, for clients that know how to leave a name behind. */
  readonly deprecation?: object;
  /** Answers with what is wrong with the value, or with nothing. */
  readonly check?: (value: never) => string | undefined;
}

export interface StringField extends Common {
  readonly type: 'string';
  readonly oneOf?: readonly string[];
  readonly uuid?: true;
  /** The kind whose ids these are; one that is listed can't be deleted. That it is there is not asked for. */
  readonly lists?: string;
  readonly lenMin?: number;
  readonly startsWith?: string;
  readonly unique?: true;
}

export interface NumberField extends Common {
  readonly type: 'integer' | 'number';
  readonly oneOf?: readonly number[];
  readonly between?: readonly [number, number];
  readonly gt?: number;
}

export interface BooleanField extends Common {
  readonly type: 'boolean';
}

export interface ListField extends Common {
  readonly type: 'array' | 'set';
  readonly elements: Field;
  readonly lenMin?: number;
}

export interface MapField extends Common {
  readonly type: 'map';
  readonly keys: StringField;
  readonly values: Field;
}

export interface RecordField extends Common {
  readonly type: 'record';
  readonly fields: Fields;
}

export interface ForeignField extends Common {
  readonly type: 'foreign';
  readonly reference: string;
  readonly onDelete?: 'cascade';
}

export type Field = StringField | NumberField | BooleanField | ListField | MapField | RecordField | ForeignField;
export type Fields = Readonly<Record<string, Field>>;

/** Rules over several fields; their names may be paths such as `config.minute`. */
export type EntityCheck =
  | { readonly atLeastOneOf: readonly string[] }
  | { readonly onlyOneOf: readonly string[] }
  /** Fields that may not have the same value where they are set. */
  | { readonly distinct: readonly string[] }
  | {
      readonly ifField: string;
      readonly ifMatch: (value: unknown) => boolean;
      readonly thenField: string;
      /** Answers with what is wrong with the value, or with nothing. */
      readonly thenMatch: (value: unknown) => string | undefined;
    }
  | { readonly custom: (entity: Readonly<Record<string, unknown>>) => string | undefined };

type Present<F> = F extends { required: true } | { auto: true } ? true : false;

/** The value that a validated field holds; null where nothing forces it to be there. */
export type Value<F> = F extends { type: 'string'; oneOf: readonly (infer O)[] }
  ? O
  : F extends { type: 'string' }
    ? string
    : F extends { type: 'integer' | 'number' }
      ? number
      : F extends { type: 'boolean' }
        ? boolean
        : F extends { type: 'array' | 'set'; elements: infer E }
          ? Value<E>[]
          : F extends { type: 'map'; values: infer V }
            ? Record<string, Value<V>>
            : F extends { type: 'record'; fields: infer R }
              ? Row<R>
              : F extends { type: 'foreign' }
                ? { id: string }
                : never;

export type Row<R> = { [K in keyof R]: Present<R[K]> extends true ? Value<R[K]> : Value<R[K]> | null };
