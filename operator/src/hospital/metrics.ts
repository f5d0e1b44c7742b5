import type { HospitalObject } from '@hms/hospitals';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

export interface Listed {
  readonly hospitals: { list(): readonly HospitalObject[] };
  readonly orphans: { list(): readonly unknown[] };
}

/** Metrics of hospitals, without a label for the single hospital. */
export class HospitalMetrics {
  readonly #drift: Counter<'backend'>;
  readonly #timeToReady: Histogram;

  constructor(registry: Registry, { hospitals, orphans }: Listed) {
    const registers = [registry];
    this.#drift = new Counter({
      name: 'hms_drift_corrected_total',
      help: 'Drift that the operator corrected',
      labelNames: ['backend'],
      registers,
    });
    this.#timeToReady = new Histogram({
      name: 'hms_time_to_ready_seconds',
      help: 'From the creation of a Hospital object to its first Ready',
      buckets: [0.5, 1, 2, 3, 5, 10, 20, 30, 60, 300, 3600],
      registers,
    });
    new Gauge({
      name: 'hms_hospitals',
      help: 'Hospitals by phase',
      labelNames: ['phase'],
      registers,
      collect() {
        this.reset();
        for (const { status } of hospitals.list()) this.inc({ phase: status?.phase ?? 'Unknown' });
      },
    });
    new Gauge({
      name: 'hms_orphans',
      help: 'Force-deleted hospitals with remaining parts',
      registers,
      collect() {
        this.set(orphans.list().length);
      },
    });
  }

  driftCorrected(backend: string): void {
    this.#drift.inc({ backend });
  }

  becameReady(hospital: HospitalObject, now: Date): void {
    this.#timeToReady.observe((now.getTime() - Date.parse(hospital.metadata.creationTimestamp)) / 1000);
  }
}
