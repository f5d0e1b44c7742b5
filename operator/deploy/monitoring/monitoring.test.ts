import fs from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { parse } from 'yaml';
import { createTaskMetrics } from '../../../packages/service/src/tasks/task-metrics.ts';
import { TrafficMetrics } from '../../../services/gateway/src/metrics.ts';
import { CallMetrics } from '../../src/backends/calls.ts';
import { HospitalMetrics } from '../../src/hospital/metrics.ts';
import { MigrationMetrics } from '../../src/migration/metrics.ts';
import { ForeignReport } from '../../src/platform/foreign-report.ts';
import { Metrics } from '../../src/runtime/metrics.ts';
import { Workqueue } from '../../src/runtime/workqueue.ts';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

interface Dashboard {
  readonly panels: readonly {
    readonly id: number;
    readonly title: string;
    readonly targets: readonly { readonly expr: string }[];
  }[];
}

const text = (file: string) => fs.readFileSync(new URL(file, import.meta.url), 'utf8');
const alerts: { groups: readonly { rules: readonly Rule[] }[] } = parse(text('./alerts.yaml'));
const dashboard: Dashboard = JSON.parse(text('./dashboard.json'));
const manual = text('../../../docs/operations.md');

const rules = alerts.groups.flatMap((group) => group.rules);
const expressions = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
];

/** The metrics that the operator exposes, and those of the modules' background tasks, with their labels. */
function exposed(): ReadonlyMap<string, readonly string[]> {
  const metrics = new Metrics();
  const { registry } = metrics;
  metrics.watchQueue('hospital', new Workqueue({ baseMs: 1, maxMs: 1 }));
  metrics.watchLeader('hms-operator', { isLeader: true });
  metrics.watchReflector({ silentMs: 0, missed: 0 });
  createTaskMetrics(registry);
  new CallMetrics(registry);
  new HospitalMetrics(registry, { hospitals: { list: () => [] }, orphans: { list: () => [] } });
  new ForeignReport({ registry, logger: pino({ level: 'silent' }), record: () => undefined });
  new MigrationMetrics(registry, { versions: () => [], halted: () => false });
  const gateway = new TrafficMetrics('node', '3.9').registry;
  return new Map(
    [...registry.getMetricsAsArray(), ...gateway.getMetricsAsArray()].flatMap((metric) => {
      const labels = 'labelNames' in metric ? (metric.labelNames as readonly string[]) : ['service', 'route'];
      const names = /^histogram$|_latency_ms$/.test(`${metric.type ?? metric.name}`)
        ? ['_bucket', '_sum', '_count']
        : [''];
      return names.map((end) => [metric.name + end, labels] as const);
    }),
  );
}

const metrics = exposed();
/** Labels that Prometheus adds, and that of histograms. */
const COMMON = ['le', 'job', 'instance'];
const FUNCTIONS = ['histogram_quantile', 'label_values', 'min_over_time'];

/** Names with an underscore are metrics, unless they are functions. */
const metricsIn = (expr: string) =>
  (expr.replace(/\{[^}]*\}/g, '').match(/[a-z]+(?:_[a-z0-9]+)+/g) ?? []).filter((name) => !FUNCTIONS.includes(name));

describe('alerts and dashboard', () => {
  it.each(expressions)('%s uses existing metrics', (_, expr) => {
    const names = metricsIn(expr);
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect([...metrics.keys()]).toContain(name);
  });

  it.each(expressions)('%s uses labels of these metrics', (_, expr) => {
    const labels = metricsIn(expr).flatMap((name) => metrics.get(name) ?? []);
    const selected = [...expr.matchAll(/\{([^}]*)\}/g)].flatMap(([, inner = '']) =>
      [...inner.matchAll(/([a-z]+)\s*[=!]/g)].map(([, label]) => label),
    );
    const grouped = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, inner = '']) => inner.split(', '));
    for (const label of [...selected, ...grouped]) expect([...COMMON, ...labels]).toContain(label);
  });

  it.each(rules.map(({ alert, annotations }) => [alert, annotations.runbook] as const))(
    '%s links to a runbook',
    (_, runbook) => {
      const [, anchor] = /^docs\/operations\.md#([a-z-]+)$/.exec(runbook) ?? [];
      const anchors = [...manual.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
        title
          .toLowerCase()
          .replaceAll(' ', '-')
          .replace(/[^a-z0-9-]/g, ''),
      );
      expect(anchors).toContain(anchor);
    },
  );

  it('the manual explains every metric of the platform', () => {
    const own = [...metrics.keys()]
      .map((name) => name.replace(/_(bucket|sum|count)$/, ''))
      .filter((name) => /^(hms|controller|workqueue|leader)_/.test(name));
    for (const name of own) expect(manual).toContain(`\`${name}`);
  });

  it('no two panels have the same id', () => {
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
