/** The SQL of a record. Texts are built once for each version of the schema and each set of written fields. */
import { quote } from '@hms/database';
import { type Column, columnName, type RecordDefinition } from './record.ts';

export interface Statements {
  /** Columns that this version of the schema has. */
  readonly columns: readonly Column[];
  readonly find: string;
  readonly lock: string;
  readonly byIds: string;
  /** Parameters: id, user, then the values of the fields, then the letters of the code if the record has one. */
  insert(fields: readonly string[]): string;
  /** Parameters: id, user, then the values of the fields. That of `deletedAt` is whether the record is deleted. */
  update(fields: readonly string[]): string;
}

const cache = new WeakMap<RecordDefinition, Map<number, Statements>>();

/** @param schemaVersion version of the hospital's schema. */
export function statementsOf(record: RecordDefinition, schemaVersion: number): Statements {
  const versions = cache.get(record) ?? new Map<number, Statements>();
  cache.set(record, versions);
  const known = versions.get(schemaVersion);
  if (known) return known;
  const created = createStatements(record, schemaVersion);
  versions.set(schemaVersion, created);
  return created;
}

function createStatements(record: RecordDefinition, schemaVersion: number): Statements {
  const { code } = record;
  const columns = record.columns.filter(({ since }) => since <= schemaVersion);
  const table = quote(record.table);
  const list = columns.map(({ column }) => quote(column)).join(', ');
  const find = `SELECT ${list} FROM ${table} WHERE id = $1 AND ${record.only}`;
  const names = (fields: readonly string[]) => fields.map((field) => quote(columnName(field)));

  return {
    columns,
    find,
    lock: `${find} FOR UPDATE`,
    byIds: `SELECT ${list} FROM ${table} WHERE id = ANY($1) AND ${record.only}`,
    insert: remembered((fields) => {
      const into = [
        'id',
        'created_by',
        'updated_by',
        ...names(fields),
        ...(code ? [quote(columnName(code.field))] : []),
      ];
      const values = [
        '$1',
        '$2',
        '$2',
        ...fields.map((_, index) => `$${index + 3}`),
        ...(code ? [CODE(`$${fields.length + 3}`)] : []),
      ];
      return `${code ? NUMBER(code.series) : ''}INSERT INTO ${table} (${into.join(', ')}) VALUES (${values.join(', ')}) RETURNING ${list}`;
    }),
    update: remembered((fields) => {
      const set = [
        ...fields.map((field, index) => `${quote(columnName(field))} = ${assigned(field, `$${index + 3}`)}`),
        ...['updated_at = moment()', 'updated_by = $2', 'version = version + 1'],
      ];
      return `UPDATE ${table} SET ${set.join(', ')} WHERE id = $1 RETURNING ${list}`;
    }),
  };
}

/** All times of a record are PostgreSQL's: the clocks of the modules may differ from it. */
const assigned = (field: string, parameter: string) =>
  field === 'deletedAt' ? `CASE WHEN ${parameter} THEN moment() END` : parameter;

/**
 * Takes the next number of a series in the statement that uses it, so that others wait for it as briefly as possible.
 * They wait until the transaction ends, and a number of a transaction that is rolled back is reused: there are no
 * duplicates and no gaps.
 */
const NUMBER = (series: string) =>
  `WITH number AS (INSERT INTO counters (series, value) VALUES ('${series}', 1)
   ON CONFLICT (series, period) DO UPDATE SET value = counters.value + 1 RETURNING value::text) `;
/** At least six digits. */
const CODE = (letters: string) =>
  `(SELECT ${letters}::text || '-' || lpad(value, greatest(6, length(value)), '0') FROM number)`;

/** Fields come from declarations, in their order, so there are few combinations. */
function remembered(make: (fields: readonly string[]) => string): (fields: readonly string[]) => string {
  const texts = new Map<string, string>();
  return (fields) => {
    const key = fields.join();
    const known = texts.get(key);
    if (known !== undefined) return known;
    const text = make(fields);
    texts.set(key, text);
    return text;
  };
}
