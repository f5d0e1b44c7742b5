import type { Traffic } from '../metrics.ts';
import type { RouteRuntime } from '../proxy/exchange.ts';
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
  prepare: (config, { metrics }) => {
    const counted = new WeakMap<RouteRuntime, Traffic>();
    const trafficOf = (runtime: RouteRuntime): Traffic => {
      const present = counted.get(runtime);
      if (present) return present;
      const { route, service } = runtime;
      const traffic = metrics.traffic(service ? (service.name ?? service.host) : '', route.name ?? route.id);
      counted.set(runtime, traffic);
      return traffic;
    };
    return {
      log: (exchange) => {
        if (!exchange.runtime) return;
        const traffic = trafficOf(exchange.runtime);
        const consumer = config.per_consumer ? (exchange.consumer?.username ?? '') : '';
        if (config.status_code_metrics) {
          traffic.countRequest(exchange.status, exchange.fromUpstream ? 'service' : 'kong', consumer);
        }
        if (config.bandwidth_metrics) traffic.countBytes(consumer, exchange.bytesIn, exchange.bytesOut);
        if (config.latency_metrics) {
          traffic.totalMs.observe(exchange.totalMs());
          traffic.gatewayMs.observe(exchange.gatewayMs());
          if (exchange.proxied) traffic.upstreamMs.observe(exchange.upstreamMs());
        }
      },
    };
  },
});
