/** What each role may do: `platform.role_templates`, and what hospitals withhold: `platform.withheld_permissions`. */
import { PERMISSIONS, type RealmKind, SYSTEM_TEMPLATES } from '@hms/tenancy';
import type { Knex } from 'knex';
import type { Transaction } from './tenant-pool.ts';

/** A role of a hospital. */
export interface HospitalRoleRow {
  readonly name: string;
  readonly description: string;
  /** What the template gives, also if the hospital withholds it. */
  readonly permissions: readonly string[];
  readonly withheld: readonly string[];
  readonly isSystem: boolean;
}

/** The roles of the transaction's hospital: the system ones first. */
export async function readHospitalRoles(trx: Transaction): Promise<HospitalRoleRow[]> {
  const rows = await trx.query<HospitalRoleRow>(
    'SELECT name, description, permissions, withheld, is_system AS "isSystem" FROM platform.hospital_roles()',
  );
  return inOrder(rows);
}

/** The system roles as the interface lists them, then the others by name. */
function inOrder<T extends { readonly name: string }>(roles: readonly T[]): T[] {
  const rank = ({ name }: T) => {
    const index = SYSTEM_TEMPLATES.findIndex((template) => template.name === name);
    return index === -1 ? SYSTEM_TEMPLATES.length : index;
  };
  return roles.toSorted((one, other) => rank(one) - rank(other) || one.name.localeCompare(other.name));
}

/**
 * Sets which permissions of a role the transaction's hospital withholds. Those that the role lacks are ignored.
 * @returns those that it has withheld until now.
 */
export async function withholdPermissions(
  trx: Transaction,
  role: string,
  permissions: readonly string[],
): Promise<readonly string[]> {
  const [row] = await trx.query<{ previous: string[] }>('SELECT platform.withhold_permissions($1, $2) AS previous', [
    role,
    permissions,
  ]);
  return row?.previous ?? [];
}

/** What every role of every hospital gives. */
export interface Grants {
  readonly templates: readonly {
    readonly name: string;
    readonly appliesTo: RealmKind;
    readonly permissions: readonly string[];
  }[];
  readonly withheld: readonly { readonly hospitalId: string; readonly role: string; readonly permission: string }[];
}

export async function readGrants(db: Knex): Promise<Grants> {
  const [templates, withheld] = await Promise.all([
    db
      .withSchema('platform')
      .from('role_templates')
      .where({ status: 'active' })
      .select('name', { appliesTo: 'applies_to' }, 'permissions'),
    db.withSchema('platform').from('withheld_permissions').select({ hospitalId: 'hospital_id' }, 'role', 'permission'),
  ]);
  return { templates: inOrder(templates), withheld };
}

/** Names of the roles that each realm of that kind has, also of retired templates: people keep those. */
export async function readRoleNames(db: Knex, appliesTo: RealmKind): Promise<string[]> {
  return db
    .withSchema('platform')
    .from('role_templates')
    .where({ applies_to: appliesTo })
    .orderBy('name')
    .pluck('name');
}

/**
 * Stores the system templates of this release. A permission that only another release knows stays, because its modules
 * may be running. Only reads if nothing differs.
 * @returns the names of the templates that were written.
 */
export async function storeSystemTemplates(db: Knex): Promise<readonly string[]> {
  const stored: StoredTemplate[] = await db
    .withSchema('platform')
    .from('role_templates')
    .select('name', 'applies_to', 'description', 'permissions', 'is_system', 'status');
  const changed = SYSTEM_TEMPLATES.flatMap(({ name, appliesTo, description, permissions }) => {
    const known = stored.find((one) => one.name === name);
    const foreign = (known?.permissions ?? []).filter((permission) => !(permission in PERMISSIONS));
    const all = [...permissions, ...foreign];
    const wanted = { name, applies_to: appliesTo, description, permissions: all, is_system: true, status: 'active' };
    return known && isSame(known, wanted) ? [] : [wanted];
  });
  if (changed.length === 0) return [];
  await db
    .withSchema('platform')
    .into('role_templates')
    .insert(changed)
    .onConflict('name')
    .merge(['applies_to', 'description', 'permissions', 'is_system', 'status']);
  return changed.map(({ name }) => name);
}

interface StoredTemplate {
  readonly name: string;
  readonly applies_to: string;
  readonly description: string;
  readonly permissions: readonly string[];
  readonly is_system: boolean;
  readonly status: string;
}

function isSame(one: StoredTemplate, other: StoredTemplate): boolean {
  const { permissions, ...rest } = other;
  return (
    Object.entries(rest).every(([key, value]) => one[key as keyof StoredTemplate] === value) &&
    one.permissions.length === permissions.length &&
    permissions.every((permission) => one.permissions.includes(permission))
  );
}
