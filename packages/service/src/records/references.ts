/**
 * References between records. Fields with `ref()` lead to a record that exists and is in use, and a record to which
 * others refer is not deleted. PostgreSQL's foreign keys say which tables refer to which.
 */
import { type ErrorKind, type FieldProblem, invalidFields, Problem } from '../errors.ts';
import { id } from '../fields.ts';
import type { Work } from '../work.ts';
import type { Column, RecordDefinition } from './record.ts';
import { ownTraits, withTraits } from './traits.ts';

export const INVALID_REFERENCE: ErrorKind = {
  status: 422,
  code: 'INVALID_REFERENCE',
  message: 'A field has the id of a record that is not there, or not in use',
};

/** A field with the id of another record of the hospital. @param table of that record. */
export function ref(table: string): typeof id {
  return withTraits(id.clone(), { ...ownTraits(id), refersTo: table });
}

type Values = Readonly<Record<string, unknown>>;

interface Reference {
  readonly field: string;
  readonly refersTo: string;
  readonly id: unknown;
}

/** The references among values to be written. @param before the record before a change: what it has already can stay. */
export function referencesIn(columns: readonly Column[], values: Values, before: Values = {}): readonly Reference[] {
  return columns.flatMap(({ field, refersTo }) => {
    const id = values[field] ?? null;
    return refersTo === undefined || id === null || id === before[field] ? [] : [{ field, refersTo, id }];
  });
}

/**
 * Holds the records to which references lead: none of them is deleted or put out of use until the transaction ends.
 * @throws Problem INVALID_REFERENCE with the fields.
 */
export async function hold({ trx }: Work, references: readonly Reference[]): Promise<void> {
  const problems: FieldProblem[] = [];
  for (const { field, refersTo, id: value } of references) {
    const [found] = await trx.query<{ status: string | null }>(held(refersTo), [value]);
    const words = refersTo.replaceAll('_', ' ');
    if (!found) problems.push({ field, in: 'body', message: `is not the id of one of the ${words}` });
    else if (found.status === 'inactive')
      problems.push({ field, in: 'body', message: `is the id of one of the ${words} that is not in use` });
  }
  if (problems.length > 0) throw invalidFields(problems, INVALID_REFERENCE);
}

/** Only some tables have the column. */
function held(table: string): string {
  return `SELECT to_jsonb(${table}) ->> 'status' AS status FROM ${table} WHERE id = $1 AND deleted_at IS NULL FOR SHARE`;
}

/** By table, whether it uses the record. */
export type Users = Readonly<Record<string, (work: Work, id: string) => Promise<boolean>>>;

/**
 * Refuses to delete a locked record that others use: those of each table with a foreign key that are not deleted.
 * @param users in place of this rule for their tables, or for tables without a foreign key.
 * @throws Problem <NAME>_IN_USE, whose `details.usedBy` names the tables.
 */
export async function demandUnused(
  work: Work,
  { table, name, states = {}, inUse }: Pick<RecordDefinition, 'table' | 'name' | 'states' | 'inUse'>,
  id: string,
  users: Users = {},
): Promise<void> {
  const referring = await work.trx.query<Referring>(REFERRING, [table]);
  const others = referring.filter((other) => !Object.hasOwn(users, other.table));
  const usedBy = new Set<string>();
  for (const other of others) {
    const rows = await work.trx.query(
      `SELECT FROM ${other.table} WHERE ${other.column} = $1 AND deleted_at IS NULL LIMIT 1`,
      [id],
    );
    if (rows.length > 0) usedBy.add(other.table);
  }
  for (const [other, uses] of Object.entries(users)) if (await uses(work, id)) usedBy.add(other);
  if (usedBy.size === 0) return;
  const tables = [...usedBy].sort();
  const names = tables.map((other) => other.replaceAll('_', ' '));
  const listed = new Intl.ListFormat('en', { type: 'conjunction' }).format(names);
  const instead = 'inactive' in states ? `, or put the ${name} out of use` : '';
  const message = `This ${name} is used by ${listed}: change those first${instead}`;
  throw new Problem(inUse, { message, details: { usedBy: tables } });
}

interface Referring {
  readonly table: string;
  readonly column: string;
}

/** Columns of foreign keys to a table's ids, in tables of records. Others have no deletion of their own. */
const REFERRING = `
  SELECT DISTINCT referring.relname AS table, own.attname AS column
  FROM pg_constraint key
  JOIN pg_class referring ON referring.oid = key.conrelid
  CROSS JOIN LATERAL unnest(key.conkey, key.confkey) AS pair (own, other)
  JOIN pg_attribute own ON own.attrelid = key.conrelid AND own.attnum = pair.own
  JOIN pg_attribute other ON other.attrelid = key.confrelid AND other.attnum = pair.other
  WHERE key.contype = 'f' AND key.confrelid = to_regclass($1) AND other.attname = 'id'
    AND EXISTS (SELECT FROM pg_attribute WHERE attrelid = key.conrelid AND attname = 'deleted_at' AND NOT attisdropped)
  ORDER BY 1, 2`;
