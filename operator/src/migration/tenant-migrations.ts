import { TENANT_MIGRATIONS } from '@hms/database';
import type { MigrationState } from '@hms/hospitals/platform';
import type { Context } from '../context.ts';
import { PRIORITY } from '../runtime/workqueue.ts';
import { MigrationMetrics } from './metrics.ts';
import { Migrations } from './migrations.ts';

interface Asked {
  /** Schema version of each hospital that has one. */
  readonly versions: () => readonly number[];
  /** What people have decided, as far as it is known. */
  readonly state: () => MigrationState | undefined;
}

/** The migrations of this release. */
export function tenantMigrations({ config, engines, metrics, queue }: Context, { versions, state }: Asked): Migrations {
  const migrations: Migrations = new Migrations({
    postgres: engines.postgres,
    migrations: TENANT_MIGRATIONS,
    limits: {
      canaries: config.MIGRATION_CANARIES,
      parallelism: config.MIGRATION_PARALLELISM,
      maxFailures: config.MIGRATION_MAX_FAILURES,
    },
    state,
    wake: (prefix) => queue.add(prefix, PRIORITY.resync),
    onEnd: (result) => migrationMetrics.ended(result),
  });
  const migrationMetrics = new MigrationMetrics(metrics.registry, {
    versions,
    halted: () => migrations.haltedByFailures,
  });
  return migrations;
}
