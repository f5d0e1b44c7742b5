import { hospitalNames } from '@hms/tenancy';
import type { Knex } from 'knex';
import { BEGIN_WITH } from './connect.ts';
import { quote } from './sql.ts';

/**
 * Runs `work` in one transaction as the hospital's own role, with only its schema on the search path:
 * a query without a tenant filter can't read other tenants, and one that names another schema is refused.
 * Commits if `work` resolves, and rolls back if it throws.
 *
 * @param hospital prefix of a hospital from the registry, never from a request.
 * @throws PostgreSQL's 42501 (insufficient_privilege) if the hospital is suspended or deleted.
 */
export function inTenant<T>(
  db: Knex,
  hospital: { readonly prefix: string },
  work: (trx: Knex.Transaction) => Promise<T>,
): Promise<T> {
  const { role, schema } = hospitalNames(hospital.prefix);
  const settings = `SET LOCAL ROLE ${quote(role)}; SET LOCAL search_path TO ${quote(schema)}`;
  return db.withUserParams({ [BEGIN_WITH]: settings }).transaction(work);
}
