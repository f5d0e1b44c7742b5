import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Workqueue } from './workqueue.ts';

/** The parts of a reflector that the metrics use. */
export interface Watched {
  readonly silentMs: number;
  readonly missed: number;
}

export type Outcome = 'success' | 'requeue' | 'requeue_after' | 'error';

/** The metrics of a controller, under the names that controller-runtime gave them. */
export class Metrics {
  readonly registry = new Registry();
  readonly #total = new Counter({
    name: 'controller_runtime_reconcile_total',
    help: 'Reconciles by result',
    labelNames: ['controller', 'result'],
    registers: [this.registry],
  });
  readonly #errors = new Counter({
    name: 'controller_runtime_reconcile_errors_total',
    help: 'Reconciles that ended in an error',
    labelNames: ['controller'],
    registers: [this.registry],
  });
  readonly #seconds = new Histogram({
    name: 'controller_runtime_reconcile_time_seconds',
    help: 'Time of a reconcile',
    labelNames: ['controller'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers: [this.registry],
  });
  readonly #active = new Gauge({
    name: 'controller_runtime_active_workers',
    help: 'Reconciles in progress',
    labelNames: ['controller'],
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  /** @returns a function to call with the outcome at the end of the reconcile. */
  startReconcile(controller: string): (outcome: Outcome) => void {
    this.#active.inc({ controller });
    const stopTimer = this.#seconds.startTimer({ controller });
    return (outcome) => {
      stopTimer();
      this.#active.dec({ controller });
      this.#total.inc({ controller, result: outcome });
      if (outcome === 'error') this.#errors.inc({ controller });
    };
  }

  watchQueue(name: string, queue: Workqueue): void {
    new Gauge({
      name: 'workqueue_depth',
      help: 'Keys that wait for a worker',
      labelNames: ['name'],
      registers: [this.registry],
      collect() {
        this.set({ name }, queue.depth);
      },
    });
    new Gauge({
      name: 'workqueue_oldest_age_seconds',
      help: 'Wait of the key that has waited longest for a worker',
      labelNames: ['name'],
      registers: [this.registry],
      collect() {
        this.set({ name }, queue.oldestMs / 1000);
      },
    });
  }

  watchLeader(name: string, election: { readonly isLeader: boolean }): void {
    new Gauge({
      name: 'leader_election_master_status',
      help: '1 while this process leads, 0 while it is a standby',
      labelNames: ['name'],
      registers: [this.registry],
      collect() {
        this.set({ name }, election.isLeader ? 1 : 0);
      },
    });
  }

  watchReflector(reflector: Watched): void {
    const registers = [this.registry];
    new Gauge({
      name: 'hms_watch_last_event_age_seconds',
      help: 'Time since the API server last sent anything',
      registers,
      collect() {
        this.set(reflector.silentMs / 1000);
      },
    });
    new Gauge({
      name: 'hms_watch_missed_changes',
      help: 'Changes that a list found but the watch had missed',
      registers,
      collect() {
        this.set(reflector.missed);
      },
    });
  }
}
