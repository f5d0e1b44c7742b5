/** Role templates: `platform.role_templates`. Each change is recorded in its own transaction. */
import { demandVersion, Problem, type RequestContext } from '@hms/service';
import type { Knex } from 'knex';
import { recordEvent } from '../audit/events.ts';
import { ROLE_TEMPLATE_NOT_FOUND, SYSTEM_TEMPLATE } from './role-templates.errors.ts';
import type { NewRoleTemplate, RoleTemplate } from './role-templates.schema.ts';

type Row = Omit<RoleTemplate, 'createdAt' | 'updatedAt'> & { readonly createdAt: Date; readonly updatedAt: Date };
type Who = Pick<RequestContext, 'caller' | 'clientAddress'>;
type Changes = Partial<Pick<RoleTemplate, 'description' | 'permissions' | 'status'>>;

const COLUMNS = {
  ...{ id: 'id', name: 'name', appliesTo: 'applies_to', description: 'description', permissions: 'permissions' },
  ...{ isSystem: 'is_system', status: 'status', version: 'version' },
  ...{ createdAt: 'created_at', updatedAt: 'updated_at' },
};

/** The system ones first. */
export async function listTemplates(db: Knex): Promise<RoleTemplate[]> {
  const rows: Row[] = await templates(db)
    .select(COLUMNS)
    .orderBy([{ column: 'is_system', order: 'desc' }, { column: 'applies_to' }, { column: 'name' }]);
  return rows.map(show);
}

export async function readTemplate(db: Knex, id: string): Promise<RoleTemplate> {
  const row: Row | undefined = await templates(db).where({ id }).first(COLUMNS);
  if (!row) throw new Problem(ROLE_TEMPLATE_NOT_FOUND);
  return show(row);
}

/** The operator creates the role in each hospital's realm, because PostgreSQL tells it about the new row. */
export function createTemplate(db: Knex, who: Who, given: NewRoleTemplate): Promise<RoleTemplate> {
  return db.transaction(async (trx) => {
    const [row]: Row[] = await templates(trx)
      .insert({ ...given, applies_to: 'hospital' })
      .returning(returned(trx));
    if (!row) throw new Error('PostgreSQL returned no row');
    const details = { after: given };
    await recordEvent(trx, who, { action: 'create', record: 'role_templates', recordId: row.id, details });
    return show(row);
  });
}

/**
 * Changes a template. The modules follow within 3 seconds.
 * @throws Problem ROLE_TEMPLATE_NOT_FOUND, SYSTEM_TEMPLATE, STALE_VERSION
 */
export function changeTemplate(
  db: Knex,
  who: Who,
  { id, version, changes }: { readonly id: string; readonly version: number | undefined; readonly changes: Changes },
): Promise<RoleTemplate> {
  return db.transaction(async (trx) => {
    const before: Row | undefined = await templates(trx).where({ id }).forUpdate().first(COLUMNS);
    if (!before) throw new Problem(ROLE_TEMPLATE_NOT_FOUND);
    if (before.isSystem) throw new Problem(SYSTEM_TEMPLATE, { details: { name: before.name } });
    demandVersion(before, version);
    const differing = Object.entries(changes).filter(
      ([field, value]) => value !== undefined && String(value) !== String(before[field as keyof Changes]),
    );
    if (differing.length === 0) return show(before);
    const after = Object.fromEntries(differing);
    const [row]: Row[] = await templates(trx)
      .where({ id })
      .update({ ...after, version: before.version + 1, updated_at: new Date() })
      .returning(returned(trx));
    if (!row) throw new Error('PostgreSQL returned no row');
    const action = changes.status === undefined ? 'update' : 'transition';
    const old = Object.fromEntries(differing.map(([field]) => [field, before[field as keyof Changes]]));
    const details = { name: before.name, before: old, after };
    await recordEvent(trx, who, { action, record: 'role_templates', recordId: id, details });
    return show(row);
  });
}

function templates(db: Knex) {
  return db.withSchema('platform').from('role_templates');
}

function returned(db: Knex): Knex.Raw[] {
  return Object.entries(COLUMNS).map(([field, column]) => db.raw('?? AS ??', [column, field]));
}

function show({ createdAt, updatedAt, ...row }: Row): RoleTemplate {
  return { ...row, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
