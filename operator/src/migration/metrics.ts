import { Counter, Gauge, type Registry } from 'prom-client';
import type { Turn } from './migrations.ts';

export interface Observed {
  /** Schema version of each hospital that has one. */
  readonly versions: () => readonly number[];
  readonly halted: () => boolean;
}

/** Metrics of tenant migrations. */
export class MigrationMetrics {
  readonly #total: Counter<'result'>;

  constructor(registry: Registry, { versions, halted }: Observed) {
    const registers = [registry];
    this.#total = new Counter({
      name: 'hms_migrations_total',
      help: 'Migrations of hospitals that were served, by result: migrated, failed, postponed',
      labelNames: ['result'],
      registers,
    });
    new Gauge({
      name: 'hms_schema_version_hospitals',
      help: 'Hospitals by the version of their schema',
      labelNames: ['version'],
      registers,
      collect() {
        this.reset();
        for (const version of versions()) this.inc({ version });
      },
    });
    new Gauge({
      name: 'hms_migrations_halted',
      help: '1 while migrations are halted because too many have failed',
      registers,
      collect() {
        this.set(halted() ? 1 : 0);
      },
    });
  }

  ended(result: Turn['result']): void {
    this.#total.inc({ result });
  }
}
