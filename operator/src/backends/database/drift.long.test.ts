/**
 * Manual changes to a hospital's part of PostgreSQL, one by one on a real server: each is restored or reported, or, if
 * it changes only speed, told and left.
 */
import { randomBytes } from 'node:crypto';
import {
  connect,
  deleteHospital,
  dropTenantRole,
  dropTenantSchema,
  insertHospital,
  migratePlatform,
  migration,
  TENANT_MIGRATIONS,
} from '@hms/database';
import { MODULE_ROLES, TENANT_ROLES } from '@hms/tenancy';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Knex } from 'knex';
import { platform } from '../../../../test/platform.ts';
import { tenantOf } from '../../hospital/tenant.ts';
import { hospitalObject } from '../../hospital/testing.ts';
import { PlatformDatabase } from '../../platform/database.ts';
import type { Tenant } from '../backend.ts';
import { testCalls } from '../testing.ts';
import { DatabaseBackend } from './backend.ts';
import { Postgres } from './client.ts';
import type { DatabaseChange } from './diff.ts';

const SLOW = 60_000;
const prefix = `d${randomBytes(5).toString('hex')}`;
const SPY = `spy_${prefix}`;
const OTHER = `other_${prefix}`;
const SETTINGS = { baseUrl: 'http://localhost', domain: 'localhost' };
const { operator, admin } = platform().databaseUrls;

let superuser: Knex;
let postgres: Postgres;
let backend: DatabaseBackend;
let tenant: Tenant;

beforeAll(async () => {
  superuser = connect(admin);
  postgres = new Postgres(
    { url: operator, applicationName: 'drift', poolSize: 4, statementTimeoutMs: 20_000 },
    testCalls('database'),
  );
  backend = new DatabaseBackend(postgres, TENANT_MIGRATIONS);
  const db = connect(operator);
  await migratePlatform(db);
  tenant = await create(db, prefix, backend);
  await db.destroy();
  await superuser.raw(`CREATE ROLE ${SPY}; CREATE SCHEMA ${OTHER}; GRANT CREATE ON SCHEMA ${tenant.names.schema} TO ${SPY};
    REVOKE ALL ON SCHEMA ${tenant.names.schema} FROM ${SPY}`);
}, SLOW);

afterAll(async () => {
  if (!tenant) return;
  const { names } = tenant;
  await superuser.raw(`DROP SCHEMA IF EXISTS ${OTHER} CASCADE`);
  await dropTenantSchema(superuser, names);
  await superuser.raw(`DROP OWNED BY ${SPY}, ${names.role}`);
  await superuser.raw(`DROP ROLE ${SPY}`);
  await dropTenantRole(superuser, names);
  await deleteHospital(superuser, prefix);
  await Promise.all([superuser.destroy(), postgres.close()]);
}, SLOW);

async function create(db: Knex, name: string, of: DatabaseBackend): Promise<Tenant> {
  const created = tenantOf(hospitalObject({ name }), crypto.randomUUID(), SETTINGS);
  await insertHospital(db, {
    id: created.hospitalId,
    prefix: name,
    ownerUid: created.uid,
    ...created.profile,
    state: 'Provisioning',
    schemaVersion: 0,
  });
  await of.apply(created, await compare(of, created));
  expect(await compare(of, created)).toEqual([]);
  return created;
}

async function compare(of = backend, at = tenant): Promise<readonly DatabaseChange[]> {
  return of.diff(at, await of.observe(at));
}

const sql = (text: string) =>
  text.replaceAll('{h}', tenant.names.schema).replaceAll('{spy}', SPY).replaceAll('{other}', OTHER);
const run = (text: string) => superuser.raw(sql(text).replaceAll('?', '\\?'));

/** The foreign function of an added trigger stays when the trigger is dropped. */
const CLEARED = 'DROP FUNCTION IF EXISTS {other}.leak()';

const RESTORED: readonly string[] = [
  // The role.
  'ALTER ROLE {h} INHERIT',
  'ALTER ROLE {h} CREATEROLE',
  "ALTER ROLE {h} VALID UNTIL '2000-01-01'",
  'ALTER ROLE {h} CONNECTION LIMIT 3',
  'ALTER ROLE {h} NOLOGIN',
  "ALTER ROLE {h} SET search_path = 'platform'",
  "ALTER ROLE {h} SET statement_timeout = '1ms'",
  'ALTER ROLE {h} IN DATABASE hms SET row_security = off',
  // Privileges of the role elsewhere, and of others here.
  'GRANT USAGE ON SCHEMA platform TO {h}',
  'GRANT SELECT ON platform.hospitals TO {h}',
  'GRANT UPDATE (display_name) ON platform.hospitals TO {h}',
  'GRANT CREATE ON DATABASE hms TO {h}',
  'GRANT USAGE ON SCHEMA {h} TO {spy}',
  'GRANT CREATE ON SCHEMA {h} TO {h}',
  'GRANT USAGE ON SCHEMA {h} TO PUBLIC',
  'GRANT SELECT ON {h}.patients TO {spy}',
  'GRANT SELECT (phone), UPDATE (phone) ON {h}.patients TO {spy}',
  'GRANT SELECT ON {h}.families TO PUBLIC',
  ...MODULE_ROLES.map((role) => `GRANT SELECT ON {h}.families TO ${role}`),
  // Which modules may act as the role.
  ...TENANT_ROLES.map((role) => `REVOKE {h} FROM ${role} GRANTED BY hms_operator`),
  'GRANT {h} TO hms_console WITH INHERIT FALSE GRANTED BY hms_operator',
  'GRANT {h} TO hms_auth WITH INHERIT TRUE GRANTED BY hms_operator',
  'GRANT CREATE ON SCHEMA extensions TO {h}',
  'GRANT INSERT ON {h}.schema_migrations TO {h}',
  'GRANT TRUNCATE, TRIGGER ON {h}.patients TO {h}',
  'GRANT SELECT ON {h}.patients TO {h} WITH GRANT OPTION',
  'REVOKE DELETE ON {h}.counters FROM {h}',
  'GRANT USAGE ON TYPE {h}.own_hospital_id TO {spy}',
  'ALTER DEFAULT PRIVILEGES FOR ROLE hms_operator IN SCHEMA {h} GRANT SELECT ON TABLES TO {spy}',
  'ALTER DEFAULT PRIVILEGES FOR ROLE hms_operator IN SCHEMA {h} REVOKE INSERT ON TABLES FROM {h}',
  'ALTER TABLE {h}.family_members OWNER TO {h}',
  // Code that runs in the hospital's transactions.
  `CREATE FUNCTION {other}.leak() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
   CREATE TRIGGER spy BEFORE INSERT ON {h}.patients FOR EACH ROW EXECUTE FUNCTION {other}.leak()`,
  'CREATE RULE spy AS ON INSERT TO {h}.families DO ALSO NOTHING',
  'CREATE POLICY spy ON {h}.patients USING (false); ALTER TABLE {h}.patients ENABLE ROW LEVEL SECURITY',
  'ALTER TABLE {h}.families FORCE ROW LEVEL SECURITY',
  'DROP INDEX {h}.patients_email',
];

/** A change, the pattern of its report, and the statement that undoes it. */
const REPORTED: readonly (readonly [string, RegExp, string])[] = [
  [
    'GRANT {h} TO {spy}; ALTER TABLE {h}.patients ADD COLUMN spy text',
    /restore membership of role spy_.*column spy of table .* does not belong/,
    'REVOKE {h} FROM {spy}; ALTER TABLE {h}.patients DROP COLUMN spy',
  ],
  [
    'ALTER FUNCTION {h}.search_text(text) COST 7',
    /function search_text\(text\) has another definition/,
    'ALTER FUNCTION {h}.search_text(text) COST 100',
  ],
  ['GRANT {h} TO {spy}', /membership of role spy_/, 'REVOKE {h} FROM {spy}'],
  ['GRANT {h} TO hms_console', /membership of role hms_console/, 'REVOKE {h} FROM hms_console'],
  [
    'GRANT pg_read_all_data TO {h}',
    /membership of role {h} in role pg_read_all_data/,
    'REVOKE pg_read_all_data FROM {h}',
  ],
  ['ALTER ROLE {h} CREATEDB', /attribute CREATEDB of role {h}/, 'ALTER ROLE {h} NOCREATEDB'],
  ['ALTER ROLE {h} BYPASSRLS', /attribute BYPASSRLS of role {h}/, 'ALTER ROLE {h} NOBYPASSRLS'],
  [
    'ALTER TABLE {h}.counters OWNER TO {spy}',
    /owner of table {h}\.counters/,
    'ALTER TABLE {h}.counters OWNER TO hms_operator',
  ],
  ['ALTER SCHEMA {h} OWNER TO {spy}', /restore owner of schema {h}/, 'ALTER SCHEMA {h} OWNER TO hms_operator'],
  [
    "INSERT INTO {h}.schema_migrations VALUES (7, 'spy', '')",
    /row 7 of table schema_migrations does not belong there/,
    'DELETE FROM {h}.schema_migrations WHERE version = 7',
  ],
  [
    // It would switch the comparison off if it counted as a later release's. The registry knows better.
    `INSERT INTO {h}.schema_migrations SELECT max(version) + 1, 'spy', '' FROM {h}.schema_migrations;
     ALTER TABLE {h}.patients ADD COLUMN spy text`,
    /row \d+ of table schema_migrations is not in the registry.*column spy of table {h}\.patients does not belong/,
    "DELETE FROM {h}.schema_migrations WHERE name = 'spy'; ALTER TABLE {h}.patients DROP COLUMN spy",
  ],
  [
    "UPDATE {h}.schema_migrations SET checksum = 'x' || checksum WHERE version = 1",
    /row 1 of table schema_migrations has another name or checksum/,
    'UPDATE {h}.schema_migrations SET checksum = substr(checksum, 2) WHERE version = 1',
  ],
  [
    // pg_dump leaves it out, and DROP EXTENSION drops it.
    'ALTER EXTENSION pg_trgm ADD TABLE {h}.patients',
    /table {h}\.patients in extension pg_trgm does not belong there/,
    'ALTER EXTENSION pg_trgm DROP TABLE {h}.patients',
  ],
  [
    'ALTER EXTENSION btree_gist ADD FUNCTION {h}.search_text(text)',
    /function {h}\.search_text\(text\) in extension btree_gist/,
    'ALTER EXTENSION btree_gist DROP FUNCTION {h}.search_text(text)',
  ],
  [
    'ALTER TABLE {h}.patients ADD COLUMN spy text',
    /column spy of table {h}\.patients does not belong/,
    'ALTER TABLE {h}.patients DROP COLUMN spy',
  ],
  [
    'ALTER TABLE {h}.patients RENAME COLUMN email TO mail',
    /column email of .* is missing/,
    'ALTER TABLE {h}.patients RENAME COLUMN mail TO email',
  ],
  [
    'ALTER TABLE {h}.families ALTER COLUMN name DROP NOT NULL',
    /column name of table {h}\.families/,
    'ALTER TABLE {h}.families ALTER COLUMN name SET NOT NULL',
  ],
  [
    'ALTER TABLE {h}.families ALTER COLUMN version DROP DEFAULT',
    /column version of .*families/,
    'ALTER TABLE {h}.families ALTER COLUMN version SET DEFAULT 1',
  ],
  [
    'ALTER TABLE {h}.counters ALTER COLUMN value TYPE numeric',
    /column value of .*counters/,
    'ALTER TABLE {h}.counters ALTER COLUMN value TYPE bigint',
  ],
  [
    'ALTER TABLE {h}.patients DROP CONSTRAINT patients_phone_check',
    /constraint patients_phone_check of .* is missing/,
    String.raw`ALTER TABLE {h}.patients ADD CONSTRAINT patients_phone_check CHECK (phone ~ '^\+[1-9][0-9]{6,14}$')`,
  ],
  [
    'ALTER TABLE {h}.patients DROP CONSTRAINT patients_patient_code_key',
    /constraint patients_patient_code_key of .* is missing/,
    'ALTER TABLE {h}.patients ADD CONSTRAINT patients_patient_code_key UNIQUE (patient_code)',
  ],
  [
    'ALTER TABLE {h}.patients ADD CONSTRAINT spy CHECK (false) NOT VALID',
    /constraint spy of .* does not belong/,
    'ALTER TABLE {h}.patients DROP CONSTRAINT spy',
  ],
  [
    'DROP INDEX {h}.family_members_one_family',
    /index family_members_one_family is missing/,
    'CREATE UNIQUE INDEX family_members_one_family ON {h}.family_members (patient_id) WHERE left_at IS NULL',
  ],
  [
    'ALTER DOMAIN {h}.own_hospital_id DROP CONSTRAINT own_hospital_id_check',
    /constraint own_hospital_id_check of type .* is missing/,
    `ALTER DOMAIN {h}.own_hospital_id ADD CONSTRAINT own_hospital_id_check CHECK (VALUE = '{id}')`,
  ],
  [
    'ALTER DOMAIN {h}.own_hospital_id DROP DEFAULT',
    /type own_hospital_id is /,
    `ALTER DOMAIN {h}.own_hospital_id SET DEFAULT '{id}'`,
  ],
  [
    'ALTER TABLE {h}.families DISABLE TRIGGER ALL',
    /constraint trigger families_primary_contact_is_member/,
    'ALTER TABLE {h}.families ENABLE TRIGGER ALL',
  ],
  ['CREATE TABLE {h}.spy ()', /table spy does not belong/, 'DROP TABLE {h}.spy'],
  ['CREATE VIEW {h}.spy AS SELECT 1 AS one', /view spy does not belong/, 'DROP VIEW {h}.spy'],
  ['CREATE SEQUENCE {h}.spy', /sequence spy does not belong/, 'DROP SEQUENCE {h}.spy'],
  ["CREATE TYPE {h}.spy AS ENUM ('a')", /type spy does not belong/, 'DROP TYPE {h}.spy'],
  [
    `CREATE FUNCTION {h}.lower(text) RETURNS text LANGUAGE sql AS 'SELECT 1::text'`,
    /function lower\(text\) does not belong/,
    'DROP FUNCTION {h}.lower(text)',
  ],
  [
    'CREATE TABLE {other}.spy () INHERITS ({h}.patients)',
    /object outside the schema .*TABLE|patients/,
    'DROP TABLE {other}.spy',
  ],
  [
    'CREATE VIEW {other}.spy AS SELECT * FROM {h}.patients',
    /patients of .*other_.*does not belong/,
    'DROP VIEW {other}.spy',
  ],
  ['CREATE PUBLICATION {spy} FOR TABLE {h}.patients', /publication spy_/, 'DROP PUBLICATION {spy}'],
  ['CREATE PUBLICATION {spy} FOR TABLES IN SCHEMA {h}', /publication spy_/, 'DROP PUBLICATION {spy}'],
  [
    'ALTER TABLE {h}.patients REPLICA IDENTITY FULL',
    /table patients is /,
    'ALTER TABLE {h}.patients REPLICA IDENTITY DEFAULT',
  ],
];

/** What changes only speed, the pattern of what is said about it, and the statement that undoes it. */
const TUNED: readonly (readonly [string, RegExp, string])[] = [
  ['CREATE INDEX spy ON {h}.patients (phone)', /index spy was added/, 'DROP INDEX {h}.spy'],
  [
    'CREATE STATISTICS {h}.spy ON phone, email FROM {h}.patients',
    /statistics object .*spy was added/,
    'DROP STATISTICS {h}.spy',
  ],
  [
    'ALTER TABLE {h}.patients ALTER COLUMN phone SET STATISTICS 10',
    /setting of column phone of table {h}\.patients is "statistics 10"/,
    'ALTER TABLE {h}.patients ALTER COLUMN phone SET STATISTICS -1',
  ],
  [
    'ALTER TABLE {h}.patients ALTER COLUMN phone SET STORAGE EXTERNAL',
    /setting of column phone of table {h}\.patients is "storage e"/,
    'ALTER TABLE {h}.patients ALTER COLUMN phone SET STORAGE DEFAULT',
  ],
  [
    'ALTER TABLE {h}.patients SET (autovacuum_enabled = false)',
    /setting of table {h}\.patients is "autovacuum_enabled=false"/,
    'ALTER TABLE {h}.patients RESET (autovacuum_enabled)',
  ],
  [
    'ALTER TABLE {h}.patients SET (toast.autovacuum_enabled = false)',
    /setting of table {h}\.patients is "toast autovacuum_enabled=false"/,
    'ALTER TABLE {h}.patients RESET (toast.autovacuum_enabled)',
  ],
  [
    'ALTER INDEX {h}.patients_email ALTER COLUMN 1 SET STATISTICS 10',
    /setting of index {h}\.patients_email is "statistics 1 10"/,
    'ALTER INDEX {h}.patients_email ALTER COLUMN 1 SET STATISTICS -1',
  ],
  [
    'ALTER INDEX {h}.patients_phone SET (fillfactor = 50)',
    /setting of index {h}\.patients_phone is "fillfactor=50"/,
    'ALTER INDEX {h}.patients_phone RESET (fillfactor)',
  ],
  [
    'ALTER INDEX {h}.patients_pkey SET (fillfactor = 50)',
    /setting of index {h}\.patients_pkey is "fillfactor=50"/,
    'ALTER INDEX {h}.patients_pkey RESET (fillfactor)',
  ],
  [
    'ALTER TABLE {h}.patients CLUSTER ON patients_pkey',
    /setting of index {h}\.patients_pkey is "CLUSTER"/,
    'ALTER TABLE {h}.patients SET WITHOUT CLUSTER',
  ],
  [
    'DROP INDEX {h}.patients_email; CREATE INDEX patients_email ON {h}.patients (email)',
    /index patients_email is /,
    'DROP INDEX {h}.patients_email',
  ],
];

describe("a hospital's part of PostgreSQL", () => {
  it.each(RESTORED)('is restored after %s', async (change) => {
    await run(change);
    const changes = await compare();
    expect(changes).not.toEqual([]);
    await backend.apply(tenant, changes);
    expect(await compare()).toEqual([]);
    await run(CLEARED);
  });

  it(
    'is restored after all of these together',
    async () => {
      for (const change of RESTORED) await run(change);
      await backend.apply(tenant, await compare());
      expect(await compare()).toEqual([]);
    },
    SLOW,
  );

  it.each(TUNED)('is left as it is, and not damaged, after %s', async (change, pattern, undo) => {
    await run(change);
    const observed = await backend.observe(tenant);
    await run(undo);
    expect(backend.diff(tenant, observed)).toEqual([]);
    expect(backend.report(tenant, observed).tuning?.join('; ')).toMatch(new RegExp(sql(pattern.source)));
    await backend.apply(tenant, await compare());
    const after = await backend.observe(tenant);
    expect([backend.diff(tenant, after), backend.report(tenant, after)]).toEqual([[], { tuning: [] }]);
  });

  it('is damaged by an added index that decides which records there can be', async () => {
    await run('CREATE UNIQUE INDEX spy ON {h}.patients (phone)');
    const compared = compare();
    await expect(compared).rejects.toThrow('index spy does not belong there');
    await run('DROP INDEX {h}.spy');
    expect(await compare()).toEqual([]);
  });

  it('stays open for a module that loses an option in the reconcile of the platform', async () => {
    await run('GRANT {h} TO hms_auth WITH INHERIT TRUE, ADMIN TRUE GRANTED BY hms_operator');
    expect(await compare()).not.toEqual([]);
    await new PlatformDatabase(postgres, () => true).ensure();
    expect(await compare()).toEqual([]);
  });

  it.each(REPORTED)('is reported after %s', async (change, pattern, undo) => {
    await run(change);
    const reported = await compare()
      .then((changes) => backend.apply(tenant, changes))
      .then(
        () => 'nothing',
        (error: Error) => error.message,
      );
    await run(undo.replaceAll('{id}', tenant.hospitalId));
    expect(reported).toMatch(new RegExp(sql(pattern.source)));
    expect(await compare()).toEqual([]);
  });

  it('is restored as far as possible while its role is a superuser, whom the operator may not change', async () => {
    await run('ALTER ROLE {h} SUPERUSER CONNECTION LIMIT 7; GRANT SELECT ON {h}.patients TO PUBLIC');
    const applied = backend.apply(tenant, await compare());
    await expect(applied).rejects.toThrow(sql('does not let the operator restore'));
    await expect(applied).rejects.toThrow(sql('role {h}: permission denied to alter role'));
    await run('ALTER ROLE {h} NOSUPERUSER');
    expect(await compare()).toMatchObject([{ kind: 'login' }]);
    await backend.apply(tenant, await compare());
    expect(await compare()).toEqual([]);
  });

  it('is compared with its own version while a later migration waits for its turn', async () => {
    const next = migration(TENANT_MIGRATIONS.length + 1, '999_beds.sql', 'CREATE TABLE beds (id integer PRIMARY KEY)');
    const newer = new DatabaseBackend(postgres, [...TENANT_MIGRATIONS, next]);
    expect(await compare(newer)).toEqual([]);
    await run('DROP INDEX {h}.patients_phone');
    expect(await compare(newer)).toMatchObject([{ kind: 'restore', object: 'index patients_phone' }]);
    await newer.apply(tenant, await compare(newer));
    expect(await compare(newer)).toEqual([]);
  });

  it('has only its role compared if a later release has migrated it', async () => {
    const older = new DatabaseBackend(postgres, []);
    expect(await compare(older)).toEqual([]);
    await run('DROP INDEX {h}.patients_phone; GRANT USAGE ON SCHEMA platform TO {h}');
    expect(await compare(older)).toMatchObject([
      { object: 'privileges of role {h} on schema platform'.replace('{h}', tenant.names.role) },
    ]);
    await backend.apply(tenant, await compare());
    expect(await compare()).toEqual([]);
  });

  it('names lost tables before anything else', async () => {
    await run('ALTER TABLE {h}.counters SET SCHEMA {other}');
    await expect(compare()).rejects.toThrow(/has lost table counters with all records in it/);
    await run('ALTER TABLE {other}.counters SET SCHEMA {h}');
    expect(await compare()).toEqual([]);
  });

  it('is equal after its definitions are recreated from their own text, as in a restored backup', async () => {
    const { rows } = await superuser.raw<{ rows: { statement: string }[] }>(
      `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I, ADD CONSTRAINT %I %s', conrelid::regclass, conname, conname,
         pg_get_constraintdef(oid)) AS statement
       FROM pg_constraint WHERE connamespace = ?::regnamespace AND conrelid <> 0 AND contype IN ('c', 'f')
       UNION ALL
       SELECT format('ALTER TABLE %s ALTER COLUMN %I SET EXPRESSION AS (%s)', adrelid::regclass, attname, pg_get_expr(adbin, adrelid))
       FROM pg_attrdef JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum JOIN pg_class c ON c.oid = adrelid
       WHERE relnamespace = ?::regnamespace AND attgenerated = 's' AND attname = 'search'
       UNION ALL
       SELECT format('DROP INDEX %s; %s', indexrelid::regclass, pg_get_indexdef(indexrelid))
       FROM pg_index i JOIN pg_class c ON c.oid = indexrelid
       WHERE relnamespace = ?::regnamespace AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = c.oid)`,
      Array(3).fill(tenant.names.schema),
    );
    expect(rows.length).toBeGreaterThan(20);
    await superuser.raw(
      `SET ROLE hms_operator; ${rows.map(({ statement }) => statement.replaceAll('?', '\\?')).join(';')}; RESET ROLE`,
    );
    expect(await compare()).toEqual([]);
  });
});
