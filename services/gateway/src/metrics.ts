import { Counter, Gauge, type Metric, type MetricValueWithName, Registry } from 'prom-client';

const PLACE = ['service', 'route', 'workspace'] as const;
/** In Kong's order. */
const REQUEST_LABELS = ['service', 'route', 'code', 'source', 'workspace', 'consumer'] as const;
const BYTE_LABELS = ['service', 'route', 'direction', 'workspace', 'consumer'] as const;
const KONG_BUCKETS = [1, 2, 5, 7, 10, 15, 20, 30, 50, 75, 100, 200, 500, 750, 1000, 3000, 6000];
const SERVICE_BUCKETS = [25, 50, 80, 100, 250, 400, 700, 1000, 2000, 5000, 10000, 30000, 60000];

/** State of one address of an upstream, for `kong_upstream_target_health`. */
export interface TargetHealth {
  readonly upstream: string;
  readonly target: string;
  readonly address: string;
  readonly state: 'healthchecks_off' | 'healthy' | 'unhealthy' | 'dns_error';
}

interface Requests {
  readonly code: number;
  readonly source: 'service' | 'kong';
  readonly consumer: string;
  count: number;
}

interface Bytes {
  ingress: number;
  egress: number;
}

/**
 * The requests of one service and route. prom-client looks up a series by all of its labels each time, which would take
 * longer than the plugins. Therefore they are counted here and get their labels when the metrics are read.
 */
export class Traffic {
  readonly labels: Readonly<Record<(typeof PLACE)[number], string>>;
  readonly gatewayMs = new Latencies(KONG_BUCKETS);
  readonly upstreamMs = new Latencies(SERVICE_BUCKETS);
  readonly totalMs = new Latencies(SERVICE_BUCKETS);
  /** By consumer. */
  readonly bandwidth = new Map<string, Bytes>();
  readonly #requests = new Map<string, Map<number, Requests>>();

  constructor(labels: Traffic['labels']) {
    this.labels = labels;
  }

  readonly requests = (): readonly Requests[] => [...this.#requests.values()].flatMap((byCode) => [...byCode.values()]);

  countRequest(code: number, source: Requests['source'], consumer: string): void {
    const byCode = this.#requests.get(consumer) ?? new Map<number, Requests>();
    // The same code may be the upstream's or the gateway's own.
    const key = source === 'kong' ? -code : code;
    const present = byCode.get(key);
    if (present) {
      present.count += 1;
      return;
    }
    this.#requests.set(consumer, byCode.set(key, { code, source, consumer, count: 1 }));
  }

  countBytes(consumer: string, ingress: number, egress: number): void {
    const present = this.bandwidth.get(consumer);
    if (!present) {
      this.bandwidth.set(consumer, { ingress, egress });
      return;
    }
    present.ingress += ingress;
    present.egress += egress;
  }
}

/** Times, counted by bucket. */
class Latencies {
  readonly bounds: readonly number[];
  /** One count per bound, for the times above the bound before it, and a last one for the times above all bounds. */
  readonly counts: number[];
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  observe(ms: number): void {
    let at = 0;
    while (at < this.bounds.length && ms > (this.bounds[at] as number)) at += 1;
    this.counts[at] = (this.counts[at] as number) + 1;
    this.sum += ms;
  }
}

/** A histogram for prom-client's registry. */
class LatencyMetric {
  readonly name: string;
  readonly help: string;
  readonly #series: () => readonly (readonly [Traffic['labels'], Latencies])[];

  constructor(name: string, help: string, series: () => readonly (readonly [Traffic['labels'], Latencies])[]) {
    this.name = name;
    this.help = help;
    this.#series = series;
  }

  async get() {
    const values = this.#series().flatMap(([labels, latencies]) => this.#valuesOf(labels, latencies));
    return { name: this.name, help: this.help, type: 'histogram', values };
  }

  #valuesOf(labels: Traffic['labels'], { bounds, counts, sum }: Latencies): MetricValueWithName<string>[] {
    let total = 0;
    const buckets = counts.map((count, index) => {
      total += count;
      return { metricName: `${this.name}_bucket`, labels: { ...labels, le: bounds[index] ?? '+Inf' }, value: total };
    });
    if (total === 0) return [];
    return [
      ...buckets,
      { metricName: `${this.name}_sum`, labels, value: sum },
      { metricName: `${this.name}_count`, labels, value: total },
    ];
  }
}

const LATENCIES = [
  ['kong_kong_latency_ms', 'Latency added by Kong and enabled plugins for each service/route in Kong', 'gatewayMs'],
  ['kong_upstream_latency_ms', 'Latency added by upstream response for each service/route in Kong', 'upstreamMs'],
  ['kong_request_latency_ms', 'Total latency incurred during requests for each service/route in Kong', 'totalMs'],
] as const;

/** The content of `/metrics`. Names, labels and buckets are those of Kong 3.9's prometheus plugin. */
export class TrafficMetrics {
  readonly registry = new Registry();
  /** With a route and without. */
  allRequests = 0;
  readonly #connections: Gauge<'node_id' | 'subsystem' | 'state'>;
  readonly #targets: Gauge<'upstream' | 'target' | 'address' | 'state' | 'subsystem'>;
  readonly #datastore: Gauge;
  readonly #traffic = new Map<string, Traffic>();
  readonly nodeId: string;

  constructor(nodeId: string, version: string) {
    this.nodeId = nodeId;
    const registers = [this.registry];
    const traffic = this.#traffic;
    new Counter({
      name: 'kong_http_requests_total',
      help: 'HTTP status codes per consumer/service/route in Kong',
      labelNames: REQUEST_LABELS,
      registers,
      collect() {
        this.reset();
        for (const { labels, requests } of traffic.values()) {
          for (const { code, source, consumer, count } of requests()) {
            const { service, route, workspace } = labels;
            this.inc({ service, route, code, source, workspace, consumer }, count);
          }
        }
      },
    });
    new Counter({
      name: 'kong_bandwidth_bytes',
      help: 'Total bandwidth (ingress/egress) throughput in bytes',
      labelNames: BYTE_LABELS,
      registers,
      collect() {
        this.reset();
        for (const { labels, bandwidth } of traffic.values()) {
          for (const [consumer, { ingress, egress }] of bandwidth) {
            const { service, route, workspace } = labels;
            this.inc({ service, route, direction: 'egress', workspace, consumer }, egress);
            this.inc({ service, route, direction: 'ingress', workspace, consumer }, ingress);
          }
        }
      },
    });
    for (const [name, help, part] of LATENCIES) {
      const latency = new LatencyMetric(name, help, () =>
        [...traffic.values()].map((route) => [route.labels, route[part]]),
      );
      // The registry uses only the name of a metric and its `get`.
      this.registry.registerMetric(latency as unknown as Metric);
    }
    const total = () => this.allRequests;
    new Counter({
      name: 'kong_nginx_requests_total',
      help: 'Total number of requests',
      registers,
      collect() {
        this.reset();
        this.inc(total());
      },
    });
    this.#connections = new Gauge({
      name: 'kong_nginx_connections_total',
      help: 'Number of connections by subsystem',
      labelNames: ['node_id', 'subsystem', 'state'],
      registers,
    });
    this.#targets = new Gauge({
      name: 'kong_upstream_target_health',
      help: 'Health status of targets of upstream. States = healthchecks_off|healthy|unhealthy|dns_error, value is 1 when state is populated.',
      labelNames: ['upstream', 'target', 'address', 'state', 'subsystem'],
      registers,
    });
    new Gauge({
      name: 'kong_node_info',
      help: 'Kong Node metadata information',
      labelNames: ['node_id', 'version'],
      registers,
    })
      .labels(nodeId, version)
      .set(1);
    this.#datastore = new Gauge({
      name: 'kong_datastore_reachable',
      help: 'Datastore reachable from Kong, 0 is unreachable',
      registers,
    });
    new Counter({ name: 'kong_nginx_metric_errors_total', help: 'Number of nginx-lua-prometheus errors', registers });
    new Gauge({
      name: 'kong_nginx_timers',
      help: 'Number of Nginx timers',
      labelNames: ['state'],
      registers,
      collect() {
        this.set({ state: 'running' }, 0);
        this.set({ state: 'pending' }, process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length);
      },
    });
    new Gauge({
      name: 'kong_memory_workers_lua_vms_bytes',
      help: 'Memory of the gateway process in bytes',
      registers,
      collect() {
        this.set(process.memoryUsage.rss());
      },
    });
  }

  /** The counters of a route. The same names always get the same counters. */
  traffic(service: string, route: string): Traffic {
    const key = JSON.stringify([service, route]);
    const present = this.#traffic.get(key);
    if (present) return present;
    const traffic = new Traffic({ service, route, workspace: 'default' });
    this.#traffic.set(key, traffic);
    return traffic;
  }

  /** The text exposition format. It contains targets if a prometheus plugin enables them. */
  async text(
    connections: Readonly<Record<string, number>>,
    targets: readonly TargetHealth[],
    databaseReachable: boolean,
  ): Promise<string> {
    this.#datastore.set(databaseReachable ? 1 : 0);
    for (const [state, value] of Object.entries(connections)) {
      this.#connections.set({ node_id: this.nodeId, subsystem: 'http', state }, value);
    }
    this.#targets.reset();
    for (const { state: current, ...place } of targets) {
      for (const state of ['healthchecks_off', 'healthy', 'unhealthy', 'dns_error']) {
        this.#targets.set({ ...place, state, subsystem: 'http' }, state === current ? 1 : 0);
      }
    }
    return this.registry.metrics();
  }
}
