/**
 * Migrations are plain SQL files, `NNN_name.sql`, run in order, each once, and never edited after a release. A long one
 * is a folder `NNN_name` with one file for each subject, which are run in the order of their names.
 * `platform/` is the shared schema, `tenant/` that of every hospital. See docs/decisions/003-migrations.md.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { HospitalNames } from '@hms/tenancy';
import type { Knex } from 'knex';
import { createExtensions } from './extensions.ts';
import { storeSystemTemplates } from './role-templates.ts';
import { literal, quote } from './sql.ts';
import { type MigratedTasks, migrateTasks } from './tasks.ts';

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the text. */
  readonly checksum: string;
  /** Tables that a comment `-- append-only: <table>` declares: a hospital's role may not change or delete their rows. */
  readonly appendOnly: readonly string[];
}

export interface Migrated {
  readonly from: number;
  readonly to: number;
}

/** A migration that can't be run on a schema. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
  /** PostgreSQL's error, if PostgreSQL refused it. */
  readonly code: string | undefined;

  constructor(message: string, cause?: Error & { readonly code?: string }) {
    super(message, cause && { cause });
    this.code = cause?.code;
  }
}

/** Reads a folder of migrations. @throws Error if a number is missing or duplicate. */
function readMigrations(folder: URL): readonly Migration[] {
  const entries = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() || isSql(entry.name))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  return entries.map((entry, index) => {
    const { name } = entry;
    const version = Number(/^(\d{3})_[a-z0-9_]+(?:\.sql)?$/.exec(name)?.[1]);
    if (version !== index + 1) throw new Error(`migration ${name} should be number ${index + 1}`);
    const sql = entry.isDirectory() ? readParts(new URL(`${name}/`, folder)) : read(new URL(name, folder));
    return migration(version, name, sql);
  });
}

function readParts(folder: URL): string {
  const files = readdirSync(folder).filter(isSql).sort();
  return files.map((file) => read(new URL(file, folder))).join('\n');
}

function read(file: URL): string {
  return readFileSync(file, 'utf8');
}

function isSql(file: string): boolean {
  return file.endsWith('.sql');
}

/** @param version its number: 1, 2, … without a gap. */
export function migration(version: number, name: string, sql: string): Migration {
  const appendOnly = [...sql.matchAll(/^-- append-only: (\w+)$/gm)].map(([, table = '']) => table);
  return { version, name, sql, checksum: createHash('sha256').update(sql).digest('hex'), appendOnly };
}

/** Table of each schema that records its migrations. */
const MIGRATIONS_TABLE = 'schema_migrations';

/** Statements that apply the given migrations to an empty schema, for one transaction. Pure. */
export function migrationScript(schema: string, migrations: readonly Migration[]): readonly string[] {
  return [
    `SET LOCAL search_path TO ${quote(schema)}`,
    CREATE_MIGRATIONS_TABLE,
    ...migrations.map(asScript),
    'SET LOCAL search_path TO DEFAULT',
  ];
}

const CREATE_MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS ${MIGRATIONS_TABLE} (
    version integer PRIMARY KEY,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
  )`;

/** The shared schema. */
export const PLATFORM_SCHEMA = 'platform';
const PLATFORM = readMigrations(new URL('../migrations/platform/', import.meta.url));

/** The migrations of every hospital's schema, in order. */
export const TENANT_MIGRATIONS = readMigrations(new URL('../migrations/tenant/', import.meta.url));

/** Version of a hospital's schema after all tenant migrations. */
export const TENANT_SCHEMA_VERSION = TENANT_MIGRATIONS.length;

/** A migration waits at most this long for a table, because later queries wait behind it. */
const LOCK_TIMEOUT_MS = 5_000;

/**
 * Creates or updates the schema `platform`, that of the background tasks and the system role templates, and only reads
 * if they are up to date. Safe for parallel processes.
 * @throws PostgreSQL's 55P03 if a table can't be locked within five seconds.
 */
export async function migratePlatform(db: Knex): Promise<MigratedPlatform> {
  const migrated = await migrateSchema(db);
  const tasks = await migrateTasks(db);
  return { ...migrated, ...tasks, templatesChanged: await storeSystemTemplates(db) };
}

export interface MigratedPlatform extends Migrated, MigratedTasks {
  /** Names of the system role templates that were written. */
  readonly templatesChanged: readonly string[];
}

async function migrateSchema(db: Knex): Promise<Migrated> {
  const version = versionOf(await readApplied(db, PLATFORM_SCHEMA));
  if (version >= PLATFORM.length) return { from: version, to: version };
  return db.transaction(async (trx) => {
    // Waits for other migrations, but not for users of a table.
    await lock(trx, PLATFORM_SCHEMA);
    await trx.raw(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await trx.raw(`CREATE SCHEMA IF NOT EXISTS ${quote(PLATFORM_SCHEMA)}`);
    await trx.raw(grantPlatform(PLATFORM_SCHEMA));
    for (const statement of createExtensions()) await trx.raw(statement);
    return migrate(trx, PLATFORM_SCHEMA, PLATFORM);
  });
}

/**
 * Migrates a hospital's schema to the newest version in the given transaction, which must be the schema owner's,
 * and writes the version into the registry.
 * @throws PostgreSQL's 55P03 if a table, or the schema's own lock, can't be locked within five seconds.
 */
export async function migrateTenant(
  trx: Knex.Transaction,
  names: HospitalNames,
  migrations: readonly Migration[] = TENANT_MIGRATIONS,
): Promise<Migrated> {
  await trx.raw(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
  await lock(trx, names.schema);
  const result = await migrate(trx, names.schema, migrations);
  for (const statement of Object.values(protections(names, migrations.slice(result.from)))) await trx.raw(statement);
  await trx.raw('UPDATE platform.hospitals SET schema_version = ? WHERE prefix = ? AND schema_version <> ?', [
    result.to,
    names.prefix,
    result.to,
  ]);
  return result;
}

/**
 * Statements, by table, that withdraw the privileges which a hospital's role must not have: everything on the table of
 * migrations, and changes of append-only tables. Pure.
 */
export function protections(
  { schema, role }: HospitalNames,
  migrations: readonly Migration[],
): Readonly<Record<string, string>> {
  const revoke = (privileges: string, table: string) =>
    `REVOKE ${privileges} ON ${quote(schema)}.${quote(table)} FROM ${quote(role)}`;
  return {
    [MIGRATIONS_TABLE]: revoke('ALL', MIGRATIONS_TABLE),
    ...Object.fromEntries(
      migrations.flatMap(({ appendOnly }) => appendOnly).map((table) => [table, revoke('UPDATE, DELETE', table)]),
    ),
  };
}

/** @returns how many tenant migrations the hospital's schema has, or 0 if it has none or is missing. */
export async function readTenantVersion(db: Knex, names: HospitalNames): Promise<number> {
  return versionOf(await readApplied(db, names.schema));
}

/** A row of a schema's table of migrations. */
export type AppliedMigration = Pick<Migration, 'version' | 'name' | 'checksum'>;

/** @returns the rows of the hospital's table of migrations by version. Empty if there is none. */
export function readTenantMigrations(db: Knex, names: HospitalNames): Promise<readonly AppliedMigration[]> {
  return readApplied(db, names.schema);
}

/** @returns one phrase for each row of the platform's table of migrations that no migration of this release wrote. */
export async function strayPlatformMigrations(db: Knex): Promise<readonly string[]> {
  const applied = await readApplied(db, PLATFORM_SCHEMA);
  const later = applied.filter(({ version }) => version > PLATFORM.length && version <= versionOf(applied));
  return [
    ...changedMigrations(applied, PLATFORM),
    ...later.map(({ version, name }) => `migration ${version} (${name}) belongs to a later release`),
  ];
}

/** The version of a schema with these migrations: up to the first gap. Pure. @param applied by version. */
export function versionOf(applied: readonly AppliedMigration[]): number {
  const numbers = new Set(applied.map(({ version }) => version));
  let version = 0;
  while (numbers.has(version + 1)) version += 1;
  return version;
}

/**
 * Finds rows of a schema's table of migrations that no migration wrote. Pure.
 * @param applied by version.
 * @param known the release's own migrations. Those of a later release can't be judged.
 * @returns one phrase per row.
 */
export function changedMigrations(
  applied: readonly AppliedMigration[],
  known: readonly Migration[],
): readonly string[] {
  const last = versionOf(applied);
  return applied.flatMap(({ version, name, checksum }) => {
    const row = `row ${version} of table ${MIGRATIONS_TABLE}`;
    if (version < 1 || version > last) return [`${row} does not belong there`];
    const own = known[version - 1];
    if (!own || (own.name === name && own.checksum === checksum)) return [];
    return [`${row} has another name or checksum than migration ${own.name}`];
  });
}

async function readApplied(db: Knex, schema: string): Promise<readonly AppliedMigration[]> {
  const table = `${quote(schema)}.${MIGRATIONS_TABLE}`;
  // This role may not be able to read a schema of another owner. The caller checks the owner.
  const { rows: found } = await db.raw<{ rows: { there: boolean }[] }>(
    `SELECT EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname = ? AND c.relname = '${MIGRATIONS_TABLE}'
       AND has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')) AS there`,
    [schema],
  );
  if (!found[0]?.there) return [];
  const { rows } = await db.raw<{ rows: AppliedMigration[] }>(
    `SELECT version, name, checksum FROM ${table} ORDER BY version`,
  );
  return rows;
}

/** A script that creates the tables of `migratePlatform` in another schema, for a transaction that is rolled back. */
export function platformReferenceScript(schema: string): string {
  return [`CREATE SCHEMA ${quote(schema)}`, grantPlatform(schema), ...migrationScript(schema, PLATFORM)].join(';\n');
}

/** Hospitals' roles call functions of the schema, and have no privileges on its tables. */
function grantPlatform(schema: string): string {
  return `GRANT USAGE ON SCHEMA ${quote(schema)} TO PUBLIC`;
}

/** A lock per schema, held until the transaction ends, so that two processes never migrate the same one. */
async function lock(trx: Knex.Transaction, schema: string): Promise<void> {
  await trx.raw('SELECT pg_advisory_xact_lock(hashtextextended(?, 0))', [`hms/migrate/${schema}`]);
}

async function migrate(trx: Knex.Transaction, schema: string, migrations: readonly Migration[]): Promise<Migrated> {
  await trx.raw(`SET LOCAL search_path TO ${quote(schema)}`);
  await trx.raw(CREATE_MIGRATIONS_TABLE);
  const applied: { version: number; checksum: string }[] = await trx
    .table('schema_migrations')
    .select('version', 'checksum')
    .orderBy('version');
  const from = applied.length;
  for (const { version, checksum } of applied) {
    const known = migrations[version - 1];
    // A newer version than this code knows means a rolled-back release. Code also runs with a schema that is one
    // version ahead.
    if (known && known.checksum !== checksum) {
      throw new MigrationError(
        `${known.name} was changed after schema ${schema} had run it: restore the file and add a new migration`,
      );
    }
  }
  const pending = migrations.slice(from);
  if (pending.length > 0) await run(trx, pending);
  return { from, to: from + pending.length };
}

function asScript({ version, name, sql, checksum }: Migration): string {
  return `${sql}\n;INSERT INTO schema_migrations (version, name, checksum) VALUES (${version}, ${literal(name)}, ${literal(checksum)});`;
}

/** Sends one script. knex's own `raw` would treat a `?` in the SQL as a parameter. */
async function run(trx: Knex.Transaction, pending: readonly Migration[]): Promise<void> {
  const script = pending.map(asScript).join('\n');
  try {
    await trx.raw(script.replaceAll('?', '\\?'));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new MigrationError(`${pending.map(({ name }) => name).join(', ')}: ${answerOf(error, script)}`, error);
  }
}

/** Only PostgreSQL's message: knex puts the script before it, and PostgreSQL appends a value of a row. */
function answerOf({ message }: Error, script: string): string {
  const answer = message.startsWith(script) ? message.slice(script.length).replace(/^ - /, '') : message;
  return answer.replace(/: ".*"$/s, '');
}
