import { definePlugin } from './plugin.ts';

const flag = { type: 'boolean', required: true, default: false } as const;

/** Counts and times requests for `/metrics`. */
export const prometheus = definePlugin({
  name: 'prometheus',
  priority: 13,
  config: {
    type: 'record',
    required: true,
    fields: {
      per_consumer: flag,
      status_code_metrics: flag,
      ai_metrics: flag,
      latency_metrics: flag,
      bandwidth_metrics: flag,
      upstream_health_metrics: flag,
    },
  },
  prepare: (config, { metrics }) => ({
    log: (exchange) => {
      const { route, service } = exchange;
      if (!route) return;
      const labels = {
        service: service ? (service.name ?? service.host) : '',
        route: route.name ?? route.id,
        workspace: 'default',
      };
      const consumer = config.per_consumer ? (exchange.consumer?.username ?? '') : '';
      if (config.status_code_metrics) {
        metrics.requests.inc({
          ...labels,
          code: exchange.status,
          source: exchange.fromUpstream ? 'service' : 'kong',
          consumer,
        });
      }
      if (config.bandwidth_metrics) {
        metrics.bandwidth.inc({ ...labels, direction: 'ingress', consumer }, exchange.bytesIn);
        metrics.bandwidth.inc({ ...labels, direction: 'egress', consumer }, exchange.bytesOut);
      }
      if (config.latency_metrics) {
        metrics.requestLatency.observe(labels, exchange.totalMs());
        metrics.kongLatency.observe(labels, exchange.gatewayMs());
        if (exchange.proxied) metrics.upstreamLatency.observe(labels, exchange.upstreamMs());
      }
    },
  }),
});
