/**
 * What PostgreSQL has of one hospital, as plain facts that can be compared one by one: who owns what, who may do what,
 * how every part of the schema is defined, and what hangs on it from outside.
 */
import { APP_ROLE, type HospitalNames } from '@hms/tenancy';
import type { Knex } from 'knex';
import { SHAPE_QUERY } from './shape-query.ts';

/** One fact. `kind`, `target`, `item` and `grantee` together say what it is about, and `value` what holds. */
export interface Fact {
  readonly kind: FactKind;
  /** What it belongs to, as SQL names it: `TABLE h_st_mary.patients`. */
  readonly target: string;
  /** The part of the target: a column, a constraint, a right. Empty for the target itself. */
  readonly item: string;
  /** Who has the right; empty where the fact is about no right. */
  readonly grantee: string;
  readonly value: string;
}

/** Kinds of facts about who may do what. */
export const ACCESS_KINDS = [
  'owner',
  'grant',
  'default privilege',
  'attribute',
  'setting',
  'membership',
  'grant outside the schema',
] as const;

/** Kinds of facts about how the schema is defined, and about what hangs on it. */
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
] as const;

export type FactKind = (typeof ACCESS_KINDS)[number] | (typeof STRUCTURE_KINDS)[number];

/** A fact that is missing, is there and should not be, or has another value. */
export interface Difference {
  readonly expected: Fact | undefined;
  readonly actual: Fact | undefined;
}

/** Takes the place of a hospital's names and id, so that the facts of two hospitals can be compared. */
const NAME = '{hospital}';
const ID = '{id}';

/** Reads the facts of a hospital in one query. Its names and its id are replaced by placeholders. */
export async function readShape(db: Knex, names: HospitalNames, hospitalId: string): Promise<readonly Fact[]> {
  const { rows } = await db.raw<{ rows: Fact[] }>(SHAPE_QUERY, [names.schema, names.role, APP_ROLE]);
  return withPlaceholders(rows, names, hospitalId);
}

/** Puts placeholders in the place of a hospital's name and id: its schema and its role have one name. Pure. */
export function withPlaceholders(
  facts: readonly Fact[],
  { schema }: HospitalNames,
  hospitalId: string,
): readonly Fact[] {
  const name = new RegExp(`\\b${schema}\\b`, 'g');
  const replace = (text: string) => text.replaceAll(hospitalId, ID).replace(name, NAME);
  return facts.map((fact) => mapped(fact, replace));
}

/** Puts a hospital's names and id back. Pure. */
export function withNames(fact: Fact, { schema }: HospitalNames, hospitalId: string): Fact {
  return mapped(fact, (text) => text.replaceAll(ID, hospitalId).replaceAll(NAME, schema));
}

/** Compares facts. Pure. @returns the differences by kind, in the order in which they can be put right. */
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
 * Facts without the rights of strangers: default privileges of the database could give them to a new schema, too. Pure.
 * @param known roles that are no strangers, besides the hospital's own.
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
