/**
 * The schema of PostgreSQL's extensions. Privileges and what is missing are restored. Everything else is reported: the
 * functions of an extension belong to a superuser, and hospitals' indexes depend on it.
 */
import { EXTENSIONS, EXTENSIONS_SCHEMA, PLATFORM_SCHEMA, TASKS_SCHEMA } from '@hms/database';
import type { Knex } from 'knex';
import type { ShapeVerdict } from '../backends/database/shape-changes.ts';

export interface ExtensionsVerdict extends Pick<ShapeVerdict, 'repairs'> {
  /** What is not restored, one phrase per difference. */
  readonly foreign: readonly string[];
}

export async function compareExtensions(db: Knex): Promise<ExtensionsVerdict> {
  const { rows: repairs } = await db.raw<{ rows: ExtensionsVerdict['repairs'] }>(REPAIRS_QUERY, [[...EXTENSIONS]]);
  const { rows: foreign } = await db.raw<{ rows: { message: string }[] }>(FOREIGN_QUERY, [
    [...EXTENSIONS],
    [...EXTENSIONS],
    [...EXTENSIONS],
    [...EXTENSIONS],
  ]);
  return { repairs, foreign: foreign.map(({ message }) => message) };
}

const SCHEMA = `n AS (SELECT * FROM pg_namespace WHERE nspname = '${EXTENSIONS_SCHEMA}')`;
const PRIVILEGES = `acl AS (SELECT x.* FROM n, aclexplode(coalesce(nspacl, acldefault('n', nspowner))) x
  WHERE x.grantee <> nspowner)`;

/** Statements that restore it, in their order. */
const REPAIRS_QUERY = `
WITH ${SCHEMA}, ${PRIVILEGES}
SELECT 'schema ${EXTENSIONS_SCHEMA}' AS object, 'create' AS action, 'CREATE SCHEMA ${EXTENSIONS_SCHEMA}' AS statement
WHERE NOT EXISTS (SELECT FROM n)
UNION ALL
SELECT 'privileges of everybody on schema ${EXTENSIONS_SCHEMA}', 'create', 'GRANT USAGE ON SCHEMA ${EXTENSIONS_SCHEMA} TO PUBLIC'
WHERE NOT EXISTS (SELECT FROM acl WHERE grantee = 0 AND privilege_type = 'USAGE')
UNION ALL
SELECT format('privilege %s of %s on schema ${EXTENSIONS_SCHEMA}', privilege_type, holder), 'delete',
  format('REVOKE %s ON SCHEMA ${EXTENSIONS_SCHEMA} FROM %s CASCADE', privilege_type, holder)
FROM acl, LATERAL (SELECT CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END AS holder) h
WHERE NOT (grantee = 0 AND privilege_type = 'USAGE')
UNION ALL
SELECT 'extension ' || name, 'create', format('CREATE EXTENSION %I SCHEMA ${EXTENSIONS_SCHEMA}', name)
FROM unnest(?::text[]) name WHERE NOT EXISTS (SELECT FROM pg_extension WHERE extname = name)`;

const FOREIGN_QUERY = `
WITH ${SCHEMA}
SELECT 'schema ${EXTENSIONS_SCHEMA} belongs to role ' || nspowner::regrole AS message FROM n WHERE nspowner <> current_user::regrole
UNION ALL
SELECT 'extension ' || extname || ' is in schema ' || extnamespace::regnamespace || ' instead of ${EXTENSIONS_SCHEMA}'
FROM pg_extension WHERE extname = ANY (?) AND extnamespace <> ALL (SELECT oid FROM n)
UNION ALL
SELECT 'every hospital may use extension ' || extname || ' in schema ${EXTENSIONS_SCHEMA}'
FROM pg_extension JOIN n ON extnamespace = n.oid WHERE extname <> ALL (?)
UNION ALL
SELECT 'every hospital may use ' || pg_describe_object(d.classid, d.objid, 0) || ', which belongs to no extension'
FROM pg_depend d JOIN n ON d.refobjid = n.oid
WHERE d.refclassid = 'pg_namespace'::regclass AND d.classid NOT IN ('pg_extension'::regclass, 'pg_default_acl'::regclass)
  AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.classid = d.classid AND e.objid = d.objid AND e.deptype = 'e')
UNION ALL
SELECT pg_describe_object(d.classid, d.objid, 0) || ' was added to extension ' || extname || ', and DROP EXTENSION would drop it'
FROM pg_depend d JOIN pg_extension e ON d.refobjid = e.oid
WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e' AND extname = ANY (?)
  AND CASE d.classid
    WHEN 'pg_proc'::regclass THEN (SELECT pronamespace FROM pg_proc WHERE oid = d.objid)
    WHEN 'pg_class'::regclass THEN (SELECT relnamespace FROM pg_class WHERE oid = d.objid)
    -- Tables and arrays have types that go with them.
    WHEN 'pg_type'::regclass THEN (SELECT typnamespace FROM pg_type WHERE oid = d.objid AND typrelid = 0 AND typelem = 0)
    WHEN 'pg_namespace'::regclass THEN 0::oid END <> ALL (SELECT extnamespace UNION SELECT oid FROM pg_namespace
      WHERE nspname IN ('${PLATFORM_SCHEMA}', '${TASKS_SCHEMA}') OR nspname LIKE 'h\\_%')
UNION ALL
-- All of them are written in C.
SELECT p.oid::regprocedure || ' of extension ' || extname || ' was replaced'
FROM pg_extension e JOIN pg_depend d ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid AND d.deptype = 'e'
  JOIN pg_proc p ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid JOIN pg_language l ON l.oid = prolang
WHERE extname = ANY (?) AND (lanname <> 'c' OR probin <> '$libdir/' || extname OR prosecdef OR proconfig IS NOT NULL)
UNION ALL
SELECT 'hospitals may not call ' || string_agg(p.oid::regprocedure::text, ', ' ORDER BY p.oid)
FROM pg_proc p JOIN n ON pronamespace = n.oid
WHERE NOT has_function_privilege('public', p.oid, 'EXECUTE') AND proname <> 'set_limit'
HAVING count(*) > 0
UNION ALL
-- privileges.sql has taken both from everybody, on servers where it ran.
SELECT 'everybody may call ' || p.oid::regprocedure FROM pg_proc p JOIN n ON pronamespace = n.oid
WHERE proname = 'set_limit' AND has_function_privilege('public', p.oid, 'EXECUTE')
  AND NOT has_function_privilege('public', 'pg_catalog.set_config(text, text, boolean)', 'EXECUTE')`;
