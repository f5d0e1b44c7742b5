/**
 * The state of one hospital in PostgreSQL, as facts that can be compared one by one: owners, privileges,
 * the definition of every part of the schema, and outside objects that depend on it.
 */
import { TENANT_ROLES } from '@hms/tenancy';
import type { Knex } from 'knex';
import { SHAPE_QUERY } from './shape-query.ts';

/** One fact. `kind`, `target`, `item` and `grantee` together identify it, and `value` is its content. */
export interface Fact {
  readonly kind: FactKind;
  /** The object that it belongs to, in SQL: `TABLE h_st_mary.patients`. */
  readonly target: string;
  /** The part of the target: a column, a constraint, a privilege. Empty for the target itself. */
  readonly item: string;
  /** Who has the privilege. Empty for other facts. */
  readonly grantee: string;
  readonly value: string;
}

/** Kinds of facts about privileges. */
export const ACCESS_KINDS = [
  'owner',
  'grant',
  'default privilege',
  'attribute',
  'setting',
  'membership',
  'grant outside the schema',
] as const;

/** Kinds of facts about the definition of the schema, and about outside objects that depend on it. */
export const STRUCTURE_KINDS = [
  'table',
  'view',
  'sequence',
  'type',
  'column',
  'constraint',
  'index',
  'function',
  'trigger',
  'constraint trigger',
  'rule',
  'policy',
  'row security',
  'other object',
  'object outside the schema',
  'publication',
  /** Settings of a table, column or index that change only speed and space. */
  'tuning',
] as const;

export type FactKind = (typeof ACCESS_KINDS)[number] | (typeof STRUCTURE_KINDS)[number];

/** A fact that is missing, unexpected or has another value. */
export interface Difference {
  readonly expected: Fact | undefined;
  readonly actual: Fact | undefined;
}

/** Placeholders of a hospital's names and id, so that the facts of two hospitals can be compared. */
const NAME = '{hospital}';
const ID = '{id}';

interface Named {
  readonly schema: string;
}

/**
 * Reads the facts of a hospital in one query. Its names and its id are replaced by placeholders.
 * @param roles the roles whose attributes, memberships and privileges elsewhere are facts too.
 */
export async function readShape(
  db: Knex,
  { schema, roles }: Named & { readonly roles: readonly string[] },
  hospitalId: string,
): Promise<readonly Fact[]> {
  const { rows } = await db.raw<{ rows: Fact[] }>(SHAPE_QUERY, [schema, [...roles], [...TENANT_ROLES]]);
  return withPlaceholders(rows, { schema }, hospitalId);
}

/** Replaces a hospital's name and id with placeholders. Its schema and its role have the same name. Pure. */
export function withPlaceholders(facts: readonly Fact[], { schema }: Named, hospitalId: string): readonly Fact[] {
  const name = new RegExp(`\\b${schema}\\b`, 'g');
  const replace = (text: string) => text.replaceAll(hospitalId, ID).replace(name, NAME);
  return facts.map((fact) => mapped(fact, replace));
}

/** Replaces the placeholders with a hospital's names and id. Pure. */
export function withNames(fact: Fact, { schema }: Named, hospitalId: string): Fact {
  return mapped(fact, (text) => text.replaceAll(ID, hospitalId).replaceAll(NAME, schema));
}

/** Compares facts. Pure. @returns the differences by kind, in the order in which they can be repaired. */
export function compareShapes(expected: readonly Fact[], actual: readonly Fact[]): readonly Difference[] {
  const found = new Map(actual.map((fact) => [keyOf(fact), fact]));
  const wanted = new Map(expected.map((fact) => [keyOf(fact), fact]));
  const differing = expected
    .map((fact) => ({ expected: fact, actual: found.get(keyOf(fact)) }))
    .filter((pair) => pair.actual?.value !== pair.expected.value);
  const added = actual
    .filter((fact) => !wanted.has(keyOf(fact)))
    .map((fact) => ({ expected: undefined, actual: fact }));
  return [...differing, ...added].sort((a, b) => orderOf(a) - orderOf(b) || (textOf(a) < textOf(b) ? -1 : 1));
}

/**
 * Facts without the privileges of unknown roles, which default privileges of the database could grant on a new schema
 * too. Pure.
 * @param known known roles, in addition to the hospital's own.
 */
export function withoutStrangers(facts: readonly Fact[], known: readonly string[]): readonly Fact[] {
  return facts.filter(
    ({ target, grantee }) =>
      ['', NAME, ...known].includes(grantee) || (grantee === 'PUBLIC' && /^(ROUTINE|TYPE) /.test(target)),
  );
}

const ORDER: readonly FactKind[] = [...ACCESS_KINDS, ...STRUCTURE_KINDS];

function orderOf({ expected, actual }: Difference): number {
  const fact = expected ?? actual;
  return fact ? ORDER.indexOf(fact.kind) : 0;
}

function textOf({ expected, actual }: Difference): string {
  const fact = expected ?? actual;
  return fact ? keyOf(fact) : '';
}

function keyOf({ kind, target, item, grantee }: Fact): string {
  return JSON.stringify([kind, target, item, grantee]);
}

function mapped({ kind, target, item, grantee, value }: Fact, map: (text: string) => string): Fact {
  return { kind, target: map(target), item: map(item), grantee: map(grantee), value: map(value) };
}
