/** Manual changes of the shared part of PostgreSQL: each is restored or reported. */
import { randomBytes } from 'node:crypto';
import { connect, PLATFORM_SCHEMA } from '@hms/database';
import { MODULE_ROLES, TENANT_ROLES } from '@hms/tenancy';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Knex } from 'knex';
import { platform } from '../../../test/platform.ts';
import { until } from '../../../test/support/until.ts';
import { Postgres } from '../backends/database/client.ts';
import { testCalls } from '../backends/testing.ts';
import { PlatformDatabase } from './database.ts';

const SPY = `spy_${randomBytes(5).toString('hex')}`;
const { operator, admin } = platform().databaseUrls;
/** Changes of a module's role. */
function ofModule(role: string): [string, RegExp, string][] {
  return [
    [
      `GRANT pg_read_all_data TO ${role}`,
      new RegExp(`role ${role} in role pg_read_all_data`),
      `REVOKE pg_read_all_data FROM ${role}`,
    ],
    [`GRANT ${role} TO {spy}`, new RegExp(`role spy_.* in role ${role}`), `REVOKE ${role} FROM {spy}`],
    [`ALTER ROLE ${role} BYPASSRLS`, new RegExp(`BYPASSRLS of role ${role}`), `ALTER ROLE ${role} NOBYPASSRLS`],
    [
      `ALTER ROLE ${role} SET search_path = 'x'`,
      new RegExp(`setting search_path of role ${role}`),
      `ALTER ROLE ${role} RESET search_path`,
    ],
    [
      `REVOKE CONNECT ON DATABASE hms FROM ${role}`,
      new RegExp(`role ${role} may not connect to database hms`),
      `GRANT CONNECT ON DATABASE hms TO ${role}`,
    ],
    [
      `ALTER ROLE ${role} NOLOGIN`,
      new RegExp(`role ${role} may not connect to database hms`),
      `ALTER ROLE ${role} LOGIN`,
    ],
    [
      `GRANT CREATE ON DATABASE hms TO ${role}`,
      new RegExp(`role ${role} has CREATE on database hms`),
      `REVOKE CREATE ON DATABASE hms FROM ${role}`,
    ],
    [
      `ALTER ROLE ${role} CONNECTION LIMIT 30`,
      new RegExp(`role ${role} is limited to 30 connections`),
      `ALTER ROLE ${role} CONNECTION LIMIT -1`,
    ],
    [
      `ALTER TABLE {spy}.owned OWNER TO ${role}`,
      new RegExp(`^table spy_.*owned of role ${role} does not belong there`),
      'ALTER TABLE {spy}.owned OWNER TO postgres',
    ],
  ];
}

let superuser: Knex;
let postgres: Postgres;
let database: PlatformDatabase;
const run = (text: string) => superuser.raw(text.replaceAll('{spy}', SPY));

beforeAll(async () => {
  superuser = connect(admin);
  postgres = new Postgres(
    { url: operator, applicationName: 'platform', poolSize: 3, statementTimeoutMs: 20_000 },
    testCalls('database'),
  );
  database = new PlatformDatabase(postgres, (prefix) => prefix !== 'ghost');
  await database.ensure();
  await run('CREATE ROLE {spy}; CREATE SCHEMA {spy}; CREATE TABLE {spy}.owned ()');
  expect(await database.ensure()).toEqual({ changes: [], foreign: [], tuning: [] });
});

afterAll(async () => {
  await run('DROP SCHEMA {spy} CASCADE; DROP OWNED BY {spy}; DROP ROLE {spy}');
  await Promise.all([superuser.destroy(), postgres.close()]);
});

describe(`schema ${PLATFORM_SCHEMA}`, () => {
  it.each([
    'GRANT SELECT ON platform.hospitals TO PUBLIC',
    'GRANT USAGE ON SCHEMA platform TO {spy}',
    ...MODULE_ROLES.flatMap((role) => [
      `GRANT UPDATE (state) ON platform.hospitals TO ${role}`,
      `REVOKE SELECT ON platform.hospitals FROM ${role}`,
      `GRANT INSERT ON platform.hospital_hosts TO ${role}`,
      `REVOKE SELECT ON platform.revoked_tokens FROM ${role}`,
    ]),
    // Its withdrawal takes the privileges on single columns with it.
    'GRANT INSERT ON platform.role_templates TO hms_console',
    'GRANT SELECT ON platform.impersonations TO hms_app',
    'REVOKE USAGE ON SCHEMA platform FROM PUBLIC',
    'REVOKE USAGE ON SCHEMA extensions FROM PUBLIC',
    'GRANT SELECT ON platform.login_attempts TO hms_app',
    'GRANT SELECT ON platform.hospital_hosts TO hms_app',
    'REVOKE SELECT ON platform.hospital_hosts FROM hms_auth',
    'REVOKE DELETE ON platform.login_attempts FROM hms_auth',
    'GRANT UPDATE ON platform.audit_heads TO hms_console',
    'GRANT SELECT ON platform.schema_migrations TO {spy}',
    `CREATE FUNCTION {spy}.leak() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
     CREATE TRIGGER leak BEFORE UPDATE ON platform.hospitals FOR EACH ROW EXECUTE FUNCTION {spy}.leak()`,
    'ALTER TABLE platform.hospitals ENABLE ROW LEVEL SECURITY',
    'GRANT SELECT ON graphile_worker._private_jobs TO {spy}',
    'GRANT TRUNCATE ON graphile_worker._private_jobs TO hms_app',
    'GRANT USAGE ON SCHEMA graphile_worker TO PUBLIC',
    'GRANT CREATE ON SCHEMA graphile_worker TO hms_app',
    `CREATE FUNCTION {spy}.look() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
     CREATE TRIGGER look BEFORE INSERT ON graphile_worker._private_jobs FOR EACH ROW EXECUTE FUNCTION {spy}.look()`,
    'CREATE POLICY everybody ON graphile_worker._private_jobs TO PUBLIC USING (true)',
    'ALTER TABLE graphile_worker._private_jobs DISABLE ROW LEVEL SECURITY',
    'DROP INDEX graphile_worker.jobs_main_index',
    'CREATE RULE quiet AS ON DELETE TO graphile_worker._private_jobs DO INSTEAD NOTHING',
  ])('is restored after %s', async (change) => {
    await run(change);
    const { changes, foreign } = await database.ensure();
    expect(changes.length).toBeGreaterThan(0);
    expect(foreign).toEqual([]);
    expect(await database.ensure()).toEqual({ changes: [], foreign: [], tuning: [] });
  });

  it.each([
    'REVOKE ALL ON ALL TABLES IN SCHEMA graphile_worker FROM hms_app',
    'REVOKE USAGE ON SCHEMA graphile_worker FROM hms_app',
    'DROP POLICY "modules hms_app" ON graphile_worker._private_jobs',
    'DROP SCHEMA graphile_worker CASCADE',
  ])('gets the background tasks back after %s', async (change) => {
    await run(change);
    const { changes, foreign } = await database.ensure();
    expect(changes).toEqual([{ action: 'update', object: 'schema graphile_worker' }]);
    expect(foreign).toEqual([]);
    expect(await database.ensure()).toEqual({ changes: [], foreign: [], tuning: [] });
  });

  it('is compared by two processes at the same time', async () => {
    const settings = { url: operator, applicationName: 'platform', poolSize: 3, statementTimeoutMs: 5_000 };
    const other = new Postgres(settings, testCalls('database'));
    let inside: unknown;
    // The other one starts and ends while the transaction of this one is open, in which its reference is.
    const slow = {
      call: postgres.call.bind(postgres),
      patiently: postgres.patiently.bind(postgres),
      rolledBack: (op: string, work: (trx: Knex.Transaction) => Promise<unknown>) =>
        postgres.rolledBack(op, async (trx) => {
          const facts = await work(trx);
          inside ??= await new PlatformDatabase(other, () => true).ensure();
          return facts;
        }),
    } as unknown as Postgres;
    const nothing = { changes: [], foreign: [], tuning: [] };
    expect(await new PlatformDatabase(slow, () => true).ensure().finally(() => other.close())).toEqual(nothing);
    expect(inside).toEqual(nothing);
  });

  it('reports a table that another role owns, with its privileges', async () => {
    await run('ALTER TABLE graphile_worker._private_known_crontabs OWNER TO {spy}');
    const { foreign } = await database.ensure();
    await run('ALTER TABLE graphile_worker._private_known_crontabs OWNER TO hms_operator');
    const message = 'owner of table graphile_worker._private_known_crontabs is not restored';
    expect(foreign).toContainEqual({ kind: 'database', message });
    expect(await database.ensure()).toEqual({ changes: [], foreign: [], tuning: [] });
  });

  it("leaves settings for performance to the server's administrator", async () => {
    await run("ALTER DATABASE hms SET work_mem = '8MB'; ALTER DATABASE hms SET auto_explain.log_analyze = on");
    const { changes, foreign } = await database.ensure();
    await run('ALTER DATABASE hms RESET work_mem; ALTER DATABASE hms RESET auto_explain.log_analyze');
    expect({ changes, foreign }).toEqual({ changes: [], foreign: [] });
  });

  it('tells what changes only speed in its own tables, and leaves it', async () => {
    await run('CREATE INDEX spy ON platform.hospitals (display_name)');
    const found = await database.ensure();
    await run('DROP INDEX platform.spy');
    expect(found).toEqual({ changes: [], foreign: [], tuning: ['index spy was added'] });
  });

  it('reports settings of the server that turn off triggers and foreign keys', async () => {
    const change = async (text: string) => {
      await run(text);
      await run('SELECT pg_reload_conf()');
    };
    const found = () => database.ensure().then(({ foreign }) => foreign);
    await change('ALTER SYSTEM SET session_replication_role = replica');
    const message = 'setting session_replication_role of the server is replica';
    await until('the setting', found, (foreign) => foreign.some((one) => one.message === message));
    await change('ALTER SYSTEM RESET session_replication_role');
    await until('no setting', found, (foreign) => foreign.length === 0);
  });

  it.each([
    [
      'ALTER TABLE platform.hospitals ADD COLUMN leak text',
      /column leak/,
      'ALTER TABLE platform.hospitals DROP COLUMN leak',
    ],
    [
      `CREATE TABLE {spy}.ledger AS SELECT * FROM platform.schema_migrations;
       DELETE FROM platform.schema_migrations`,
      /schema platform can't be migrated: .*already exists/,
      'INSERT INTO platform.schema_migrations SELECT * FROM {spy}.ledger; DROP TABLE {spy}.ledger',
    ],
    [
      "INSERT INTO platform.schema_migrations SELECT max(version) + 1, '099_next.sql', '' FROM platform.schema_migrations",
      /schema platform: migration \d+ \(099_next\.sql\) belongs to a later release/,
      "DELETE FROM platform.schema_migrations WHERE name = '099_next.sql'",
    ],
    [
      "INSERT INTO platform.schema_migrations VALUES (77, 'leak', '')",
      /schema platform: row 77 of table schema_migrations does not belong there/,
      'DELETE FROM platform.schema_migrations WHERE version = 77',
    ],
    [
      `INSERT INTO platform.hospitals (id, prefix, owner_uid, display_name, issuer, state, timezone, currency, schema_version)
       VALUES (gen_random_uuid(), 'later', 'x', 'Later', 'http://later.example', 'Active', 'UTC', 'EUR', 99)`,
      /a later release has migrated the schemas of these hospitals.*: later \(version 99\)/,
      "DELETE FROM platform.hospitals WHERE prefix = 'later'",
    ],
    [
      'ALTER ROLE hms_operator BYPASSRLS',
      /role hms_operator has BYPASSRLS, which the operator does not need/,
      'ALTER ROLE hms_operator NOBYPASSRLS',
    ],
    [
      'ALTER EXTENSION pg_trgm ADD TABLE platform.hospitals',
      /table platform\.hospitals in extension pg_trgm does not belong there/,
      'ALTER EXTENSION pg_trgm DROP TABLE platform.hospitals',
    ],
    [
      'ALTER EXTENSION pg_trgm ADD TABLE {spy}.owned',
      /table spy_.*\.owned was added to extension pg_trgm/,
      'ALTER EXTENSION pg_trgm DROP TABLE {spy}.owned',
    ],
    [
      'ALTER FUNCTION extensions.similarity(text, text) SECURITY DEFINER',
      /extensions\.similarity\(text,text\) of extension pg_trgm was replaced/,
      'ALTER FUNCTION extensions.similarity(text, text) SECURITY INVOKER',
    ],
    [
      'CREATE OR REPLACE FUNCTION extensions.similarity(text, text) RETURNS real LANGUAGE sql RETURN 1::real',
      /extensions\.similarity\(text,text\) of extension pg_trgm was replaced/,
      "CREATE OR REPLACE FUNCTION extensions.similarity(text, text) RETURNS real LANGUAGE c STRICT IMMUTABLE PARALLEL SAFE AS '$libdir/pg_trgm', 'similarity'",
    ],
    [
      "CREATE OR REPLACE FUNCTION extensions.similarity(text, text) RETURNS real LANGUAGE c STRICT IMMUTABLE PARALLEL SAFE AS '$libdir/btree_gist', 'gbt_decompress'",
      /extensions\.similarity\(text,text\) of extension pg_trgm was replaced/,
      "CREATE OR REPLACE FUNCTION extensions.similarity(text, text) RETURNS real LANGUAGE c STRICT IMMUTABLE PARALLEL SAFE AS '$libdir/pg_trgm', 'similarity'",
    ],
    [
      "ALTER FUNCTION extensions.similarity(text, text) SET search_path = 'x'",
      /extensions\.similarity\(text,text\) of extension pg_trgm was replaced/,
      'ALTER FUNCTION extensions.similarity(text, text) RESET search_path',
    ],
    ['CREATE TABLE platform.leak ()', /table leak/, 'DROP TABLE platform.leak'],
    ['CREATE TABLE graphile_worker.leak ()', /table leak/, 'DROP TABLE graphile_worker.leak'],
    [
      'ALTER TABLE graphile_worker._private_jobs ALTER COLUMN max_attempts SET DEFAULT 1',
      /column max_attempts of table graphile_worker\._private_jobs is /,
      'ALTER TABLE graphile_worker._private_jobs ALTER COLUMN max_attempts SET DEFAULT 25',
    ],
    [
      'ALTER FUNCTION graphile_worker.remove_job(text) SECURITY DEFINER',
      /function remove_job.* has another definition/,
      'ALTER FUNCTION graphile_worker.remove_job(text) SECURITY INVOKER',
    ],
    ...MODULE_ROLES.flatMap(ofModule),
    ...TENANT_ROLES.map((role): [string, RegExp, string] => [
      `REVOKE EXECUTE ON FUNCTION pg_notify FROM ${role}`,
      new RegExp(`role ${role} may not call pg_notify`),
      `GRANT EXECUTE ON FUNCTION pg_notify TO ${role}`,
    ]),
    [
      'GRANT hms_app TO hms_console WITH INHERIT FALSE',
      /membership of role hms_console in role hms_app/,
      'REVOKE hms_app FROM hms_console',
    ],
    [
      'GRANT hms_app TO hms_auth WITH INHERIT FALSE',
      /membership of role hms_auth in role hms_app/,
      'REVOKE hms_app FROM hms_auth',
    ],
    [
      `COMMENT ON ROLE {spy} IS 'hms hospital of a test'; GRANT {spy} TO hms_console WITH INHERIT FALSE`,
      /membership of role hms_console in role spy_/,
      'REVOKE {spy} FROM hms_console; COMMENT ON ROLE {spy} IS NULL',
    ],
    [
      `INSERT INTO platform.hospitals (id, prefix, owner_uid, display_name, issuer, state, timezone, currency)
       VALUES (gen_random_uuid(), 'ghost', 'x', 'Ghost', 'http://ghost.example', 'Active', 'UTC', 'EUR')`,
      /registry row ghost belongs to no hospital/,
      "DELETE FROM platform.hospitals WHERE prefix = 'ghost'",
    ],
    [
      `COMMENT ON ROLE {spy} IS 'hms hospital of a test'; GRANT {spy} TO hms_app WITH INHERIT FALSE`,
      /role hms_app may act as spy_.*, which is the role of no hospital/,
      'REVOKE {spy} FROM hms_app; COMMENT ON ROLE {spy} IS NULL',
    ],
    [
      'GRANT EXECUTE ON FUNCTION pg_notify TO hms_console',
      /privileges of role hms_console on routine pg_catalog\.pg_notify/,
      'REVOKE EXECUTE ON FUNCTION pg_notify FROM hms_console',
    ],
    [
      "ALTER DATABASE hms SET search_path = 'x'",
      /setting search_path of database hms/,
      'ALTER DATABASE hms RESET search_path',
    ],
    [
      "ALTER DATABASE hms SET TimeZone = 'Asia/Tokyo'",
      /setting TimeZone of database hms/,
      'ALTER DATABASE hms RESET TimeZone',
    ],
    [
      "ALTER ROLE hms_operator IN DATABASE hms SET search_path = 'x'",
      /setting search_path of role hms_operator holds for the operator/,
      'ALTER ROLE hms_operator IN DATABASE hms RESET search_path',
    ],
    [
      'ALTER ROLE ALL SET transform_null_equals = on',
      /setting transform_null_equals of all roles/,
      'ALTER ROLE ALL RESET transform_null_equals',
    ],
    [
      'ALTER DATABASE hms SET synchronous_commit = off',
      /setting synchronous_commit of database hms/,
      'ALTER DATABASE hms RESET synchronous_commit',
    ],
    [
      'ALTER DATABASE hms OWNER TO {spy}',
      /database hms belongs to role spy_/,
      'ALTER DATABASE hms OWNER TO hms_operator',
    ],
    [
      'ALTER DATABASE hms IS_TEMPLATE true',
      /database hms is a template that others may copy/,
      'ALTER DATABASE hms IS_TEMPLATE false',
    ],
    [
      'ALTER EXTENSION btree_gist SET SCHEMA {spy}',
      /extension btree_gist is in schema spy_.* instead of extensions/,
      'ALTER EXTENSION btree_gist SET SCHEMA extensions',
    ],
    [
      'CREATE CAST (text AS uuid) WITH INOUT AS IMPLICIT',
      /cast from text to uuid changes what statements mean/,
      'DROP CAST (text AS uuid)',
    ],
    [
      'GRANT EXECUTE ON FUNCTION set_config(text, text, boolean) TO PUBLIC',
      /everybody may call set_config\(text,text,boolean\)$/,
      'REVOKE EXECUTE ON FUNCTION set_config(text, text, boolean) FROM PUBLIC',
    ],
    ['GRANT hms_operator TO {spy}', /role spy_.* may act as hms_operator/, 'REVOKE hms_operator FROM {spy}'],
    [
      'GRANT TEMP ON DATABASE hms TO PUBLIC',
      /everybody has TEMP.* on database hms/,
      'REVOKE TEMP ON DATABASE hms FROM PUBLIC',
    ],
    [
      'GRANT USAGE ON SCHEMA public TO PUBLIC',
      /everybody has USAGE on schema public/,
      'REVOKE USAGE ON SCHEMA public FROM PUBLIC',
    ],
    [
      `CREATE SCHEMA {spy}_tools; GRANT USAGE ON SCHEMA {spy}_tools TO PUBLIC`,
      /everybody has USAGE on schema spy_.*_tools/,
      'DROP SCHEMA {spy}_tools',
    ],
    [
      'GRANT EXECUTE ON FUNCTION pg_read_file(text) TO PUBLIC',
      /everybody may call pg_read_file\(text\)$/,
      'REVOKE EXECUTE ON FUNCTION pg_read_file(text) FROM PUBLIC',
    ],
    [
      'GRANT USAGE ON LANGUAGE plpgsql TO PUBLIC',
      /everybody may use language plpgsql/,
      'REVOKE USAGE ON LANGUAGE plpgsql FROM PUBLIC',
    ],
    [
      'GRANT UPDATE ON pg_settings TO PUBLIC',
      /everybody has UPDATE on view pg_settings/,
      'REVOKE UPDATE ON pg_settings FROM PUBLIC',
    ],
    [
      'GRANT SELECT (rolpassword) ON pg_authid TO PUBLIC',
      /everybody has SELECT on column rolpassword of table pg_authid/,
      'REVOKE SELECT (rolpassword) ON pg_authid FROM PUBLIC',
    ],
    [
      'GRANT SET ON PARAMETER session_replication_role TO PUBLIC',
      /everybody may set session_replication_role/,
      'REVOKE SET ON PARAMETER session_replication_role FROM PUBLIC',
    ],
    [
      "CREATE FUNCTION pg_catalog.lower(varchar) RETURNS text LANGUAGE sql RETURN 'x'",
      /function lower\(character varying\) in pg_catalog changes what statements mean/,
      'DROP FUNCTION pg_catalog.lower(varchar)',
    ],
    [
      'ALTER DATABASE hms CONNECTION LIMIT 500',
      /database hms is limited to 500 connections/,
      'ALTER DATABASE hms CONNECTION LIMIT -1',
    ],
    [
      'INSERT INTO graphile_worker.migrations (id, breaking) VALUES (999999, true)',
      /migration 999999 of schema graphile_worker belongs to a later release/,
      'DELETE FROM graphile_worker.migrations WHERE id = 999999',
    ],
    [
      'CREATE FUNCTION {spy}.same(uuid, text) RETURNS boolean LANGUAGE sql RETURN true; CREATE OPERATOR pg_catalog.= (LEFTARG = uuid, RIGHTARG = text, FUNCTION = {spy}.same)',
      /operator =\(uuid,text\) in pg_catalog changes what statements mean/,
      'DROP OPERATOR pg_catalog.= (uuid, text); DROP FUNCTION {spy}.same',
    ],
    [
      "CREATE SUBSCRIPTION {spy} CONNECTION 'host=127.0.0.1' PUBLICATION x WITH (connect = false)",
      /subscription spy_.* writes to tables/,
      'ALTER SUBSCRIPTION {spy} SET (slot_name = NONE); DROP SUBSCRIPTION {spy}',
    ],
    ['CREATE PUBLICATION {spy} FOR ALL TABLES', /publication spy_.* every hospital/, 'DROP PUBLICATION {spy}'],
    [
      `CREATE FUNCTION {spy}.ddl() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN END';
       CREATE EVENT TRIGGER {spy} ON ddl_command_end EXECUTE FUNCTION {spy}.ddl()`,
      /event trigger spy_/,
      'DROP EVENT TRIGGER {spy}',
    ],
    [
      'ALTER DEFAULT PRIVILEGES FOR ROLE hms_operator GRANT SELECT ON TABLES TO {spy}',
      /default privileges of role hms_operator give new objects to spy_/,
      'ALTER DEFAULT PRIVILEGES FOR ROLE hms_operator REVOKE SELECT ON TABLES FROM {spy}',
    ],
  ])('is reported after %s', async (change, message, undo) => {
    await run(change);
    const { foreign } = await database.ensure();
    await run(undo);
    expect(foreign).toEqual([{ kind: 'database', message: expect.stringMatching(message) }]);
    expect(await database.ensure()).toEqual({ changes: [], foreign: [], tuning: [] });
  });
});
