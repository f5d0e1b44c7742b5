/** Prometheus metrics of the background tasks. No label names a hospital. */
import { Gauge, Histogram, type Registry } from 'prom-client';

type TaskOutcome = 'ok' | 'retried' | 'failed';

export interface TaskMetrics {
  /** Starts the clock of an attempt. @returns a function for its end. */
  start(task: string): (outcome: TaskOutcome) => void;
  /** Sets what is not finished, by task. */
  count(tasks: readonly { readonly name: string; readonly waiting: number; readonly failed: number }[]): void;
}

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
    help: 'Background tasks that wait or run, and those that failed and are not tried again by themselves',
    labelNames: ['task', 'state'],
    registers: [register],
  });
  return {
    start: (task) => {
      const started = performance.now();
      return (outcome) => seconds.observe({ task, outcome }, (performance.now() - started) / 1000);
    },
    count: (tasks) => {
      for (const { name, waiting, failed } of tasks) {
        unfinished.set({ task: name, state: 'waiting' }, Number(waiting));
        unfinished.set({ task: name, state: 'failed' }, Number(failed));
      }
    },
  };
}
