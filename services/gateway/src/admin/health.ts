import { isIP } from 'node:net';
import type { AddressState, TargetState } from '../balancer/balancer.ts';
import { hasActiveChecks, hasPassiveChecks } from '../balancer/health.ts';
import type { Target, Upstream } from '../entities/upstreams.ts';
import type { TargetHealth } from '../metrics.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { badRequest, notFound } from '../store/errors.ts';
import type { Store } from '../store/store.ts';
import type { Answer } from './call.ts';
import { childrenOf, findChild, requireParent } from './entities.ts';

/** `GET /upstreams/{u}/health`: each target with its health. */
export function upstreamHealth(
  store: Store,
  runtime: Runtime,
  nodeId: string,
  key: string,
  query: URLSearchParams,
): Answer {
  const upstream = requireParent(store, { kind: 'upstreams', key }) as unknown as Upstream;
  const balancer = runtime.balancer(upstream.id);
  const targets = childrenOf(store, 'targets', 'upstream', upstream.id) as unknown as Target[];
  const states = targets.map((target) => ({
    target,
    health: balancer?.state(target.target) ?? ('HEALTHCHECKS_OFF' as const),
    addresses: balancer?.addresses(target.target) ?? [],
  }));
  if (query.get('balancer_health') === '1') {
    return { status: 200, body: { data: describeBalancer(upstream, states), next: null, node_id: nodeId } };
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
  const upstream = requireParent(store, parent) as unknown as Upstream;
  const place = { type: 'child', kind: 'targets', field: 'upstream', parent, key: targetKey } as const;
  const target = findChild(store, place, upstream.id);
  if (!target) throw notFound();
  if (!isChecked(upstream)) throw badRequest(`no healthchecker found for ${upstream.name}`);
  if (!runtime.balancer(upstream.id)?.setState(String(target.target), healthy, address)) throw notFound();
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

function isChecked(upstream: Upstream): boolean {
  return hasActiveChecks(upstream) || hasPassiveChecks(upstream);
}

/** An upstream is healthy while enough of its weight is, as for requests. */
function describeBalancer(upstream: Upstream, states: readonly State[]): object {
  const { id } = upstream;
  if (!isChecked(upstream)) return { health: 'HEALTHCHECKS_OFF', balancer_health: 'HEALTHCHECKS_OFF', id };
  const weights = states.map(weightOf);
  const total = weights.reduce((sum, weight) => sum + weight.total, 0);
  const available = weights.reduce((sum, weight) => sum + weight.available, 0);
  const healthy = available > 0 && (available / total) * 100 > upstream.healthchecks.threshold;
  const health = healthy ? 'HEALTHY' : 'UNHEALTHY';
  const weight = { total, available, unavailable: total - available };
  return { health, balancer_health: health, id, details: { healthy, weight, hosts: states.map(describe) } };
}

function describe(state: State): object {
  const { health, addresses } = state;
  const { target, weight } = state.target;
  const colon = target.lastIndexOf(':');
  const host = target.slice(0, colon);
  return {
    host,
    port: Number(target.slice(colon + 1)),
    dns: health === 'DNS_ERROR' ? 'dns server error' : isIP(host.replace(/^\[|\]$/g, '')) === 0 ? 'A' : 'ip',
    nodeWeight: weight,
    weight: weightOf(state),
    addresses: addresses.map(({ ip, port, healthy }) => ({
      ip,
      port,
      weight,
      health: health === 'HEALTHCHECKS_OFF' ? health : healthy ? 'HEALTHY' : 'UNHEALTHY',
    })),
  };
}

function weightOf({ target: { weight }, addresses }: State): { total: number; available: number; unavailable: number } {
  const available = weight * addresses.filter(({ healthy }) => healthy).length;
  const total = weight * addresses.length;
  return { total, available, unavailable: total - available };
}
