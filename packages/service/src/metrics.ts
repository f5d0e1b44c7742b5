/** Prometheus metrics. No label names a hospital, which would multiply each series by thousands. */
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { createTaskMetrics, type TaskMetrics } from './tasks/task-metrics.ts';

/** A figure of one module, read when Prometheus asks. */
export interface Measure {
  readonly name: string;
  readonly help: string;
  value(): number;
}

export interface Metrics {
  /** @param route pattern of the path, never the path itself. @param seconds duration */
  observe(method: string, route: string, status: number, seconds: number): void;
  readonly tasks: TaskMetrics;
  /** The text that Prometheus reads, and its content type. */
  render(): Promise<{ readonly contentType: string; readonly text: string }>;
}

export function createMetrics(module: string, measures: readonly Measure[] = []): Metrics {
  const register = new Registry();
  register.setDefaultLabels({ module });
  collectDefaultMetrics({ register });
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to the end of its response',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [register],
  });
  for (const { name, help, value } of measures) {
    const gauge: Gauge = new Gauge({ name, help, registers: [register], collect: () => gauge.set(value()) });
  }
  return {
    observe: (method, route, status, seconds) => requests.observe({ method, route, status: String(status) }, seconds),
    tasks: createTaskMetrics(register),
    render: async () => ({ contentType: register.contentType, text: await register.metrics() }),
  };
}
