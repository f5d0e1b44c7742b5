import { Counter, Gauge, Histogram, Registry } from 'prom-client';

const PLACE = ['service', 'route', 'workspace'] as const;
const KONG_BUCKETS = [1, 2, 5, 7, 10, 15, 20, 30, 50, 75, 100, 200, 500, 750, 1000, 3000, 6000];
const SERVICE_BUCKETS = [25, 50, 80, 100, 250, 400, 700, 1000, 2000, 5000, 10000, 30000, 60000];

/** State of one address of an upstream, for `kong_upstream_target_health`. */
export interface TargetHealth {
  readonly upstream: string;
  readonly target: string;
  readonly address: string;
  readonly state: 'healthchecks_off' | 'healthy' | 'unhealthy' | 'dns_error';
}

/** What `/metrics` shows; names, labels and buckets are those of Kong 3.9's prometheus plugin. */
export class TrafficMetrics {
  readonly registry = new Registry();
  readonly requests: Counter<'service' | 'route' | 'code' | 'source' | 'workspace' | 'consumer'>;
  readonly bandwidth: Counter<'service' | 'route' | 'direction' | 'workspace' | 'consumer'>;
  readonly kongLatency: Histogram<'service' | 'route' | 'workspace'>;
  readonly upstreamLatency: Histogram<'service' | 'route' | 'workspace'>;
  readonly requestLatency: Histogram<'service' | 'route' | 'workspace'>;
  readonly allRequests: Counter;
  readonly #connections: Gauge<'node_id' | 'subsystem' | 'state'>;
  readonly #targets: Gauge<'upstream' | 'target' | 'address' | 'state' | 'subsystem'>;
  readonly #datastore: Gauge;
  readonly nodeId: string;

  constructor(nodeId: string, version: string) {
    this.nodeId = nodeId;
    const registers = [this.registry];
    this.requests = new Counter({
      name: 'kong_http_requests_total',
      help: 'HTTP status codes per consumer/service/route in Kong',
      labelNames: [...PLACE, 'code', 'source', 'consumer'],
      registers,
    });
    this.bandwidth = new Counter({
      name: 'kong_bandwidth_bytes',
      help: 'Total bandwidth (ingress/egress) throughput in bytes',
      labelNames: [...PLACE, 'direction', 'consumer'],
      registers,
    });
    const latency = (name: string, help: string, buckets: number[]) =>
      new Histogram({ name, help, labelNames: [...PLACE], buckets, registers });
    this.kongLatency = latency(
      'kong_kong_latency_ms',
      'Latency added by Kong and enabled plugins for each service/route in Kong',
      KONG_BUCKETS,
    );
    this.upstreamLatency = latency(
      'kong_upstream_latency_ms',
      'Latency added by upstream response for each service/route in Kong',
      SERVICE_BUCKETS,
    );
    this.requestLatency = latency(
      'kong_request_latency_ms',
      'Total latency incurred during requests for each service/route in Kong',
      SERVICE_BUCKETS,
    );
    this.allRequests = new Counter({ name: 'kong_nginx_requests_total', help: 'Total number of requests', registers });
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

  /** The text exposition format; targets are shown where a prometheus plugin asks for them. */
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
