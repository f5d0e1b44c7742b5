/** Manual changes of the shared part of PostgreSQL: each is restored or reported. */
import { randomBytes } from 'node:crypto';
import { connect, PLATFORM_SCHEMA } from '@hms/database';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Knex } from 'knex';
import { platform } from '../../../test/platform.ts';
import { Postgres } from '../backends/database/client.ts';
import { testCalls } from '../backends/testing.ts';
import { PlatformDatabase } from './database.ts';

const SPY = `spy_${randomBytes(5).toString('hex')}`;
const { operator, admin } = platform().databaseUrls;
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
  database = new PlatformDatabase(postgres);
  await database.ensure();
  await run('CREATE ROLE {spy}; CREATE SCHEMA {spy}');
  expect(await database.ensure()).toEqual({ changes: [], foreign: [] });
});

afterAll(async () => {
  await run('DROP SCHEMA {spy} CASCADE; DROP OWNED BY {spy}; DROP ROLE {spy}');
  await Promise.all([superuser.destroy(), postgres.close()]);
});

describe(`schema ${PLATFORM_SCHEMA}`, () => {
  it.each([
    'GRANT SELECT ON platform.hospitals TO PUBLIC',
    'GRANT USAGE ON SCHEMA platform TO {spy}',
    'GRANT UPDATE (state) ON platform.hospitals TO hms_app',
    'REVOKE SELECT ON platform.hospitals FROM hms_app',
    'GRANT SELECT ON platform.schema_migrations TO {spy}',
    `CREATE FUNCTION {spy}.leak() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
     CREATE TRIGGER leak BEFORE UPDATE ON platform.hospitals FOR EACH ROW EXECUTE FUNCTION {spy}.leak()`,
    'ALTER TABLE platform.hospitals ENABLE ROW LEVEL SECURITY',
  ])('is restored after %s', async (change) => {
    await run(change);
    const { changes, foreign } = await database.ensure();
    expect(changes.length).toBeGreaterThan(0);
    expect(foreign).toEqual([]);
    expect(await database.ensure()).toEqual({ changes: [], foreign: [] });
  });

  it("leaves settings for performance to the server's administrator", async () => {
    await run("ALTER DATABASE hms SET work_mem = '8MB'; ALTER DATABASE hms SET auto_explain.log_analyze = on");
    const { changes, foreign } = await database.ensure();
    await run('ALTER DATABASE hms RESET work_mem; ALTER DATABASE hms RESET auto_explain.log_analyze');
    expect({ changes, foreign }).toEqual({ changes: [], foreign: [] });
  });

  it.each([
    [
      'ALTER TABLE platform.hospitals ADD COLUMN leak text',
      /column leak/,
      'ALTER TABLE platform.hospitals DROP COLUMN leak',
    ],
    [
      `CREATE TABLE {spy}.ledger AS SELECT * FROM platform.schema_migrations;
       DELETE FROM platform.schema_migrations WHERE version = (SELECT max(version) FROM platform.schema_migrations)`,
      /schema platform can't be migrated: .*already exists/,
      'INSERT INTO platform.schema_migrations SELECT * FROM {spy}.ledger ORDER BY version DESC LIMIT 1; DROP TABLE {spy}.ledger',
    ],
    ['CREATE TABLE platform.leak ()', /table leak/, 'DROP TABLE platform.leak'],
    [
      'GRANT pg_read_all_data TO hms_app',
      /role hms_app in role pg_read_all_data/,
      'REVOKE pg_read_all_data FROM hms_app',
    ],
    ['GRANT hms_app TO {spy}', /role spy_.* in role hms_app/, 'REVOKE hms_app FROM {spy}'],
    ['ALTER ROLE hms_app BYPASSRLS', /BYPASSRLS of role hms_app/, 'ALTER ROLE hms_app NOBYPASSRLS'],
    [
      "ALTER ROLE hms_app SET search_path = 'x'",
      /setting search_path of role hms_app/,
      'ALTER ROLE hms_app RESET search_path',
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
      'REVOKE CONNECT ON DATABASE hms FROM hms_app',
      /role hms_app may not connect to database hms/,
      'GRANT CONNECT ON DATABASE hms TO hms_app',
    ],
    [
      'ALTER ROLE hms_app CONNECTION LIMIT 30',
      /role hms_app is limited to 30 connections/,
      'ALTER ROLE hms_app CONNECTION LIMIT -1',
    ],
    [
      'ALTER EXTENSION btree_gist SET SCHEMA {spy}',
      /extension btree_gist is missing in schema public/,
      'ALTER EXTENSION btree_gist SET SCHEMA public',
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
    expect(await database.ensure()).toEqual({ changes: [], foreign: [] });
  });
});
