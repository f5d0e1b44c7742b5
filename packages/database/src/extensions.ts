/** The extensions of PostgreSQL that migrations use, in a schema of their own. */

/**
 * Everybody may use this schema, and only the operator may create in it. It is not on the search path of hospitals'
 * transactions: statements name it, as in `extensions.similarity(a, b)` and `extensions.gin_trgm_ops`.
 */
export const EXTENSIONS_SCHEMA = 'extensions';
export const EXTENSIONS = ['pg_trgm', 'btree_gist'] as const;

/**
 * Statements that create them, and change nothing that exists. `privileges.sql` contains the same for servers with a
 * superuser. Pure.
 */
export function createExtensions(): readonly string[] {
  return [
    `CREATE SCHEMA IF NOT EXISTS ${EXTENSIONS_SCHEMA}`,
    `GRANT USAGE ON SCHEMA ${EXTENSIONS_SCHEMA} TO PUBLIC`,
    ...EXTENSIONS.map((name) => `CREATE EXTENSION IF NOT EXISTS ${name} SCHEMA ${EXTENSIONS_SCHEMA}`),
  ];
}
