import { isIP } from 'node:net';
import type { AddressState, TargetState } from '../balancer/balancer.ts';
import type { Target } from '../entities/upstreams.ts';
import type { TargetHealth } from '../metrics.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { notFound } from '../store/errors.ts';
import type { Store } from '../store/store.ts';
import { type Answer, childrenOf, findChild, requireParent } from './entities.ts';

/** `GET /upstreams/{u}/health`: each target with how it stands. */
export function upstreamHealth(
  store: Store,
  runtime: Runtime,
  nodeId: string,
  key: string,
  query: URLSearchParams,
): Answer {
  const upstream = requireParent(store, { kind: 'upstreams', key });
  const balancer = runtime.balancer(upstream.id);
  const targets = childrenOf(store, 'targets', 'upstream', upstream.id) as unknown as Target[];
  const states = targets.map((target) => ({
    target,
    health: balancer?.state(target.target) ?? ('HEALTHCHECKS_OFF' as const),
    addresses: balancer?.addresses(target.target) ?? [],
  }));
  if (query.get('balancer_health') === '1') {
    const available = states.filter(
      ({ target, health }) => target.weight > 0 && health !== 'UNHEALTHY' && health !== 'DNS_ERROR',
    ).length;
    const health = available > 0 ? 'HEALTHY' : 'UNHEALTHY';
    return {
      status: 200,
      body: {
        data: { health, balancer_health: health, id: upstream.id, details: { hosts: states.map(describe) } },
        next: null,
        node_id: nodeId,
      },
    };
  }
  const data = states.map((state) => ({ ...state.target, health: state.health, data: describe(state) }));
  return { status: 200, body: { data, next: null, node_id: nodeId } };
}

/** `PUT /upstreams/{u}/targets/{t}/healthy` and its opposite, or `…/{t}/{address}/healthy` for one address of it. */
export function setTargetHealth(
  store: Store,
  runtime: Runtime,
  upstreamKey: string,
  targetKey: string,
  healthy: boolean,
  address?: string,
): Answer {
  const parent = { kind: 'upstreams', key: upstreamKey } as const;
  const upstream = requireParent(store, parent);
  const place = { type: 'child', kind: 'targets', field: 'upstream', parent, key: targetKey } as const;
  const target = findChild(store, place, upstream.id);
  if (!target || !runtime.balancer(upstream.id)?.setState(String(target.target), healthy, address)) throw notFound();
  return { status: 204 };
}

/** All targets for `/metrics`. */
export function allTargetHealth(store: Store, runtime: Runtime): TargetHealth[] {
  return store.all('upstreams').flatMap((upstream) =>
    store.childrenOf('targets', 'upstream', upstream.id).map(({ target }) => ({
      upstream: upstream.name,
      target,
      address: target,
      state: STATES[runtime.balancer(upstream.id)?.state(target) ?? 'HEALTHCHECKS_OFF'],
    })),
  );
}

const STATES = {
  HEALTHY: 'healthy',
  UNHEALTHY: 'unhealthy',
  HEALTHCHECKS_OFF: 'healthchecks_off',
  DNS_ERROR: 'dns_error',
} as const;

interface State {
  readonly target: Target;
  readonly health: TargetState;
  readonly addresses: readonly AddressState[];
}

function describe({ target: { target, weight }, health, addresses }: State): object {
  const colon = target.lastIndexOf(':');
  const host = target.slice(0, colon);
  const healthy = addresses.filter((address) => address.healthy).length;
  return {
    host,
    port: Number(target.slice(colon + 1)),
    dns: health === 'DNS_ERROR' ? 'dns server error' : isIP(host.replace(/^\[|\]$/g, '')) === 0 ? 'A' : 'ip',
    nodeWeight: weight,
    weight: {
      total: weight * addresses.length,
      available: weight * healthy,
      unavailable: weight * (addresses.length - healthy),
    },
    addresses: addresses.map(({ ip, port, healthy: isHealthy }) => ({
      ip,
      port,
      weight,
      health: isHealthy ? 'HEALTHY' : 'UNHEALTHY',
    })),
  };
}
