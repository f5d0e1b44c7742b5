/** What the roles of hospitals and modules may do outside of a hospital's schema: as modules use them, and with real SQL injections. */
import { randomBytes, randomUUID } from 'node:crypto';
import { type DatabaseRoleKey, forEachRole, hospitalNames } from '@hms/tenancy';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Knex } from 'knex';
import { platform } from '../../../test/platform.ts';
import {
  connect,
  createTenantRole,
  createTenantSchema,
  dropTenantRole,
  dropTenantSchema,
  grantTenantSchema,
  migratePlatform,
  migrateTenant,
  openTenantPool,
  ownerMark,
  requestReconcile,
  setTenantOpen,
  type TenantPool,
} from './index.ts';

const [mary, anne] = [0, 1].map(() => hospitalNames(`p${randomBytes(5).toString('hex')}`)) as [Names, Names];
type Names = ReturnType<typeof hospitalNames>;
let operator: Knex;
let modules: Readonly<Record<DatabaseRoleKey, Knex>>;
let tenants: TenantPool;

beforeAll(async () => {
  operator = connect(platform().databaseUrls.operator);
  modules = forEachRole(({ key }) => connect(platform().databaseUrls[key], { poolSize: 1 }));
  tenants = openTenantPool(platform().databaseUrls.app);
  await migratePlatform(operator);
  for (const names of [mary, anne]) {
    const hospitalId = randomUUID();
    const mark = ownerMark({ hospitalId });
    await createTenantRole(operator, names, mark);
    await operator.transaction(async (trx) => {
      await createTenantSchema(trx, names, hospitalId, mark);
      await grantTenantSchema(trx, names);
      await migrateTenant(trx, names);
    });
    await setTenantOpen(operator, names, true);
    await tenants.inTenant(names, (trx) =>
      trx.query(`INSERT INTO counters (series, value) VALUES ('${names.prefix}', 7)`),
    );
  }
}, 60_000);

afterAll(async () => {
  for (const names of [mary, anne]) {
    await dropTenantSchema(operator, names);
    await dropTenantRole(operator, names);
  }
  await Promise.all([operator.destroy(), ...Object.values(modules).map((db) => db.destroy()), tenants.end()]);
});

/** A query of a module with an injected expression. */
const injected = (expression: string) =>
  tenants.inTenant(mary, async (trx) => {
    const [row] = await trx.query<{ leak: unknown }>(`SELECT ${expression} AS leak`);
    return String(row?.leak);
  });

describe("a hospital's role", () => {
  const SECRET = `SELECT series FROM ${anne.schema}.counters`;
  const BECOME = `set_config('role', '${anne.role}', true)`;

  it.each([
    [
      'changes its role and runs text',
      `(SELECT query_to_xml('${SECRET}', true, false, '')::text FROM (SELECT ${BECOME}) x)`,
    ],
    ['changes its role only', BECOME],
    ['changes the settings of an extension', 'extensions.set_limit(0.1)'],
    ['changes its settings', "set_config('search_path', 'platform', false)"],
    ['runs text', "query_to_xml('SELECT 1', true, false, '')"],
    ['runs text for a schema', `query_to_xmlschema('${SECRET}', true, false, '')`],
    ['runs text of a whole schema', `schema_to_xml('${anne.schema}', true, false, '')`],
    ['runs text of the whole database', "database_to_xml(true, false, '')"],
    ['runs text as statistics', `(SELECT count(*) FROM ts_stat('${SECRET}'))`],
    ['runs text as a rewrite', `ts_rewrite('a'::tsquery, 'SELECT ''a''::tsquery, ''b''::tsquery')`],
    ['writes what every hospital can read', "lo_from_bytea(0, 'x')"],
    ['wakes the operator', "pg_notify('hms_reconcile', 'x')"],
    ['waits', 'pg_sleep(1)'],
    ['holds a lock', 'pg_advisory_lock(1)'],
    ['ends another session', 'pg_terminate_backend(1)'],
    ['writes to the log of changes', "pg_logical_emit_message(false, 'x', 'x')"],
    ['reads a file', "pg_read_file('postgresql.conf')"],
    ['lists files', "(SELECT count(*) FROM pg_ls_dir('.'))"],
    ['reads another hospital', `(${SECRET})`],
    ['reads the registry', '(SELECT count(*) FROM platform.hospitals)'],
    ['reads how large hospitals are', '(SELECT count(*) FROM platform.hospital_usage)'],
    ['reads how much hospitals are used', '(SELECT count(*) FROM platform.hospital_requests)'],
    ["reads others' statistics", `(SELECT count(*) FROM pg_statistic)`],
  ])('is refused when one injected SELECT %s', async (_, expression) => {
    await expect(injected(expression)).rejects.toMatchObject({ code: '42501' });
  });

  it('sees no query of another session', async () => {
    const text = "(SELECT string_agg(query, '') FROM pg_stat_activity WHERE usename <> 'hms_app' AND query <> '')";
    expect(await injected(text)).not.toMatch(/SELECT/i);
  });

  it.each([`; RESET ROLE; SET LOCAL ROLE ${anne.role}; SELECT 1`, '; COMMIT; SELECT 1'])(
    'runs no second statement: %s',
    async (more) => {
      const query = tenants.inTenant(mary, (trx) => trx.query(`SELECT 1${more}`));
      await expect(query).rejects.toMatchObject({ code: '42601' });
    },
  );

  it('runs no block of statements, and creates nothing', async () => {
    for (const statement of [
      'CREATE TEMP TABLE t ()',
      'CREATE TABLE t ()',
      'CREATE TABLE extensions.t ()',
      'CREATE TYPE extensions.t AS (one integer)',
      "CREATE FUNCTION extensions.similarity(text, text) RETURNS real LANGUAGE sql AS 'SELECT 1'",
      'ALTER SCHEMA extensions RENAME TO e',
      'DROP EXTENSION pg_trgm CASCADE',
      'UPDATE platform.hospital_usage SET people = 0',
      'DELETE FROM platform.hospital_usage',
      "INSERT INTO platform.hospital_requests VALUES (gen_random_uuid(), '2026-01-01', 1, 0)",
      'UPDATE platform.hospital_requests SET requests = 0',
      'CREATE SCHEMA s',
      "UPDATE pg_settings SET setting = 'x' WHERE name = 'role'",
      "COPY (SELECT 1) TO PROGRAM 'true'",
      'LISTEN x; SELECT 1',
      `DO $$ BEGIN SET LOCAL ROLE ${anne.role}; PERFORM 1 FROM ${anne.schema}.counters; END $$`,
    ]) {
      await expect(tenants.inTenant(mary, (trx) => trx.query(statement))).rejects.toMatchObject({
        code: /^42(501|601)$/,
      });
    }
  });

  it('may execute only these volatile functions', async () => {
    const { rows } = await operator.raw<{ rows: { name: string }[] }>(
      `SELECT DISTINCT proname AS name FROM pg_proc WHERE provolatile = 'v' AND prokind = 'f'
       AND prorettype NOT IN ('trigger'::regtype, 'event_trigger'::regtype, 'internal'::regtype)
       AND has_function_privilege(?, oid, 'EXECUTE') AND has_schema_privilege(?, pronamespace, 'USAGE') ORDER BY 1`,
      [mary.role, mary.role],
    );
    expect(rows.map(({ name }) => name).filter((name) => !REVIEWED.some((pattern) => pattern.test(name)))).toEqual([]);
    expect(rows.length).toBeGreaterThan(20);
  });
});

describe('the extensions', () => {
  it('compare texts for a hospital', async () => {
    const [row] = await tenants.inTenant(mary, (trx) =>
      trx.query(`SELECT extensions.similarity('jansen', 'janssen') > 0.5 AS similar,
        extensions.word_similarity('jansen', 'p jansen-smith') = 1 AS in_words,
        'jansen' OPERATOR(extensions.%) 'janssen' AS operator`),
    );
    expect(row).toEqual({ similar: true, in_words: true, operator: true });
  });

  it('serve a search with LIKE from their index', async () => {
    const plan = await tenants.inTenant(mary, async (trx) => {
      await trx.query('SET LOCAL enable_seqscan = off');
      return trx.query(`EXPLAIN SELECT id FROM patients WHERE search LIKE '%jansen%'`);
    });
    expect(JSON.stringify(plan)).toMatch(/Bitmap Index Scan on patients_search/);
  });
});

describe('the roles of the modules', () => {
  const BECOME = `SET LOCAL ROLE ${mary.role}`;
  const statements: Readonly<Record<string, string>> = {
    'read the registry': 'SELECT FROM platform.hospitals',
    'count logins': 'SELECT FROM platform.login_attempts; DELETE FROM platform.login_attempts WHERE false',
    'write ends of audit chains':
      'SELECT FROM platform.audit_heads; UPDATE platform.audit_heads SET position = 1 WHERE false',
    'add up requests':
      "INSERT INTO platform.hospital_requests SELECT gen_random_uuid(), '2026-01-01', 1, 0 WHERE false",
    'change the day of requests': "UPDATE platform.hospital_requests SET day = '2026-01-01' WHERE false",
    'see which hospitals are counted': 'SELECT hospital_id, day FROM platform.hospital_usage',
    'see how large hospitals are': 'SELECT people FROM platform.hospital_usage',
    'change how large hospitals are': 'UPDATE platform.hospital_usage SET people = 0 WHERE false',
    'know who acts as whom':
      'SELECT mode, ended_at FROM platform.impersonations; SELECT FROM platform.impersonation_tokens',
    'read why somebody acts': 'SELECT reason, code_hash, key_hash FROM platform.impersonations',
    'let somebody act': "UPDATE platform.impersonations SET mode = 'write' WHERE false",
    'act as a hospital': `${BECOME}; SELECT FROM ${mary.schema}.counters`,
    'change the registry': "UPDATE platform.hospitals SET state = 'Active' WHERE false",
    'read hosts': 'SELECT FROM platform.hospital_hosts',
    'read the migrations': 'SELECT FROM platform.schema_migrations',
    'read a hospital': `SELECT FROM ${mary.schema}.counters`,
    'create in the database': 'CREATE SCHEMA s',
    'create in the registry': 'CREATE TABLE platform.t ()',
    'create extensions': 'CREATE TABLE extensions.t ()',
    'create in public': 'CREATE TABLE public.t ()',
    'become the operator': 'SET LOCAL ROLE hms_operator',
    'become another module': 'SET LOCAL ROLE hms_app',
  };
  const ALLOWED: Readonly<Record<DatabaseRoleKey, readonly string[]>> = {
    // Each may become itself.
    app: [
      ...['read the registry', 'write ends of audit chains', 'know who acts as whom'],
      ...['act as a hospital', 'become another module'],
      ...['add up requests', 'see which hospitals are counted'],
    ],
    auth: [
      'read the registry',
      'read hosts',
      'count logins',
      'write ends of audit chains',
      'act as a hospital',
      'know who acts as whom',
      'read why somebody acts',
      'let somebody act',
      'add up requests',
    ],
    console: [
      ...['read the registry', 'know who acts as whom'],
      ...['see which hospitals are counted', 'see how large hospitals are'],
    ],
  };
  const keys = Object.keys(ALLOWED) as DatabaseRoleKey[];

  it.each(keys.flatMap((key) => Object.keys(statements).map((what) => [key, what] as const)))(
    '%s %s only if it must',
    async (key, what) => {
      const attempt = modules[key].transaction((trx) => trx.raw(statements[what] ?? ''));
      if (ALLOWED[key].includes(what)) await attempt;
      else await expect(attempt).rejects.toMatchObject({ code: '42501' });
    },
  );

  it.each(['app', 'auth'] as const)('%s may request a reconcile', (key) => requestReconcile(modules[key], mary.prefix));

  it('console may not wake the operator', async () => {
    await expect(requestReconcile(modules.console, mary.prefix)).rejects.toMatchObject({ code: '42501' });
  });

  it('lose a hospital that is closed', async () => {
    await setTenantOpen(operator, anne, false);
    for (const key of ['app', 'auth'] as const)
      await expect(modules[key].raw(`SET ROLE ${anne.role}`)).rejects.toMatchObject({ code: '42501' });
  });
});

describe('the operator', () => {
  it('keeps the privileges that it needs', async () => {
    await operator.raw("SELECT set_config('search_path', '', true), pg_advisory_xact_lock_shared(1), pg_sleep(0)");
  });
});

/** Each is reviewed: none of them runs text, changes the role or reads records of another hospital. */
const REVIEWED: readonly RegExp[] = [
  // Of schema platform: they take the hospital from the current role.
  /^(add_task|notify_change|issue_document|remove_audit|revoke_tokens|accept_tokens|withhold_permissions|record_usage)$/,
  // Random values, the time, its own sequences and its own query.
  /^(random|random_normal|setseed|gen_random_uuid|uuidv[47]|array_(sample|shuffle)|clock_timestamp|timeofday)$/,
  /^(nextval|setval|currval|lastval|current_query|txid_status)$/,
  // Internal: they are not called by name, or only during an upgrade of the server.
  /handler$|validator$|^(bernoulli|system|amvalidate|currtid2|binary_upgrade_\w+)$/,
  // They require an attribute or a privilege that the role does not have: REPLICATION, or MAINTAIN on the table.
  /slot|^pg_(clear|restore)_\w+_stats$|^brin_|^gin_clean|^pg_(import_system_collations|nextoid|stop_making_pinned_objects|extension_config_dump)$/,
  // State and sizes of the server: no names, no records.
  /^pg_(control|stat|current_wal|last_wal|available_wal|wal|get_wal|xact|last|is|jit|get_multixact|get_loaded|get_wait_events)_?/,
  /^pg_(\w+_size|\w*collation_actual_version|blocking_pids|safe_snapshot_blocking_pids|isolation_test\w+|lock_status)$/,
  /^pg_(prepared_xact|notification_queue_usage|partition_(ancestors|tree)|sequence_last_value|get_sequence_data)$/,
];
