import {
  createTenantRole,
  createTenantSchema,
  dropTenantRole,
  dropTenantSchema,
  findHospitalByPrefix,
  grantTenantSchema,
  holdHospital,
  type Migration,
  markTenantRole,
  markTenantSchema,
  migrateTenant,
  readTenant,
  readTenantVersion,
  setTenantLogin,
  setTenantOpen,
  tablesAfter,
  tenantGrants,
  updateHospital,
} from '@hms/database';
import type { Knex } from 'knex';
import type { Backend, DeletionPolicy, Owned, Tenant } from '../backend.ts';
import { changedMeanwhile } from '../errors.ts';
import type { Postgres } from './client.ts';
import {
  type DatabaseChange,
  databaseChanges,
  type ObservedDatabase,
  ownerMark,
  refuseStale,
  registryFields,
} from './diff.ts';

/** The hospital's role, schema and registry row in PostgreSQL. Role and schema carry the hospitalId as a comment. */
export class DatabaseBackend implements Backend<ObservedDatabase, DatabaseChange> {
  readonly name = 'database';
  readonly #postgres: Postgres;
  readonly #migrations: readonly Migration[];

  /** @param migrations what a new schema gets. */
  constructor(postgres: Postgres, migrations: readonly Migration[]) {
    this.#postgres = postgres;
    this.#migrations = migrations;
  }

  ping(): Promise<void> {
    return this.#postgres.ping();
  }

  externalId({ names }: Tenant): string {
    return names.schema;
  }

  /** Without the migrations: they come in their turn, and each is told for itself. */
  wanted(tenant: Tenant) {
    const { names, suspended, connectionLimit } = tenant;
    return {
      mark: ownerMark(tenant),
      suspended,
      connectionLimit,
      grants: tenantGrants(names),
      row: registryFields(tenant),
    };
  }

  observe({ names }: Tenant): Promise<ObservedDatabase> {
    return this.#postgres.call('read', async (db) => {
      // Before the tables: those of an earlier version are there also when a migration comes in between.
      const version = await readTenantVersion(db, names);
      const [tenant, row] = await Promise.all([readTenant(db, names), findHospitalByPrefix(db, names.prefix)]);
      const made = version || (row?.schemaVersion ?? 0);
      return { ...tenant, row, version, lost: tenant.schema ? this.#lost(made, tenant.tables) : [] };
    });
  }

  /** Tables that a schema of that version has lost; what a later release has made of it is not known. */
  #lost(version: number, tables: readonly string[]): readonly string[] {
    if (version > this.#migrations.length) return [];
    return tablesAfter(this.#migrations.slice(0, version)).filter((table) => !tables.includes(table));
  }

  diff(tenant: Tenant, observed: ObservedDatabase): readonly DatabaseChange[] {
    return databaseChanges(tenant, observed, this.#migrations.length);
  }

  /** All in one transaction: either the hospital has everything or nothing. */
  apply(tenant: Tenant, changes: readonly DatabaseChange[]): Promise<void> {
    return this.#postgres.transaction('change', async (trx) => {
      refuseStale(tenant, changes, await holdHospital(trx, tenant.names.prefix));
      for (const { kind } of changes) await applyChange(trx, tenant, kind, this.#migrations);
    });
  }

  remove(owned: Owned, policy: DeletionPolicy): Promise<readonly string[]> {
    const { names } = owned;
    const mark = ownerMark(owned);
    return this.#postgres.transaction('remove', async (trx) => {
      const { role, schema, open } = await readTenant(trx, names);
      const strangeRole = role && role.owner !== mark ? [`role ${names.role}, ${whose(role.owner)}`] : [];
      const strangeSchema = schema && schema.owner !== mark ? [`schema ${names.schema}, ${whose(schema.owner)}`] : [];
      if (policy === 'Delete' && schema?.owner === mark) {
        await dropTenantSchema(trx, names);
        // The deletion may end as Retain: a schema that was dropped as ordered is no loss to whoever comes back.
        await updateHospital(trx, names.prefix, { schemaVersion: 0 });
      }
      if (role?.owner === mark) {
        if (policy === 'Delete' && strangeSchema.length === 0) {
          await dropTenantRole(trx, names);
          return [];
        }
        // A role that has rights in what stays can't be dropped.
        if (open) await setTenantOpen(trx, names, false);
        if (role.canLogin) await setTenantLogin(trx, names, { ...role, canLogin: false });
        if (policy === 'Delete')
          return [...strangeSchema, `role ${names.role}, closed, which has rights in that schema`];
      }
      return policy === 'Delete' ? [...strangeSchema, ...strangeRole] : strangeRole;
    });
  }
}

function whose(owner: string | null): string {
  return owner === null ? "which has no owner's mark" : `which is marked as somebody else's (${owner})`;
}

async function applyChange(
  trx: Knex.Transaction,
  tenant: Tenant,
  kind: DatabaseChange['kind'],
  migrations: readonly Migration[],
): Promise<void> {
  const { names, hospitalId, suspended, connectionLimit } = tenant;
  const mark = ownerMark(tenant);
  switch (kind) {
    case 'role':
      await createTenantRole(trx, names, mark);
      return setTenantLogin(trx, names, { canLogin: !suspended, connectionLimit });
    case 'roleMark':
      return markTenantRole(trx, names, mark);
    case 'login':
      return setTenantLogin(trx, names, { canLogin: !suspended, connectionLimit });
    case 'schema':
      await createTenantSchema(trx, names, hospitalId, mark);
      return grantTenantSchema(trx, names);
    case 'grants':
      return grantTenantSchema(trx, names);
    case 'schemaMark':
      return markTenantSchema(trx, names, mark);
    case 'migrate':
      await migrateTenant(trx, names, migrations);
      return;
    case 'version': {
      const schemaVersion = await readTenantVersion(trx, names);
      if (schemaVersion === 0) throw changedMeanwhile(`schema ${names.schema}`);
      return updateHospital(trx, names.prefix, { schemaVersion });
    }
    case 'open':
      return setTenantOpen(trx, names, true);
    case 'close':
      return setTenantOpen(trx, names, false);
    case 'row':
      return updateHospital(trx, names.prefix, registryFields(tenant));
  }
}
