import {
  type AppliedMigration,
  changedMigrations,
  compareShapes,
  createTenantRole,
  createTenantSchema,
  dropTasksOf,
  dropTenantRole,
  dropTenantSchema,
  type Fact,
  findHospitalByPrefix,
  grantTenantSchema,
  holdHospital,
  lockHospital,
  type Migration,
  markTenantRole,
  markTenantSchema,
  migrateTenant,
  ownerMark,
  readShape,
  readTenant,
  readTenantMigrations,
  readTenantVersion,
  setTenantLogin,
  setTenantOpen,
  tenantGrants,
  updateHospital,
  versionOf,
  withNames,
} from '@hms/database';
import type { Knex } from 'knex';
import {
  type Backend,
  type DeletionPolicy,
  type Descriptor,
  listed,
  type Owned,
  type Report,
  type Tenant,
} from '../backend.ts';
import { BackendError, changedMeanwhile } from '../errors.ts';
import type { Postgres } from './client.ts';
import {
  type DatabaseChange,
  databaseChanges,
  type ObservedDatabase,
  refuseLiving,
  refuseStale,
  registryFields,
} from './diff.ts';
import { References } from './reference.ts';
import { judgeShape, roleFacts, type ShapeVerdict } from './shape-changes.ts';
import { tryRepair, tryStatement } from './try-statement.ts';

/** The budget leaves room for the modules. */
export const DATABASE: Descriptor = {
  name: 'database',
  condition: 'DatabaseReady',
  part: 'schema',
  needs: [],
  servesPeople: true,
  budget: { concurrency: 8, perSecond: 200 },
};

/** The hospital's role, schema and registry row in PostgreSQL. Role and schema carry the hospitalId as a comment. */
export class DatabaseBackend implements Backend<ObservedDatabase, DatabaseChange> {
  readonly descriptor = DATABASE;
  readonly #postgres: Postgres;
  readonly #migrations: readonly Migration[];
  readonly #references: References;

  /** @param migrations those of a new schema. */
  constructor(postgres: Postgres, migrations: readonly Migration[]) {
    this.#postgres = postgres;
    this.#migrations = migrations;
    this.#references = new References(postgres, migrations);
  }

  ping(): Promise<void> {
    return this.#postgres.ping();
  }

  externalId({ names }: Tenant): string {
    return names.schema;
  }

  /** Without the migrations: they run in their own turn, each with its own event. */
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

  async observe(tenant: Tenant): Promise<ObservedDatabase> {
    const { names } = tenant;
    const { found, facts, applied, row } = await this.#postgres.call('read', async (db) => {
      // Read before the schema: an earlier version's reference still matches if a migration runs in between.
      const applied = await readTenantMigrations(db, names);
      const [found, row, facts] = await Promise.all([
        readTenant(db, names),
        findHospitalByPrefix(db, names.prefix),
        readShape(db, { schema: names.schema, roles: [names.role] }, tenant.hospitalId),
      ]);
      return { found, facts, applied, row };
    });
    const { version, stray } = judgeMigrations(applied, this.#migrations, row?.schemaVersion ?? 0);
    const created = version || (row?.schemaVersion ?? 0);
    const verdict =
      found.schema && created > 0 ? await this.#judge(tenant, created, facts, found.role !== undefined) : UNJUDGED;
    const differs = Object.values(verdict).some((found) => found.length > 0);
    // Another process may migrate it between the two reads: the next version's additions are not damage.
    if (differs && (await this.#postgres.call('read', (db) => readTenantVersion(db, names))) !== versionOf(applied))
      throw changedMeanwhile(`schema ${names.schema}`);
    return { ...found, ...verdict, damage: [...stray, ...verdict.damage], row, version };
  }

  async #judge(
    { names, hospitalId }: Tenant,
    version: number,
    facts: readonly Fact[],
    hasRole: boolean,
  ): Promise<ShapeVerdict> {
    const reference = await this.#references.shape(version);
    const newest = await this.#references.shape(this.#migrations.length);
    // The schema of a later release is unknown.
    const differences = reference
      ? compareShapes(reference, facts)
      : compareShapes(roleFacts(newest ?? []), roleFacts(facts));
    const named = (fact: Fact | undefined) => fact && withNames(fact, names, hospitalId);
    return judgeShape(
      differences
        // A new role has its attributes from the start.
        .filter(({ expected }) => hasRole || expected?.kind !== 'attribute')
        .map(({ expected, actual }) => ({ expected: named(expected), actual: named(actual) })),
    );
  }

  diff(tenant: Tenant, observed: ObservedDatabase): readonly DatabaseChange[] {
    return databaseChanges(tenant, observed, this.#migrations.length);
  }

  report(_tenant: Tenant, { tuning }: ObservedDatabase): Report {
    return { tuning };
  }

  /** All in one transaction: the hospital gets everything or nothing. Repairs are verified afterwards. */
  async apply(tenant: Tenant, changes: readonly DatabaseChange[]): Promise<void> {
    const refused = await this.#apply(tenant, changes);
    const failed = changes.some(({ kind }) => kind === 'restore') ? await this.#unrestored(tenant, refused) : refused;
    const damage = changes.find(({ error }) => error)?.error;
    // What gives somebody access is not hidden behind a damage.
    const sentences = [
      ...(failed.length > 0 ? [`PostgreSQL does not let the operator restore ${listed(failed)}`] : []),
      ...(damage ? [damage.message] : []),
    ];
    if (sentences.length > 0) throw new BackendError('SchemaDamaged', sentences.join('. '));
  }

  /** @param refused in the first attempt. @returns what the second attempt has not restored either. */
  async #unrestored(tenant: Tenant, refused: readonly string[]): Promise<readonly string[]> {
    // One statement can undo another: a new owner has other privileges.
    const rest = await this.#restorable(tenant);
    const again = rest.length > 0 ? await this.#apply(tenant, rest) : [];
    const left = rest.length > 0 ? await this.#restorable(tenant) : [];
    if (left.length === 0) return [];
    const all = [...new Set([...refused, ...again])];
    return all.length > 0 ? all : left.map(({ object }) => object);
  }

  async #restorable(tenant: Tenant): Promise<readonly DatabaseChange[]> {
    const changes = this.diff(tenant, await this.observe(tenant));
    return changes.filter(({ kind }) => kind === 'restore');
  }

  /** @returns what PostgreSQL refused to restore, with its message. */
  #apply(tenant: Tenant, changes: readonly DatabaseChange[]): Promise<readonly string[]> {
    return this.#postgres.transaction('change', async (trx) => {
      refuseStale(tenant, changes, await holdHospital(trx, tenant.names.prefix));
      const refused: string[] = [];
      for (const change of changes) {
        const { kind, object } = change;
        // Only a superuser may change a role that somebody has made one.
        if (kind === 'login')
          refused.push(
            ...(await tryRepair(trx, object, (nested) => applyChange(nested, tenant, kind, this.#migrations))),
          );
        else if (change.statement === undefined) await applyChange(trx, tenant, kind, this.#migrations);
        else refused.push(...(await tryStatement(trx, change.object, change.statement)));
      }
      return refused;
    });
  }

  remove(owned: Owned, policy: DeletionPolicy): Promise<readonly string[]> {
    const { names } = owned;
    const mark = ownerMark(owned);
    return this.#postgres.transaction('remove', async (trx) => {
      refuseLiving(owned, await lockHospital(trx, names.prefix));
      const { role, schema, openTo } = await readTenant(trx, names);
      const strangeRole = role && role.owner !== mark ? [`role ${names.role}, ${whose(role.owner)}`] : [];
      const strangeSchema = schema && schema.owner !== mark ? [`schema ${names.schema}, ${whose(schema.owner)}`] : [];
      if (policy === 'Delete' && schema?.owner === mark) {
        await dropTenantSchema(trx, names);
        await dropTasksOf(trx, names.role);
        // The deletion may end as Retain: a schema that was dropped on request must not count as lost later.
        await updateHospital(trx, names.prefix, { schemaVersion: 0 });
      }
      if (role?.owner === mark) {
        if (policy === 'Delete' && strangeSchema.length === 0) {
          await dropTenantRole(trx, names);
          return [];
        }
        // A role with privileges in a remaining schema can't be dropped.
        if (openTo.length > 0) await setTenantOpen(trx, names, false);
        if (role.canLogin) await setTenantLogin(trx, names, { ...role, canLogin: false });
        if (policy === 'Delete')
          return [...strangeSchema, `role ${names.role}, closed, which has rights in that schema`];
      }
      return policy === 'Delete' ? [...strangeSchema, ...strangeRole] : strangeRole;
    });
  }
}

/**
 * The version of a schema, and the rows of its table of migrations that no migration wrote. A migration writes the
 * registry in the same transaction, so a row of a later release is real only if the registry has it too. Pure.
 * @param registered the version in the registry, or 0.
 */
function judgeMigrations(applied: readonly AppliedMigration[], known: readonly Migration[], registered: number) {
  const version = versionOf(applied);
  const stray = changedMigrations(applied, known);
  if (version <= known.length || registered === 0 || registered > known.length) return { version, stray };
  const later = applied.filter((row) => row.version > known.length && row.version <= version);
  return {
    version: registered,
    stray: [
      ...stray,
      ...later.map(
        (row) => `row ${row.version} of table schema_migrations is not in the registry, and does not belong there`,
      ),
    ],
  };
}

const UNJUDGED: ShapeVerdict = { repairs: [], damage: [], tuning: [], lost: [] };

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
    case 'restore':
    case 'damage':
      return;
    case 'row':
      return updateHospital(trx, names.prefix, registryFields(tenant));
  }
}
