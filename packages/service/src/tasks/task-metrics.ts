/** Prometheus metrics of the background tasks. No label names a hospital. */
import { Gauge, Histogram, type Registry } from 'prom-client';

type TaskOutcome = 'ok' | 'retried' | 'failed';

export interface TaskMetrics {
  /** Starts the clock of an attempt. @returns a function for its end. */
  start(task: string): (outcome: TaskOutcome) => void;
  /** Sets what is not finished, by task. */
  count(tasks: readonly TaskCount[]): void;
}

/** Tasks of one name that are not finished. PostgreSQL's counts are texts. */
export type TaskCount = { readonly name: string } & Readonly<Record<(typeof STATES)[number], string>>;

const STATES = ['planned', 'waiting', 'failed'] as const;

export function createTaskMetrics(register: Registry): TaskMetrics {
  const seconds = new Histogram({
    name: 'hms_task_seconds',
    help: 'Duration of an attempt of a background task',
    labelNames: ['task', 'outcome'],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60],
    registers: [register],
  });
  const unfinished = new Gauge({
    name: 'hms_tasks',
    help: 'Background tasks that are not due yet, that wait or run, and that failed and are not tried again by themselves',
    labelNames: ['task', 'state'],
    registers: [register],
  });
  return {
    start: (task) => {
      const started = performance.now();
      return (outcome) => seconds.observe({ task, outcome }, (performance.now() - started) / 1000);
    },
    count: (tasks) => {
      for (const count of tasks)
        for (const state of STATES) unfinished.set({ task: count.name, state }, Number(count[state]));
    },
  };
}
