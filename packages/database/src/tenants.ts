/** A hospital's role and schema in PostgreSQL, as the operator creates them. Each function is idempotent. */
import { type HospitalNames, TENANT_ROLES } from '@hms/tenancy';
import type { Knex } from 'knex';
import { type Migration, migrationScript, protections, TENANT_MIGRATIONS } from './migrations.ts';
import { literal, quote } from './sql.ts';

/** The observed role and schema of one hospital. */
export interface Tenant {
  readonly role:
    | { readonly owner: string | null; readonly canLogin: boolean; readonly connectionLimit: number }
    | undefined;
  readonly schema: { readonly owner: string | null } | undefined;
  /** Roles of modules that may act as the hospital's role. */
  readonly openTo: readonly string[];
}

/**
 * Reads a hospital's role and schema.
 * `owner` is the owner's mark: the text that was passed to `createTenantRole` and `createTenantSchema`.
 */
export async function readTenant(db: Knex, names: HospitalNames): Promise<Tenant> {
  const { rows } = await db.raw<{ rows: TenantRow[] }>(
    `SELECT r.oid IS NOT NULL AS has_role, shobj_description(r.oid, 'pg_authid') AS role_owner,
            r.rolcanlogin AS can_login, r.rolconnlimit AS connection_limit,
            n.oid IS NOT NULL AS has_schema, obj_description(n.oid, 'pg_namespace') AS schema_owner,
            ARRAY(SELECT DISTINCT a.rolname::text FROM pg_auth_members m JOIN pg_roles a ON a.oid = m.member
                  WHERE m.roleid = r.oid AND a.rolname = ANY (?) AND m.set_option AND NOT m.inherit_option) AS open_to
     FROM (SELECT) one LEFT JOIN pg_roles r ON r.rolname = ? LEFT JOIN pg_namespace n ON n.nspname = ?`,
    [[...TENANT_ROLES], names.role, names.schema],
  );
  const [row] = rows;
  if (!row) throw new Error('PostgreSQL answered a query that has always one row with none');
  return {
    role: row.has_role
      ? { owner: row.role_owner, canLogin: row.can_login, connectionLimit: row.connection_limit }
      : undefined,
    schema: row.has_schema ? { owner: row.schema_owner } : undefined,
    openTo: row.open_to,
  };
}

interface TenantRow {
  readonly has_role: boolean;
  readonly role_owner: string | null;
  readonly can_login: boolean;
  readonly connection_limit: number;
  readonly has_schema: boolean;
  readonly schema_owner: string | null;
  readonly open_to: readonly string[];
}

/**
 * Creates the role. Without a password it can't log in, until an administrator sets one, for example for a reporting
 * tool.
 */
export async function createTenantRole(db: Knex, names: HospitalNames, owner: string): Promise<void> {
  await db.raw(createRole(names));
  await markTenantRole(db, names, owner);
}

/**
 * The owner's mark: the comment on a hospital's role and schema. The operator revokes roles without it from the modules.
 */
export function ownerMark({ hospitalId }: { readonly hospitalId: string }): string {
  return `hms hospital ${hospitalId}`;
}

/** Writes the owner's mark on the role. */
export async function markTenantRole(db: Knex, names: HospitalNames, owner: string): Promise<void> {
  await db.raw(`COMMENT ON ROLE ${quote(names.role)} IS ${literal(owner)}`);
}

/** Sets whether the role may log in and its connection limit. If it may not log in, its connections end. */
export async function setTenantLogin(
  db: Knex,
  names: HospitalNames,
  login: { readonly canLogin: boolean; readonly connectionLimit: number },
): Promise<void> {
  await db.raw(
    `ALTER ROLE ${quote(names.role)} ${login.canLogin ? 'LOGIN' : 'NOLOGIN'} CONNECTION LIMIT ${Math.trunc(login.connectionLimit)}`,
  );
  if (!login.canLogin) {
    await db.raw('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = ?', [names.role]);
  }
}

/** Allows or forbids the modules to act as the hospital's role. */
export async function setTenantOpen(db: Knex, names: HospitalNames, open: boolean): Promise<void> {
  const modules = TENANT_ROLES.map(quote).join(', ');
  await db.raw(
    open
      ? `GRANT ${quote(names.role)} TO ${modules} WITH INHERIT FALSE, SET TRUE`
      : `REVOKE ${quote(names.role)} FROM ${modules}`,
  );
}

/**
 * Creates the schema with the domain `own_hospital_id`, which every tenant table uses for its `hospital_id`:
 * it fills in this hospital's id and refuses any other, so a row can't be in the wrong schema.
 */
export async function createTenantSchema(
  db: Knex,
  names: HospitalNames,
  hospitalId: string,
  owner: string,
): Promise<void> {
  for (const statement of createSchema(names, hospitalId)) await db.raw(statement);
  await markTenantSchema(db, names, owner);
}

/** Writes the owner's mark on the schema. */
export async function markTenantSchema(db: Knex, names: HospitalNames, owner: string): Promise<void> {
  await db.raw(`COMMENT ON SCHEMA ${quote(names.schema)} IS ${literal(owner)}`);
}

/**
 * Grants the role its privileges in its own schema, and nothing elsewhere. It may not change the table of migrations,
 * and only add rows to append-only tables.
 */
export async function grantTenantSchema(db: Knex, names: HospitalNames): Promise<void> {
  for (const statement of tenantGrants(names)) await db.raw(statement);
  const protectedTables = protections(names, TENANT_MIGRATIONS);
  const { rows } = await db.raw<{ rows: { table: string }[] }>(
    'SELECT tablename AS table FROM pg_tables WHERE schemaname = ? AND tablename = ANY(?)',
    [names.schema, Object.keys(protectedTables)],
  );
  for (const { table } of rows) await db.raw(protectedTables[table] ?? '');
}

/** The statements of `grantTenantSchema`. Pure. */
export function tenantGrants(names: HospitalNames): readonly string[] {
  const [schema, role] = [quote(names.schema), quote(names.role)];
  const inSchema = `ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema}`;
  return [
    `GRANT USAGE ON SCHEMA ${schema} TO ${role}`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${role}`,
    `GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${schema} TO ${role}`,
    `${inSchema} GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${role}`,
    `${inSchema} GRANT USAGE ON SEQUENCES TO ${role}`,
  ];
}

/** Drops the schema with all its data. */
export async function dropTenantSchema(db: Knex, names: HospitalNames): Promise<void> {
  await db.raw(`DROP SCHEMA IF EXISTS ${quote(names.schema)} CASCADE`);
}

/** Ends the role's connections and drops it. Its schema must be dropped before. */
export async function dropTenantRole(db: Knex, names: HospitalNames): Promise<void> {
  await db.raw('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = ?', [names.role]);
  await db.raw(`DROP ROLE IF EXISTS ${quote(names.role)}`);
}

/**
 * A script that creates a hospital's role and schema after the given migrations, without owner's marks and without a
 * registry row. For a transaction that is rolled back: it shows what a schema of that version looks like on this
 * server. Pure.
 */
export function referenceScript(names: HospitalNames, hospitalId: string, migrations: readonly Migration[]): string {
  return [
    createRole(names),
    ...createSchema(names, hospitalId),
    ...tenantGrants(names),
    ...migrationScript(names.schema, migrations),
    ...Object.values(protections(names, migrations)),
  ].join(';\n');
}

function createRole({ role }: HospitalNames): string {
  return `CREATE ROLE ${quote(role)} NOSUPERUSER NOCREATEDB NOCREATEROLE NOINHERIT`;
}

function createSchema(names: HospitalNames, hospitalId: string): readonly string[] {
  const [schema, id] = [quote(names.schema), literal(hospitalId)];
  return [
    `CREATE SCHEMA ${schema}`,
    `CREATE DOMAIN ${schema}.own_hospital_id AS uuid DEFAULT ${id} NOT NULL CHECK (VALUE = ${id})`,
  ];
}
