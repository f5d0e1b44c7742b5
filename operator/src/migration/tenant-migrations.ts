import { TENANT_MIGRATIONS } from '@hms/database';
import type { Registry } from 'prom-client';
import type { Postgres } from '../backends/database/client.ts';
import type { Config } from '../config.ts';
import { MigrationMetrics } from './metrics.ts';
import { Migrations } from './migrations.ts';

export interface TenantMigrationsOptions {
  readonly config: Config;
  readonly postgres: Postgres;
  readonly registry: Registry;
  /** Schema version of each hospital that has one. */
  readonly versions: () => readonly number[];
  /** Called when a waiting hospital may proceed. */
  readonly wake: (prefix: string) => void;
}

/** The migrations of this release, with their metrics. */
export function tenantMigrations({ config, postgres, registry, versions, wake }: TenantMigrationsOptions): Migrations {
  const migrations: Migrations = new Migrations({
    postgres,
    migrations: TENANT_MIGRATIONS,
    limits: {
      canaries: config.MIGRATION_CANARIES,
      parallelism: config.MIGRATION_PARALLELISM,
      maxFailures: config.MIGRATION_MAX_FAILURES,
    },
    wake,
    onEnd: (result) => metrics.ended(result),
  });
  const metrics = new MigrationMetrics(registry, { versions, halted: () => migrations.halted });
  return migrations;
}
