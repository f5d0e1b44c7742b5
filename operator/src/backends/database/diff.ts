import { type Hospital, ownerMark, type Tenant as TenantState } from '@hms/database';
import { TENANT_ROLES } from '@hms/tenancy';
import { type Change, listed, type Owned, type Tenant } from '../backend.ts';
import { differences } from '../contains.ts';
import { BackendError, changedMeanwhile } from '../errors.ts';
import type { ShapeVerdict } from './shape-changes.ts';

/** The observed state of PostgreSQL, and its differences from the schema's version. */
export interface ObservedDatabase extends TenantState, ShapeVerdict {
  readonly row: Hospital | undefined;
  /** How many migrations the schema has. */
  readonly version: number;
}

export interface DatabaseChange extends Change {
  readonly kind:
    | 'row'
    | 'role'
    | 'login'
    | 'schema'
    | 'roleMark'
    | 'schemaMark'
    | 'grants'
    | 'restore'
    | 'damage'
    | 'migrate'
    | 'version'
    | 'open'
    | 'close';
  /** The statement that restores it, if there is one. */
  readonly statement?: string;
  /** The error to report after the other changes are applied. */
  readonly error?: BackendError;
}

/** Fields of the registry row that follow from the Hospital object. */
export function registryFields(tenant: Tenant): Partial<Hospital> {
  return { ...tenant.profile, ownerUid: tenant.uid, state: tenant.suspended ? 'Suspended' : 'Active' };
}

/**
 * Compares PostgreSQL with the desired state. A hospital that is served is not migrated here but in its turn, see
 * migration/. Pure.
 * @param newest version of a schema that has all migrations.
 * @throws BackendError Conflict, SchemaDamaged, or DataLost, because an empty new schema would hide the loss
 */
export function databaseChanges(tenant: Tenant, observed: ObservedDatabase, newest: number): DatabaseChange[] {
  const { names } = tenant;
  const { version, row } = observed;
  refuseForeign(tenant, `role ${names.role}`, observed.role?.owner);
  refuseForeign(tenant, `schema ${names.schema}`, observed.schema?.owner);
  refuseLoss(tenant, observed);
  const changes: DatabaseChange[] = [];
  const add = (kind: DatabaseChange['kind'], action: Change['action'], object: string, detail?: string) =>
    changes.push({ kind, action, object, ...(detail ? { detail } : {}) });

  const canLogin = !tenant.suspended;
  if (!observed.role) add('role', 'create', `role ${names.role}`);
  else if (observed.role.owner === null) add('roleMark', 'update', `role ${names.role}`, "owner's mark");
  if (
    observed.role &&
    (observed.role.canLogin !== canLogin || observed.role.connectionLimit !== tenant.connectionLimit)
  ) {
    add(
      'login',
      'update',
      `role ${names.role}`,
      `${canLogin ? 'login' : 'no login'}, ${tenant.connectionLimit} connections`,
    );
  }
  if (!observed.schema) add('schema', 'create', `schema ${names.schema}`);
  else if (observed.schema.owner === null) add('schemaMark', 'update', `schema ${names.schema}`, "owner's mark");
  if (observed.schema && !observed.role)
    add('grants', 'update', `schema ${names.schema}`, 'privileges of the new role');
  for (const { action, object, statement } of observed.repairs)
    changes.push({ kind: 'restore', action, object, statement });
  // Only with its privileges, which are restored first, can the version be read.
  const isUnreadable = version === 0 && (row?.schemaVersion ?? 0) > 0 && observed.repairs.length > 0;
  const unserved = version === 0 || (row?.state === 'Provisioning' && observed.openTo.length === 0);
  if (version < newest && unserved && !isUnreadable) {
    add('migrate', 'update', `schema ${names.schema}`, `version ${version} to ${newest}`);
  } else if (row && row.schemaVersion !== version && !isUnreadable) {
    add('version', 'update', `registry row ${names.prefix}`, `schema version ${row.schemaVersion} to ${version}`);
  }
  if (observed.openTo.length > 0 && tenant.suspended)
    add('close', 'update', `role ${names.role}`, 'closed for the modules');
  if (!tenant.suspended && TENANT_ROLES.some((role) => !observed.openTo.includes(role)))
    add('open', 'update', `role ${names.role}`, 'open for the modules');
  // Last, because the modules serve the hospital from then on.
  const fields = rowDifferences(tenant, observed.row);
  if (!observed.row) add('row', 'create', `registry row ${names.prefix}`);
  else if (fields.length > 0) add('row', 'update', `registry row ${names.prefix}`, fields.join(', '));
  const damage = damageError(tenant, observed.damage, version);
  if (damage && changes.length === 0) throw damage;
  // Everything else is still restored. `apply` throws the error afterwards.
  if (damage) changes.push({ kind: 'damage', action: 'update', object: `schema ${names.schema}`, error: damage });
  return changes;
}

/** Also finds fields that were removed from the theme and the settings, because only the operator writes these. */
function rowDifferences(tenant: Tenant, row: Hospital | undefined): string[] {
  const added = (column: 'theme' | 'settings') =>
    Object.keys(row?.[column] ?? {})
      .filter((key) => !(key in tenant.profile[column]))
      .map((key) => `${column}.${key}`);
  return [...differences(registryFields(tenant), row), ...added('theme'), ...added('settings')];
}

function refuseLoss({ names }: Tenant, { schema, row, lost }: ObservedDatabase): void {
  const rest =
    'The operator does not create it again: restore it from a backup (docs/operations.md, Data that is lost)';
  if (!schema && row && row.schemaVersion > 0) {
    const sentence = `schema ${names.schema} is missing from PostgreSQL, with every record of the hospital`;
    throw new BackendError('DataLost', `${sentence}. ${rest}`);
  }
  if (lost.length === 0) return;
  const sentence = `schema ${names.schema} has lost ${lost.length === 1 ? 'table' : 'tables'} ${lost.join(', ')} with all records in it`;
  throw new BackendError('DataLost', `${sentence}. ${rest}`);
}

/** @returns the error for what is not restored, or undefined if nothing is damaged. Pure. */
function damageError({ names }: Tenant, damage: readonly string[], version: number): BackendError | undefined {
  if (damage.length === 0) return undefined;
  return new BackendError(
    'SchemaDamaged',
    `schema ${names.schema} differs from version ${version}: ${listed(damage)}. The operator does not restore this automatically (docs/operations.md, A changed schema)`,
  );
}

/**
 * A deleted row briefly hides that there was a schema. Therefore changes are applied only if the current row
 * still allows them. Pure.
 * @param row the row when the changes are applied.
 * @throws BackendError Unavailable, so that the next attempt observes the current state.
 */
export function refuseStale({ names }: Tenant, changes: readonly DatabaseChange[], row: Hospital | undefined): void {
  const isMade = changes.some(({ kind }) => kind === 'schema');
  if (row && !(isMade && row.schemaVersion > 0)) return;
  throw changedMeanwhile(`registry row ${names.prefix}`);
}

/**
 * Data is deleted only for the Hospital object whose deletion the registry records. Pure.
 * @param row locked by the transaction that deletes.
 * @throws BackendError Conflict
 */
export function refuseLiving({ names, hospitalId, uid }: Owned, row: Hospital | undefined): void {
  if (row?.state === 'Deleting' && row.ownerUid === uid && row.id === hospitalId) return;
  const registered = row ? `${row.state}, owned by the Hospital object with uid ${row.ownerUid}` : 'missing';
  throw new BackendError(
    'Conflict',
    `the registry does not record the deletion of hospital ${names.prefix} (uid ${uid}): its row is ${registered}. Nothing was deleted`,
  );
}

function refuseForeign(tenant: Tenant, what: string, owner: string | null | undefined): void {
  if (owner === undefined || owner === ownerMark(tenant)) return;
  if (owner === null && tenant.adoptUnowned) return;
  throw new BackendError(
    'Conflict',
    owner === null
      ? `${what} exists in PostgreSQL without an owner's mark: drop or rename it, or set spec.adoption to IfUnowned`
      : `${what} exists in PostgreSQL and belongs to somebody else (${owner}): drop or rename it, or choose another name for the hospital`,
  );
}
