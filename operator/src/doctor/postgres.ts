import { EXTENSIONS, EXTENSIONS_SCHEMA } from '@hms/database';
import { MODULE_ROLES } from '@hms/tenancy';
import pg from 'pg';
import type { Config } from '../config.ts';
import { atLeast, clock, type Finding, failed, ok, PATIENCE_MS, reason, warning } from './finding.ts';

const OLDEST = '16';
/** Connections that an operator and a module's process need together. */
const FEW_CONNECTIONS = 30;
const GRANTS = 'docs/configuration.md, PostgreSQL, has the statements for the server’s administrator';

/** Checks PostgreSQL as the operator's account. */
export async function checkPostgres({ DATABASE_URL: url }: Pick<Config, 'DATABASE_URL'>): Promise<Finding[]> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
    application_name: 'hms-doctor',
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    return [failed('postgres login', reason(error), loginRemedy(error, client))];
  }
  try {
    const { rows } = await client.query<Row>(QUESTION, [MODULE_ROLES, EXTENSIONS]);
    const [row] = rows;
    return row ? judge(row) : [];
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The row of the single query. */
export interface Row {
  readonly version: string;
  readonly role: string;
  readonly database: string;
  readonly createrole: boolean;
  readonly superuser: boolean;
  readonly owner: boolean;
  readonly signals: boolean;
  /** Whether the schema of the extensions is its own, or does not exist yet. */
  readonly owns_extensions: boolean;
  /** Whether PUBLIC has privileges in the database, or in its schema `public`. */
  readonly open_database: boolean;
  readonly open_schema: boolean;
  /** The existing roles of modules. */
  readonly module_roles: readonly ModuleRole[];
  /** Functions that everybody may call, and with which an injected SELECT bypasses the isolation. */
  readonly open_functions: readonly string[];
  /** Extensions that the server does not have. */
  readonly missing: readonly string[];
  /** Extensions in another schema than their own. */
  readonly misplaced: readonly { readonly name: string; readonly schema: string }[];
  readonly connections_left: number;
  readonly now_ms: number;
}

interface ModuleRole {
  readonly name: string;
  readonly login: boolean;
  readonly inherits: boolean;
  readonly connects: boolean;
  /** Attributes with which it bypasses the isolation of hospitals. */
  readonly powers: readonly string[];
}

const QUESTION = `
  SELECT current_setting('server_version') AS version, me.rolname AS role, current_database() AS database,
    me.rolcreaterole AS createrole, me.rolsuper AS superuser,
    (SELECT datdba = me.oid FROM pg_database WHERE datname = current_database()) AS owner,
    pg_has_role('pg_signal_backend', 'MEMBER') AS signals,
    NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = '${EXTENSIONS_SCHEMA}' AND NOT pg_has_role(nspowner, 'USAGE')) AS owns_extensions,
    EXISTS (SELECT FROM pg_database, aclexplode(coalesce(datacl, acldefault('d', datdba)))
      WHERE datname = current_database() AND grantee = 0) AS open_database,
    EXISTS (SELECT FROM pg_namespace, aclexplode(coalesce(nspacl, acldefault('n', nspowner)))
      WHERE nspname = 'public' AND grantee = 0) AS open_schema,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('name', rolname, 'login', rolcanlogin, 'inherits', rolinherit,
        'connects', has_database_privilege(oid, current_database(), 'CONNECT'),
        'powers', array_remove(ARRAY[CASE WHEN rolsuper THEN 'SUPERUSER' END, CASE WHEN rolbypassrls THEN 'BYPASSRLS' END,
          CASE WHEN rolcreaterole THEN 'CREATEROLE' END], NULL))), '[]')
      FROM pg_roles WHERE rolname = ANY ($1)) AS module_roles,
    ARRAY(SELECT 'DO' WHERE has_language_privilege('public', 'plpgsql', 'USAGE') UNION SELECT proname::text FROM pg_proc
      WHERE (pronamespace = 'pg_catalog'::regnamespace AND proname IN ('set_config', 'query_to_xml', 'cursor_to_xml', 'ts_stat')
        OR pronamespace = (SELECT oid FROM pg_namespace WHERE nspname = '${EXTENSIONS_SCHEMA}') AND proname = 'set_limit')
      AND has_function_privilege('public', oid, 'EXECUTE') ORDER BY 1) AS open_functions,
    ARRAY(SELECT wanted FROM unnest($2::text[]) wanted
      WHERE wanted NOT IN (SELECT name FROM pg_available_extensions)) AS missing,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('name', extname, 'schema', extnamespace::regnamespace) ORDER BY extname), '[]')
      FROM pg_extension JOIN pg_namespace n ON n.oid = extnamespace
      WHERE extname = ANY ($2) AND nspname <> '${EXTENSIONS_SCHEMA}') AS misplaced,
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS connections_left,
    (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now_ms
  FROM pg_roles me WHERE me.rolname = current_user`;

/** Exported for tests. */
export function judge(row: Row): Finding[] {
  const version = row.version.split(' ')[0] ?? row.version;
  const free = `${row.connections_left} connections are free`;
  return [
    atLeast(version, OLDEST)
      ? ok('postgres version', version)
      : failed('postgres version', version, `upgrade to PostgreSQL ${OLDEST} or newer`),
    rights(row),
    borders(row),
    ...MODULE_ROLES.map((name) => moduleRole(name, row)),
    functions(row),
    extensions(row),
    row.connections_left >= FEW_CONNECTIONS
      ? ok('postgres connections', free)
      : warning(
          'postgres connections',
          free,
          'raise max_connections, or put a pooler in front: docs/install.md, Sizing',
        ),
    clock('postgres', row.now_ms),
  ];
}

/** The remedy for a refused login. https://www.postgresql.org/docs/18/errcodes-appendix.html */
function loginRemedy(error: unknown, { user = 'the role', database = 'the database', port }: pg.Client): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  const where = 'DATABASE_URL; its Secret is database.secret';
  if (code === '3D000') return `CREATE DATABASE ${database} OWNER ${user}, or correct the name in ${where}`;
  if (code === '42501') return `as the server's administrator: ALTER DATABASE ${database} OWNER TO ${user}; ${GRANTS}`;
  if (code.startsWith('28')) return `check role and password in ${where}`;
  if (/^[0-9A-Z]{5}$/.test(code)) return "the server's log says more";
  return `check that the server on port ${port} is a PostgreSQL, and that no firewall interferes; the address is in ${where}`;
}

function rights({
  role,
  database,
  createrole,
  superuser,
  owner,
  owns_extensions: ownsExtensions,
  signals,
}: Row): Finding {
  const problems: string[] = [];
  const remedy: string[] = [];
  if (!createrole) {
    problems.push('may not create roles');
    remedy.push(`ALTER ROLE ${role} CREATEROLE`);
  }
  if (superuser) {
    problems.push('is a superuser');
    remedy.push(`ALTER ROLE ${role} NOSUPERUSER`);
  }
  if (!owner) {
    problems.push(`does not own database ${database}`);
    remedy.push(`ALTER DATABASE ${database} OWNER TO ${role}`);
  }
  if (!ownsExtensions) {
    problems.push(`does not own schema ${EXTENSIONS_SCHEMA}`);
    remedy.push(`ALTER SCHEMA ${EXTENSIONS_SCHEMA} OWNER TO ${role}`);
  }
  if (!signals) {
    problems.push("may not end other roles' connections");
    remedy.push(`GRANT pg_signal_backend TO ${role}`);
  }
  if (problems.length === 0)
    return ok('postgres rights', `${role} owns ${database} and creates roles, and is not a superuser`);
  return failed(
    'postgres rights',
    `${role} ${problems.join(', ')}`,
    `as the server's administrator: ${remedy.join('; ')}`,
  );
}

/** Roles of hospitals and others on the server have only granted privileges. */
function borders({ database, open_database: openDatabase, open_schema: openSchema }: Row): Finding {
  const name = 'postgres borders';
  const open = [...(openDatabase ? [`DATABASE ${database}`] : []), ...(openSchema ? ['SCHEMA public'] : [])];
  if (open.length === 0) return ok(name, 'only granted roles have privileges');
  const observed = `everybody on the server has privileges in ${open.join(' and ').toLowerCase()}`;
  return failed(name, observed, open.map((object) => `REVOKE ALL ON ${object} FROM PUBLIC`).join('; '));
}

/** Servers without a superuser can't revoke these privileges. There, only the other fences apply. */
function functions({ open_functions: open, database }: Row): Finding {
  const name = 'postgres functions';
  if (open.length === 0) return ok(name, "no hospital's role can change its role in a query");
  const observed = `every role may call ${open.join(', ')}: one injected statement could reach another hospital`;
  const remedy = `as a superuser: psql -d ${database} -f packages/database/privileges.sql. Where there is no superuser: docs/architecture.md, Isolation`;
  return warning(name, observed, remedy);
}

function extensions({ missing, misplaced }: Row): Finding {
  const name = 'postgres extensions';
  if (missing.length > 0) {
    const remedy = "install the server's package of contributed modules (postgresql-contrib)";
    return failed(name, `the server does not have ${missing.join(', ')}`, remedy);
  }
  if (misplaced.length === 0) return ok(name, EXTENSIONS.join(', '));
  const remedy = misplaced.map((one) => `ALTER EXTENSION ${one.name} SET SCHEMA ${EXTENSIONS_SCHEMA}`).join('; ');
  const observed = misplaced.map((one) => `${one.name} is in schema ${one.schema}`).join(', ');
  return failed(name, `${observed} instead of ${EXTENSIONS_SCHEMA}`, remedy);
}

function moduleRole(role: string, { module_roles: existing, database }: Row): Finding {
  const name = `postgres role ${role}`;
  const found = existing.find((one) => one.name === role);
  if (!found) return failed(name, 'there is no such role', `CREATE ROLE ${role} LOGIN NOINHERIT; ${GRANTS}`);
  const { login, inherits, connects, powers } = found;
  const remedy: string[] = [];
  if (!login || inherits) remedy.push(`ALTER ROLE ${role} LOGIN NOINHERIT`);
  if (!connects) remedy.push(`GRANT CONNECT ON DATABASE ${database} TO ${role}`);
  if (powers.length > 0) remedy.push(`ALTER ROLE ${role} ${powers.map((power) => `NO${power}`).join(' ')}`);
  if (remedy.length === 0)
    return ok(name, 'logs in, and has the privileges of a hospital only after it switches to its role');
  const problems = [
    ...[!login && 'can not log in', inherits && 'inherits', !connects && `may not connect to ${database}`],
    powers.length > 0 && `is ${powers.join(', ')}, which lets it into every hospital`,
  ];
  return failed(name, `it ${problems.filter(Boolean).join(', ')}`, remedy.join('; '));
}
