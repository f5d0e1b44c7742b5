import { TENANT_MIGRATIONS } from '@hms/database';
import type { Context } from '../context.ts';
import { PRIORITY } from '../runtime/workqueue.ts';
import { MigrationMetrics } from './metrics.ts';
import { Migrations } from './migrations.ts';

/** The migrations of this release. @param versions schema version of each hospital that has one. */
export function tenantMigrations(
  { config, engines, metrics, queue }: Context,
  versions: () => readonly number[],
): Migrations {
  const migrations: Migrations = new Migrations({
    postgres: engines.postgres,
    migrations: TENANT_MIGRATIONS,
    limits: {
      canaries: config.MIGRATION_CANARIES,
      parallelism: config.MIGRATION_PARALLELISM,
      maxFailures: config.MIGRATION_MAX_FAILURES,
    },
    wake: (prefix) => queue.add(prefix, PRIORITY.resync),
    onEnd: (result) => migrationMetrics.ended(result),
  });
  const migrationMetrics = new MigrationMetrics(metrics.registry, { versions, halted: () => migrations.halted });
  return migrations;
}
