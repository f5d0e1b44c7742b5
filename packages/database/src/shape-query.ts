/**
 * The facts of one hospital, from PostgreSQL's catalogs. Parameters: schema, its roles, roles of the modules that act as
 * hospitals.
 * Catalogs that grow with the number of hospitals are read through their indexes, hence the arrays of ids.
 * A NULL ACL is the default one. Memberships of the current role are omitted, because the creator of a role is a
 * member.
 */
export const SHAPE_QUERY = `
WITH n AS (SELECT oid, nspname, nspowner, nspacl FROM pg_namespace WHERE nspname = ?),
r AS (SELECT * FROM pg_roles WHERE rolname = ANY (?::text[])),
app AS (SELECT ?::text[] AS names),
c AS (
  SELECT c.*, CASE c.relkind WHEN 'S' THEN 'SEQUENCE ' WHEN 'i' THEN 'INDEX ' WHEN 'I' THEN 'INDEX ' ELSE 'TABLE ' END
    || format('%I.%I', n.nspname, c.relname) AS target
  FROM pg_class c JOIN n ON c.relnamespace = n.oid
),
p AS (SELECT p.*, 'ROUTINE ' || p.oid::regprocedure AS target FROM pg_proc p JOIN n ON p.pronamespace = n.oid),
t AS (
  SELECT t.*, 'TYPE ' || format('%I.%I', n.nspname, t.typname) AS target FROM pg_type t JOIN n ON t.typnamespace = n.oid
  WHERE t.typrelid = 0 AND NOT (t.typelem <> 0 AND t.typcategory = 'A')
),
acl AS (
  SELECT 'SCHEMA ' || quote_ident(nspname) AS target, NULL::name AS col, coalesce(nspacl, acldefault('n', nspowner)) AS acl
  FROM n
  UNION ALL
  SELECT target, NULL, coalesce(relacl, acldefault((CASE relkind WHEN 'S' THEN 's' ELSE 'r' END)::"char", relowner))
  FROM c WHERE relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
  UNION ALL
  SELECT c.target, a.attname, a.attacl FROM pg_attribute a JOIN c ON a.attrelid = c.oid
  WHERE a.attrelid = ANY (ARRAY(SELECT oid FROM c)) AND a.attacl IS NOT NULL AND a.attnum > 0 AND NOT a.attisdropped
  UNION ALL SELECT target, NULL, coalesce(proacl, acldefault('f', proowner)) FROM p
  UNION ALL SELECT target, NULL, coalesce(typacl, acldefault('T', typowner)) FROM t
),
outside AS (
  SELECT r.rolname, d.deptype, o.type, o.identity, o.schema
  FROM pg_shdepend d JOIN r ON d.refobjid = r.oid, n, pg_identify_object(d.classid, d.objid, 0) o
  WHERE d.refclassid = 'pg_authid'::regclass AND d.refobjid = ANY (ARRAY(SELECT oid FROM r))
    AND (d.dbid = 0 OR d.dbid = (SELECT oid FROM pg_database WHERE datname = current_database()))
    AND d.classid <> 'pg_auth_members'::regclass
    AND NOT (d.classid = 'pg_namespace'::regclass AND d.objid = n.oid)
    AND NOT (d.classid = 'pg_default_acl'::regclass
      AND EXISTS (SELECT FROM pg_default_acl a WHERE a.oid = d.objid AND a.defaclnamespace = n.oid))
    AND o.schema IS DISTINCT FROM n.nspname
)
SELECT 'owner' AS kind, 'SCHEMA ' || quote_ident(nspname) AS target, '' AS item, '' AS grantee, nspowner::regrole::text AS value
FROM n
UNION ALL SELECT 'owner', target, '', '', relowner::regrole::text FROM c WHERE relkind IN ('r', 'p', 'v', 'm', 'f', 'S', 'c')
UNION ALL SELECT 'owner', target, '', '', proowner::regrole::text FROM p
UNION ALL SELECT 'owner', target, '', '', typowner::regrole::text FROM t
UNION ALL
SELECT 'grant', target, x.privilege_type || coalesce(' (' || quote_ident(col) || ')', ''),
  CASE x.grantee WHEN 0 THEN 'PUBLIC' ELSE x.grantee::regrole::text END,
  CASE WHEN bool_or(x.is_grantable) THEN 'grantable' ELSE 'granted' END
FROM acl, aclexplode(acl.acl) x GROUP BY 1, 2, 3, 4
UNION ALL
SELECT 'default privilege', format('FOR ROLE %s IN SCHEMA %I', d.defaclrole::regrole, n.nspname),
  x.privilege_type || ' ON ' || CASE d.defaclobjtype WHEN 'r' THEN 'TABLES' WHEN 'S' THEN 'SEQUENCES' WHEN 'f' THEN 'ROUTINES'
    WHEN 'T' THEN 'TYPES' ELSE d.defaclobjtype::text END,
  CASE x.grantee WHEN 0 THEN 'PUBLIC' ELSE x.grantee::regrole::text END,
  CASE WHEN x.is_grantable THEN 'grantable' ELSE 'granted' END
FROM pg_default_acl d JOIN n ON d.defaclnamespace = n.oid, aclexplode(d.defaclacl) x
UNION ALL
SELECT 'attribute', 'ROLE ' || quote_ident(r.rolname), v.item, '', v.value
FROM r, LATERAL (VALUES ('SUPERUSER', r.rolsuper::text), ('INHERIT', r.rolinherit::text), ('CREATEROLE', r.rolcreaterole::text),
  ('CREATEDB', r.rolcreatedb::text), ('REPLICATION', r.rolreplication::text), ('BYPASSRLS', r.rolbypassrls::text),
  ('VALID UNTIL', coalesce(nullif(r.rolvaliduntil, 'infinity')::text, 'infinity'))) AS v (item, value)
UNION ALL
SELECT 'setting', 'ROLE ' || quote_ident(r.rolname) || coalesce(' IN DATABASE ' || quote_ident(d.datname), ''),
  split_part(s.setting, '=', 1), '', substr(s.setting, strpos(s.setting, '=') + 1)
FROM pg_db_role_setting g JOIN r ON g.setrole = r.oid LEFT JOIN pg_database d ON d.oid = g.setdatabase, unnest(g.setconfig) AS s (setting)
UNION ALL
SELECT DISTINCT 'membership', m.roleid::regrole::text, 'GRANTED BY ' || m.grantor::regrole, m.member::regrole::text,
  concat_ws(', ', CASE WHEN m.admin_option THEN 'admin' END, CASE WHEN m.inherit_option THEN 'inherit' END,
    CASE WHEN m.set_option THEN 'set' END)
FROM pg_auth_members m JOIN r ON r.oid IN (m.roleid, m.member) JOIN pg_roles u ON u.oid = m.member, app
WHERE u.rolname <> current_user
  AND NOT (u.rolname = ANY (app.names) AND m.set_option AND NOT m.inherit_option AND NOT m.admin_option
    AND (NOT r.rolname = ANY (app.names) OR coalesce(shobj_description(m.roleid, 'pg_authid'), '') LIKE 'hms hospital %'))
UNION ALL
SELECT DISTINCT CASE deptype WHEN 'a' THEN 'grant outside the schema' ELSE 'object outside the schema' END,
  CASE type WHEN 'schema' THEN 'SCHEMA ' WHEN 'sequence' THEN 'SEQUENCE ' WHEN 'type' THEN 'TYPE ' WHEN 'database' THEN 'DATABASE '
    WHEN 'function' THEN 'ROUTINE ' WHEN 'procedure' THEN 'ROUTINE ' WHEN 'aggregate' THEN 'ROUTINE ' WHEN 'table' THEN 'TABLE '
    WHEN 'view' THEN 'TABLE ' WHEN 'materialized view' THEN 'TABLE ' WHEN 'foreign table' THEN 'TABLE ' ELSE type || ' ' END || identity,
  '', quote_ident(rolname), deptype::text
FROM outside
UNION ALL
SELECT DISTINCT 'object outside the schema', 'something in DATABASE ' || quote_ident(b.datname), '', '', ''
FROM pg_shdepend d JOIN r ON d.refobjid = r.oid JOIN pg_database b ON b.oid = d.dbid
WHERE d.refclassid = 'pg_authid'::regclass AND d.refobjid = ANY (ARRAY(SELECT oid FROM r)) AND b.datname <> current_database()
UNION ALL
SELECT 'table', target, '', '', concat_ws(' ', relkind, relpersistence, relreplident, relispartition::text,
  (SELECT amname FROM pg_am WHERE oid = relam),
  (SELECT string_agg(inhparent::regclass::text, ',' ORDER BY inhseqno) FROM pg_inherits WHERE inhrelid = c.oid))
FROM c WHERE relkind IN ('r', 'p', 'f', 'c')
UNION ALL SELECT 'view', target, '', '', relkind::text || ' ' || pg_get_viewdef(oid) FROM c WHERE relkind IN ('v', 'm')
UNION ALL
SELECT 'sequence', c.target, '', '', concat_ws(' ', s.seqtypid::regtype, s.seqstart, s.seqincrement, s.seqmin, s.seqmax, s.seqcache, s.seqcycle)
FROM pg_sequence s JOIN c ON c.oid = s.seqrelid WHERE s.seqrelid = ANY (ARRAY(SELECT oid FROM c))
UNION ALL
SELECT 'type', target, '', '', concat_ws(' ', typtype, nullif(format_type(typbasetype, typtypmod), '-'), CASE WHEN typnotnull THEN 'NOT NULL' END,
  'DEFAULT ' || typdefault, (SELECT string_agg(quote_literal(enumlabel), ',' ORDER BY enumsortorder) FROM pg_enum WHERE enumtypid = t.oid))
FROM t
UNION ALL
SELECT 'column', c.target, quote_ident(a.attname), '', concat_ws(' ', format_type(a.atttypid, a.atttypmod),
  CASE WHEN a.attcollation <> y.typcollation THEN 'COLLATE ' || a.attcollation::regcollation END,
  CASE WHEN a.attnotnull THEN 'NOT NULL' END, 'identity ' || nullif(a.attidentity::text, ''), 'generated ' || nullif(a.attgenerated::text, ''),
  'DEFAULT ' || pg_get_expr(e.adbin, e.adrelid))
FROM pg_attribute a JOIN c ON a.attrelid = c.oid JOIN pg_type y ON y.oid = a.atttypid
  LEFT JOIN pg_attrdef e ON e.adrelid = a.attrelid AND e.adnum = a.attnum AND e.adrelid = ANY (ARRAY(SELECT oid FROM c))
WHERE a.attrelid = ANY (ARRAY(SELECT oid FROM c)) AND a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'p', 'f', 'c')
UNION ALL
SELECT 'constraint', coalesce(c.target, t.target), quote_ident(k.conname), '', concat_ws(' ', pg_get_constraintdef(k.oid),
  (SELECT CASE WHEN NOT i.indisvalid THEN 'INVALID' END FROM pg_index i WHERE i.indexrelid = k.conindid AND k.contype IN ('p', 'u', 'x')))
FROM pg_constraint k LEFT JOIN c ON c.oid = k.conrelid LEFT JOIN t ON t.oid = k.contypid
WHERE k.contype <> 't' AND k.oid = ANY (ARRAY(
  SELECT oid FROM pg_constraint WHERE conrelid = ANY (ARRAY(SELECT oid FROM c))
  UNION ALL SELECT oid FROM pg_constraint WHERE contypid = ANY (ARRAY(SELECT oid FROM t))))
UNION ALL
SELECT 'index', c.target, '', '', concat_ws(' ',
  CASE WHEN c.reloptions IS NULL THEN pg_get_indexdef(c.oid) ELSE regexp_replace(pg_get_indexdef(c.oid), ' WITH \\([^)]*\\)', '') END,
  CASE WHEN NOT i.indisvalid THEN 'INVALID' END, CASE WHEN i.indisreplident THEN 'REPLICA IDENTITY' END)
FROM c JOIN pg_index i ON i.indexrelid = c.oid
WHERE i.indexrelid = ANY (ARRAY(SELECT oid FROM c))
  AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conrelid = i.indrelid AND k.conindid = c.oid AND k.contype IN ('p', 'u', 'x'))
UNION ALL
SELECT 'tuning', target, '', '', v.value
FROM c LEFT JOIN pg_index i ON i.indexrelid = c.oid, LATERAL (SELECT concat_ws(' ', array_to_string(reloptions, ','),
  (SELECT 'toast ' || array_to_string(reloptions, ',') FROM pg_class WHERE oid = c.reltoastrelid),
  CASE WHEN i.indisclustered THEN 'CLUSTER' END, 'TABLESPACE ' || (SELECT spcname FROM pg_tablespace WHERE oid = reltablespace),
  (SELECT 'statistics ' || string_agg(attnum || ' ' || attstattarget, ',' ORDER BY attnum) FROM pg_attribute
    WHERE attrelid = i.indexrelid AND attstattarget <> -1))) AS v (value)
WHERE relkind IN ('r', 'p', 'f', 'i', 'I') AND v.value <> ''
UNION ALL
SELECT 'tuning', c.target, 'column ' || quote_ident(a.attname), '', v.value
FROM pg_attribute a JOIN c ON a.attrelid = c.oid JOIN pg_type y ON y.oid = a.atttypid, LATERAL (SELECT concat_ws(' ',
  CASE WHEN a.attstorage <> y.typstorage THEN 'storage ' || a.attstorage::text END, 'compression ' || nullif(a.attcompression::text, ''),
  'statistics ' || nullif(a.attstattarget, -1), array_to_string(a.attoptions, ','))) AS v (value)
WHERE a.attrelid = ANY (ARRAY(SELECT oid FROM c)) AND a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'p', 'f') AND v.value <> ''
UNION ALL
SELECT 'function', target, '', '', CASE WHEN prokind = 'a' THEN 'aggregate' ELSE pg_get_functiondef(oid) END FROM p
UNION ALL
SELECT 'trigger', c.target, quote_ident(g.tgname), '', pg_get_triggerdef(g.oid) || ' ' || g.tgenabled::text
FROM pg_trigger g JOIN c ON c.oid = g.tgrelid WHERE g.tgrelid = ANY (ARRAY(SELECT oid FROM c)) AND NOT g.tgisinternal
UNION ALL
SELECT 'constraint trigger', c.target, k.conname || ' ' || g.tgfoid::regproc || ' ' || g.tgtype, '', g.tgenabled::text
FROM pg_trigger g JOIN c ON c.oid = g.tgrelid LEFT JOIN pg_constraint k ON k.oid = g.tgconstraint
WHERE g.tgrelid = ANY (ARRAY(SELECT oid FROM c)) AND g.tgisinternal
UNION ALL
SELECT 'rule', c.target, quote_ident(w.rulename), '', pg_get_ruledef(w.oid) || ' ' || w.ev_enabled::text
FROM pg_rewrite w JOIN c ON c.oid = w.ev_class WHERE w.ev_class = ANY (ARRAY(SELECT oid FROM c)) AND w.rulename <> '_RETURN'
UNION ALL
SELECT 'policy', c.target, quote_ident(q.polname), '', concat_ws(' ', q.polcmd, q.polpermissive, q.polroles::text,
  pg_get_expr(q.polqual, q.polrelid), pg_get_expr(q.polwithcheck, q.polrelid))
FROM pg_policy q JOIN c ON c.oid = q.polrelid WHERE q.polrelid = ANY (ARRAY(SELECT oid FROM c))
UNION ALL
SELECT 'row security', target, '', '', concat_ws(' ', CASE WHEN relrowsecurity THEN 'enabled' ELSE 'disabled' END,
  CASE WHEN relforcerowsecurity THEN 'forced' END)
FROM c WHERE relkind IN ('r', 'p')
UNION ALL
SELECT 'other object', pg_describe_object(d.classid, d.objid, 0), '', '', ''
FROM pg_depend d
WHERE d.refclassid = 'pg_namespace'::regclass AND d.refobjid = ANY (ARRAY(SELECT oid FROM n)) AND d.classid NOT IN ('pg_class'::regclass, 'pg_type'::regclass, 'pg_proc'::regclass, 'pg_default_acl'::regclass, 'pg_publication_namespace'::regclass)
UNION ALL
SELECT 'other object', pg_describe_object(d.classid, d.objid, 0) || ' in extension ' || extname, '', '', ''
FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid
WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e' AND (d.classid, d.objid) IN (
  SELECT 'pg_class'::regclass::oid, oid FROM c UNION ALL SELECT 'pg_proc'::regclass, oid FROM p
  UNION ALL SELECT 'pg_type'::regclass, oid FROM t UNION ALL SELECT 'pg_namespace'::regclass, oid FROM n)
UNION ALL
SELECT 'publication', (SELECT target FROM c WHERE c.oid = q.prrelid), pubname, '', ''
FROM pg_publication_rel q JOIN pg_publication b ON b.oid = q.prpubid WHERE q.prrelid IN (SELECT oid FROM c)
UNION ALL
SELECT 'publication', 'SCHEMA ' || quote_ident(n.nspname), pubname, '', ''
FROM pg_publication_namespace q JOIN n ON n.oid = q.pnnspid JOIN pg_publication b ON b.oid = q.pnpubid
UNION ALL
SELECT DISTINCT 'object outside the schema', o.type || ' ' || o.identity, c.target, '', ''
FROM c JOIN pg_depend d ON d.refclassid = 'pg_class'::regclass AND d.refobjid = c.oid, n, pg_identify_object(d.classid, d.objid, 0) o
WHERE d.refobjid = ANY (ARRAY(SELECT oid FROM c)) AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
  AND d.classid IN ('pg_rewrite'::regclass, 'pg_constraint'::regclass, 'pg_class'::regclass, 'pg_proc'::regclass)
  AND CASE d.classid
    WHEN 'pg_rewrite'::regclass THEN (SELECT v.relnamespace FROM pg_rewrite w JOIN pg_class v ON v.oid = w.ev_class WHERE w.oid = d.objid)
    WHEN 'pg_constraint'::regclass THEN (SELECT k.connamespace FROM pg_constraint k WHERE k.oid = d.objid)
    WHEN 'pg_class'::regclass THEN (SELECT v.relnamespace FROM pg_class v WHERE v.oid = d.objid AND v.relkind <> 't')
    ELSE (SELECT f.pronamespace FROM pg_proc f WHERE f.oid = d.objid) END NOT IN (n.oid, 'pg_toast'::regnamespace)`;
